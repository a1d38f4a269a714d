package dev.artel.config;

import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.store.s3.S3Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads the settings from a file, from `ARTEL_*` variables and from flags; a flag wins over a variable, and that over
/// the file. All problems are reported together, and no secret is shown.
public final class CommandLine {
    /// The options.
    public static final String USAGE =
            """
            usage: ./artel up [--port N] [--host ADDRESS] [--data FOLDER] [--strict] [--config FILE] [--SETTING VALUE]...
              --port N        the port to listen on, 8080 unless set otherwise; 0: any free one   (ARTEL_PORT)
              --host ADDRESS  the address to listen on, 127.0.0.1 unless set otherwise; any other
                              one needs tokens of your own choice                                  (ARTEL_HOST)
              --data FOLDER   where jobs and tokens are kept, artel-data unless set otherwise     (ARTEL_DATA)
              --strict        a version of a blueprint that has another graph than before prevents
                              the start                                             (ARTEL_BLUEPRINTS_STRICT)
              --cards FOLDER  process cards that are taken up when they change          (ARTEL_BLUEPRINTS_CARDS)
              --log-level LEVEL, --log-format text|json                    (ARTEL_LOG_LEVEL, ARTEL_LOG_FORMAT)
              --backup-to FOLDER|s3://BUCKET/PREFIX, --backup-every TIME
                              a copy of all is kept there while it runs     (ARTEL_BACKUP_TO, ARTEL_BACKUP_EVERY)
              --config FILE   settings in YAML; a variable wins over it, a flag over both          (ARTEL_CONFIG)
            tokens of your own choice, of at least 16 characters: ARTEL_CLIENT_TOKEN and ARTEL_WORKER_TOKEN
            settings, as in the file; as a variable, http.idle-timeout is ARTEL_HTTP_IDLE_TIMEOUT:
            """
                    + SettingKeys.ALL.stream()
                            .map(key -> "  %-28s %s".formatted(key.name(), key.meaning()))
                            .collect(Collectors.joining("\n"))
                    + """

                      webhooks.subscriptions.NAME  in the file alone: url, secret, and if you like events and
                                                   blueprints, of each subscription to jobs and workers\
                    """;

    private static final String PREFIX = "ARTEL_";

    /// With all up to the last `@` before the path: a password may have one.
    private static final Pattern USER_IN_ADDRESS = Pattern.compile("://[^/?#\\s]*@");

    private static final String CONFIG_FLAG = "--config";
    private static final String CONFIG = "ARTEL_CONFIG";
    private static final String CLIENT_TOKEN = "ARTEL_CLIENT_TOKEN";
    private static final String WORKER_TOKEN = "ARTEL_WORKER_TOKEN";

    /// Variables that other parts of Artel read.
    private static final List<String> OTHERS =
            List.of("ARTEL_URL", "ARTEL_TOKEN", "ARTEL_HOME", "ARTEL_KILLS");

    private final Map<String, String> environment;
    private final List<String> problems = new ArrayList<>();
    private final SequencedMap<Key, Setting> settings = new LinkedHashMap<>();
    private final SequencedMap<Key, Setting> flags = new LinkedHashMap<>();
    private @Nullable Setting file;
    private @Nullable Path fileWithSecrets;
    private SubscriptionsInFile subscriptions = SubscriptionsInFile.none();

    private CommandLine(Map<String, String> environment) {
        this.environment = environment;
    }

    /// What was found.
    public sealed interface Outcome {}

    /// Settings to start with.
    ///
    /// @param marks of each setting that is given, by name: the same as long as its value is, and reveals nothing of that
    public record Settings(ServerConfig config, SequencedMap<String, String> marks)
            implements Outcome {}

    /// A person asks for the options.
    public record Help() implements Outcome {}

    /// What is wrong, each in a sentence.
    public record Problems(List<String> problems) implements Outcome {}

    /// A value, and what it is called where it was found.
    private record Setting(String name, String value) {}

    /// The settings that `arguments` and `environment` ask for.
    public static Outcome read(String[] arguments, Map<String, String> environment) {
        var given = Arrays.asList(arguments);
        if (given.contains("--help") || given.contains("-h")) {
            return new Help();
        }
        var line = new CommandLine(environment);
        line.readFlags(given.iterator());
        line.readOpenTelemetry();
        var variables = line.readFile();
        line.readEnvironment(variables);
        line.settings.putAll(line.flags);
        return line.outcome();
    }

    /// All settings, each with where it is from; without the values of secrets, and without the passwords in addresses.
    /// Subscriptions of webhooks are not among them.
    public static List<SettingLine> described(String[] arguments, Map<String, String> environment) {
        var line = new CommandLine(environment);
        line.readFlags(Arrays.asList(arguments).iterator());
        line.readEnvironment(line.readFile());
        line.settings.putAll(line.flags);
        return SettingKeys.ALL.stream().map(line::described).toList();
    }

    /// The file of settings, if a secret is in it as it is, rather than as a variable. Problems are not reported.
    public static Optional<Path> fileWithSecrets(
            String[] arguments, Map<String, String> environment) {
        var line = new CommandLine(environment);
        line.readFlags(Arrays.asList(arguments).iterator());
        var _ = line.readFile();
        return Optional.ofNullable(line.fileWithSecrets);
    }

    private SettingLine described(Key key) {
        var setting = Optional.ofNullable(settings.get(key));
        return new SettingLine(
                key.name(),
                key.meaning(),
                setting.map(Setting::name),
                setting.filter(_ -> !key.isHidden())
                        .map(its -> USER_IN_ADDRESS.matcher(its.value()).replaceAll("://***@")));
    }

    private void readFlags(Iterator<String> arguments) {
        while (arguments.hasNext()) {
            var argument = arguments.next();
            var equals = argument.indexOf('=');
            var flag = equals < 0 ? argument : argument.substring(0, equals);
            var key =
                    SettingKeys.ALL.stream()
                            .filter(each ->
                                    each.flag().equals(flag) || ("--" + each.name()).equals(flag))
                            .findFirst();
            if (key.isEmpty() && !flag.equals(CONFIG_FLAG)) {
                problems.add(
                        "unknown argument "
                                + flag
                                + inFileAlone(flag.replaceFirst("^--", ""))
                                        .orElseGet(() -> Suggestions.like(flag, flagNames())));
            } else if (equals < 0 && key.filter(Key::isSwitch).isPresent()) {
                take(flag, key, "true");
            } else if (equals < 0 && !arguments.hasNext()) {
                problems.add(flag + " needs a value");
            } else {
                var value = equals >= 0 ? argument.substring(equals + 1) : arguments.next();
                take(flag, key, value);
            }
        }
    }

    private static Optional<String> inFileAlone(String name) {
        return name.startsWith(SubscriptionSettings.PREFIX)
                        || name.startsWith("ARTEL_WEBHOOKS_SUBSCRIPTIONS")
                ? Optional.of(
                        "; subscriptions are set in the file, where ${VARIABLE} stands for a"
                                + " variable")
                : Optional.empty();
    }

    private void take(String flag, Optional<Key> key, String value) {
        if (key.isEmpty()) {
            file = new Setting(flag, value);
        } else if (key.get().isSecret()) {
            problems.add(
                    flag
                            + " is a secret, which others could read on a command line; set "
                            + key.get().variable()
                            + " instead");
        } else if (hasUser(value)) {
            problems.add(
                    flag
                            + " has a user or a password in its address, which others could read on"
                            + " a command line; set "
                            + key.get().variable()
                            + ", or "
                            + key.get().name()
                            + " in the file of "
                            + CONFIG_FLAG
                            + ", instead");
        } else {
            flags.put(key.get(), new Setting(flag, value));
        }
    }

    /// Whether `value` has an address with a user, who may have a password.
    private static boolean hasUser(String value) {
        return USER_IN_ADDRESS.matcher(value).find();
    }

    private static List<String> flagNames() {
        var names = new ArrayList<>(SettingKeys.ALL.stream().map(Key::flag).toList());
        names.add(CONFIG_FLAG);
        return names;
    }

    /// The variables that programs with OpenTelemetry share; the file and variables of Artel go before them.
    private void readOpenTelemetry() {
        if (Boolean.parseBoolean(environment.get("OTEL_SDK_DISABLED"))) {
            return;
        }
        var base = environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "");
        if (!base.isBlank()) {
            var slash = base.strip().endsWith("/") ? "" : "/";
            share(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    "traces.otlp-endpoint",
                    base.strip() + slash + TraceSettings.PATH);
        }
        share("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "traces.otlp-endpoint");
        share("OTEL_EXPORTER_OTLP_HEADERS", "traces.otlp-headers");
        share("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "traces.otlp-headers");
        share("OTEL_SERVICE_NAME", "traces.service-name");
        if (environment.getOrDefault("OTEL_TRACES_SAMPLER", "").endsWith("traceidratio")) {
            share("OTEL_TRACES_SAMPLER_ARG", "traces.sample-ratio");
        }
    }

    private void share(String variable, String name) {
        share(variable, name, environment.getOrDefault(variable, ""));
    }

    private void share(String variable, String name, String value) {
        if (!value.isBlank()) {
            SettingKeys.ALL.stream()
                    .filter(key -> key.name().equals(name))
                    .forEach(key -> settings.put(key, new Setting(variable, value)));
        }
    }

    /// @return the variables that the file names
    private Set<String> readFile() {
        if (file == null && environment.containsKey(CONFIG)) {
            file = new Setting(CONFIG, environment.getOrDefault(CONFIG, ""));
        }
        if (file == null) {
            return Set.of();
        }
        if (file.value().isBlank()) {
            problems.add(file.name() + " must not be blank");
            return Set.of();
        }
        Path path;
        try {
            path = SettingParsers.path(file.value());
        } catch (IllegalArgumentException noPath) {
            problems.add(file.name() + " " + noPath.getMessage());
            return Set.of();
        }
        var content = ConfigFile.read(path, environment, problems);
        var inFile = new SubscriptionsInFile(content::named, problems);
        subscriptions = inFile;
        content.values()
                .forEach((name, value) -> {
                    if (content.isLiteral(name) && isSecretInFile(name, value)) {
                        fileWithSecrets = path;
                    }
                    if (inFile.take(name, value)) {
                        return;
                    }
                    var key =
                            SettingKeys.ALL.stream()
                                    .filter(each -> each.name().equals(name))
                                    .findAny();
                    if (key.isPresent()) {
                        settings.put(key.get(), new Setting(content.named(name), value));
                    } else {
                        problems.add(
                                "unknown setting "
                                        + content.named(name)
                                        + Suggestions.like(
                                                name,
                                                SettingKeys.ALL.stream().map(Key::name).toList()));
                    }
                });
        return content.variables();
    }

    private static boolean isSecretInFile(String name, String value) {
        return hasUser(value)
                || (name.startsWith(SubscriptionSettings.PREFIX) && name.endsWith(".secret"))
                || SettingKeys.ALL.stream()
                        .anyMatch(key -> key.name().equals(name) && key.isSecret());
    }

    private void readEnvironment(Set<String> named) {
        var known = new LinkedHashMap<String, Key>();
        SettingKeys.ALL.forEach(key -> known.put(key.variable(), key));
        var meant = new LinkedHashSet<>(known.keySet());
        meant.add(CONFIG);
        environment.entrySet().stream()
                .filter(each -> each.getKey().startsWith(PREFIX))
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> {
                    var variable = each.getKey();
                    var key = known.get(variable);
                    if (key != null) {
                        settings.put(key, new Setting(variable, each.getValue()));
                    } else if (!variable.equals(CONFIG)
                            && !OTHERS.contains(variable)
                            && !named.contains(variable)) {
                        problems.add(
                                "unknown variable "
                                        + variable
                                        + inFileAlone(variable)
                                                .orElseGet(
                                                        () -> Suggestions.like(variable, meant)));
                    }
                });
    }

    private Outcome outcome() {
        var configBuilder = ConfigBuilder.EMPTY;
        for (var key : SettingKeys.ALL) {
            var setting = settings.get(key);
            if (setting != null) {
                configBuilder = apply(configBuilder, key, setting);
            }
        }
        var config =
                configBuilder
                        .config()
                        .withTokens(tokens(configBuilder))
                        .withIngress(subscribers(tls(configBuilder)));
        if (!config.http().isLoopback() && !hasChosenTokens(config)) {
            problems.add(
                    nameOf("http.host", "--host")
                            + " "
                            + config.http().host()
                            + " can be reached from other machines: choose tokens and set "
                            + CLIENT_TOKEN
                            + " and "
                            + WORKER_TOKEN);
        }
        try {
            var _ = config.ingress().zeromq().sockets();
        } catch (IllegalArgumentException refused) {
            problems.add(String.valueOf(refused.getMessage()));
        }
        try {
            var _ = config.ingress().mindbus().bus();
            var _ = config.ingress().mindbus().breaker();
        } catch (IllegalArgumentException refused) {
            problems.add(String.valueOf(refused.getMessage()));
        }
        config.payloads().s3().ifPresent(this::bucket);
        config.backup().s3().keys().ifPresent(keys -> bothKeys("backup.s3", keys));
        return problems.isEmpty()
                ? new Settings(config, marks(config))
                : new Problems(List.copyOf(problems));
    }

    private SequencedMap<String, String> marks(ServerConfig config) {
        var marks = new LinkedHashMap<String, String>();
        settings.forEach((key, setting) -> marks.put(key.name(), mark(setting.value())));
        for (var one : config.ingress().webhooks().subscriptions()) {
            marks.put(
                    SubscriptionSettings.PREFIX + one.name(),
                    mark(one + " " + one.secret().value()));
        }
        return marks;
    }

    private static String mark(String value) {
        return VerifiedBytes.digestOf(value.getBytes(StandardCharsets.UTF_8));
    }

    private ConfigBuilder apply(ConfigBuilder configBuilder, Key key, Setting setting) {
        if (setting.value().isBlank()) {
            problems.add(setting.name() + " must not be blank");
            return configBuilder;
        }
        try {
            return key.change().apply(configBuilder, setting.value());
        } catch (IllegalArgumentException refused) {
            var message = String.valueOf(refused.getMessage());
            problems.add(
                    setting.name()
                            + (message.startsWith(key.name())
                                    ? message.substring(key.name().length())
                                    : " " + message));
            return configBuilder;
        }
    }

    private TokenSettings tokens(ConfigBuilder configBuilder) {
        var client = configBuilder.clientToken();
        var worker = configBuilder.workerToken();
        if (client.isEmpty() && worker.isEmpty()) {
            return new TokenSettings.Kept();
        }
        if (client.isEmpty() || worker.isEmpty()) {
            problems.add(
                    (client.isEmpty() ? CLIENT_TOKEN : WORKER_TOKEN)
                            + " is missing beside "
                            + (client.isEmpty()
                                    ? nameOf("tokens.worker", WORKER_TOKEN)
                                    : nameOf("tokens.client", CLIENT_TOKEN))
                            + "; set both tokens or none");
            return new TokenSettings.Kept();
        }
        var isClient = isToken(nameOf("tokens.client", CLIENT_TOKEN), client.get());
        var isWorker = isToken(nameOf("tokens.worker", WORKER_TOKEN), worker.get());
        return isClient && isWorker
                ? new TokenSettings.Given(new Secret(client.get()), new Secret(worker.get()))
                : new TokenSettings.Kept();
    }

    private boolean isToken(String name, String value) {
        if (Secret.isValid(value)) {
            return true;
        }
        problems.add(
                name
                        + " must have "
                        + Secret.MIN_LENGTH
                        + " to 256 visible ASCII characters, had "
                        + value.length());
        return false;
    }

    private void bucket(S3Settings s3) {
        if (s3.bucket().isBlank()) {
            problems.add(
                    "payloads.s3.bucket is missing, since other settings of a bucket are set: "
                            + settings.entrySet().stream()
                                    .filter(each -> each.getKey().name().startsWith("payloads.s3."))
                                    .map(each -> each.getValue().name())
                                    .collect(Collectors.joining(", ")));
        }
        s3.keys().ifPresent(keys -> bothKeys("payloads.s3", keys));
    }

    private void bothKeys(String of, S3Settings.Keys keys) {
        if (keys.access().isEmpty() || keys.secret().isEmpty()) {
            problems.add(
                    of
                            + (keys.access().isEmpty() ? ".access-key" : ".secret-key")
                            + " is missing beside "
                            + nameOf(
                                    of + (keys.access().isEmpty() ? ".secret-key" : ".access-key"),
                                    "the other key")
                            + "; set both keys or none");
        }
    }

    private IngressSettings tls(ConfigBuilder configBuilder) {
        var ingress = configBuilder.config().ingress();
        var certificate = configBuilder.certificate();
        var key = configBuilder.key();
        if (certificate.isPresent() != key.isPresent()) {
            problems.add(
                    certificate.isPresent()
                            ? nameOf("tls.certificate", "") + " needs tls.key as well"
                            : nameOf("tls.key", "") + " needs tls.certificate as well");
        }
        var mode =
                configBuilder
                        .clientCertificates()
                        .orElse(configBuilder.authorities().isPresent() ? "optional" : "off");
        if (!mode.equals("off")) {
            if (configBuilder.authorities().isEmpty()) {
                problems.add(
                        nameOf("tls.client-certificates", mode)
                                + " needs tls.client-authorities as well: the authorities whose certificates name callers");
            } else if (certificate.isEmpty()) {
                problems.add(
                        nameOf("tls.client-authorities", "")
                                + " needs tls.certificate and tls.key as well");
            }
        }
        if (mode.equals("required") && ingress.redis().uri().isPresent()) {
            problems.add(
                    nameOf("tls.client-certificates", mode)
                            + " is required beside "
                            + nameOf("redis.uri", "")
                            + ": the orchestrator submits the tasks from Redis over its own API, and has no certificate"
                            + " there; set it to optional, or take these tasks with another orchestrator");
        }
        if (certificate.isEmpty() || key.isEmpty()) {
            return ingress;
        }
        var tls = new TlsSettings(certificate.get(), key.get());
        return ingress.withTls(
                configBuilder
                        .authorities()
                        .filter(_ -> !mode.equals("off"))
                        .map(authorities -> tls.withCallers(authorities, mode.equals("required")))
                        .orElse(tls));
    }

    private IngressSettings subscribers(IngressSettings ingress) {
        var webhooks = ingress.webhooks().withSubscriptions(subscriptions.all());
        subscriptions.report(webhooks);
        return ingress.withWebhooks(webhooks);
    }

    /// Files that were named on purpose are as good as tokens that were.
    private static boolean hasChosenTokens(ServerConfig config) {
        var access = config.ingress().access();
        return config.tokens() instanceof TokenSettings.Given
                || (access.clients().isPresent() && access.workers().isPresent());
    }

    private String nameOf(String key, String defaultValue) {
        return settings.entrySet().stream()
                .filter(each -> each.getKey().name().equals(key))
                .map(each -> each.getValue().name())
                .findFirst()
                .orElse(defaultValue);
    }
}
