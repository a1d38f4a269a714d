package dev.artel.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/// Reads the settings from flags and from `ARTEL_*` variables; a flag wins. All problems are told at once.
public final class CommandLine {
    /// What can be said.
    public static final String USAGE =
            """
            usage: ./artel up [--port N] [--host ADDRESS] [--data FOLDER]
              --port N        the port to listen on, 8080 unless said otherwise; 0: any free one   (ARTEL_PORT)
              --host ADDRESS  the address to listen on, 127.0.0.1 unless said otherwise; any other
                              one needs tokens of your own choice                                  (ARTEL_HOST)
              --data FOLDER   where jobs and tokens are kept, artel-data unless said otherwise     (ARTEL_DATA)
            tokens of your own choice, of at least 16 characters: ARTEL_CLIENT_TOKEN and ARTEL_WORKER_TOKEN\
            """;

    private static final SequencedMap<String, String> FLAGS = flags();
    private static final String CLIENT_TOKEN = "ARTEL_CLIENT_TOKEN";
    private static final String WORKER_TOKEN = "ARTEL_WORKER_TOKEN";

    private final List<String> problems = new ArrayList<>();
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    private CommandLine() {}

    /// What was found.
    public sealed interface Outcome {}

    /// Settings to start with.
    public record Settings(ServerConfig config) implements Outcome {}

    /// Somebody asks what can be said.
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
        var line = new CommandLine();
        FLAGS.forEach((flag, variable) -> {
            var value = environment.get(variable);
            if (value != null) {
                line.settings.put(flag, new Setting(variable, value));
            }
        });
        line.readFlags(given.iterator());
        return line.outcome(environment);
    }

    private static SequencedMap<String, String> flags() {
        var flags = new LinkedHashMap<String, String>();
        flags.put("--port", "ARTEL_PORT");
        flags.put("--host", "ARTEL_HOST");
        flags.put("--data", "ARTEL_DATA");
        return flags;
    }

    private void readFlags(Iterator<String> arguments) {
        while (arguments.hasNext()) {
            var argument = arguments.next();
            var equals = argument.indexOf('=');
            var flag = equals < 0 ? argument : argument.substring(0, equals);
            if (!FLAGS.containsKey(flag)) {
                problems.add("unknown argument " + argument + "; there are " + FLAGS.keySet());
            } else if (equals >= 0) {
                settings.put(flag, new Setting(flag, argument.substring(equals + 1)));
            } else if (arguments.hasNext()) {
                settings.put(flag, new Setting(flag, arguments.next()));
            } else {
                problems.add(flag + " needs a value");
            }
        }
    }

    private Outcome outcome(Map<String, String> environment) {
        var config = ServerConfig.DEFAULTS;
        var http = config.http();
        var port = port();
        if (port.isPresent()) {
            http = http.withPort(port.getAsInt());
        }
        var host = text("--host");
        if (host.isPresent()) {
            http = http.withHost(host.get());
        }
        var data = folder();
        if (data.isPresent()) {
            config = config.withData(data.get());
        }
        var tokens = tokens(environment);
        if (tokens instanceof TokenSettings.Kept && !isLoopback(http.host())) {
            problems.add(
                    nameOf("--host")
                            + " "
                            + http.host()
                            + " can be reached from other machines: choose tokens and set "
                            + CLIENT_TOKEN
                            + " and "
                            + WORKER_TOKEN);
        }
        return problems.isEmpty()
                ? new Settings(config.withHttp(http).withTokens(tokens))
                : new Problems(List.copyOf(problems));
    }

    private OptionalInt port() {
        var text = text("--port");
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            var port = Integer.parseInt(text.get().strip());
            if (port >= 0 && port <= 65_535) {
                return OptionalInt.of(port);
            }
        } catch (NumberFormatException _) {
            // told below
        }
        problems.add(nameOf("--port") + " must be from 0 to 65535, was '" + text.get() + "'");
        return OptionalInt.empty();
    }

    private Optional<Path> folder() {
        return text("--data")
                .flatMap(text -> {
                    try {
                        return Optional.of(Path.of(text));
                    } catch (InvalidPathException e) {
                        problems.add(
                                nameOf("--data")
                                        + " must be a path, was '"
                                        + text
                                        + "': "
                                        + e.getReason());
                        return Optional.empty();
                    }
                });
    }

    private TokenSettings tokens(Map<String, String> environment) {
        var client = environment.get(CLIENT_TOKEN);
        var worker = environment.get(WORKER_TOKEN);
        if (client == null && worker == null) {
            return new TokenSettings.Kept();
        }
        if (client == null || worker == null) {
            problems.add(
                    (client == null ? CLIENT_TOKEN : WORKER_TOKEN)
                            + " is missing; set both tokens or none");
            return new TokenSettings.Kept();
        }
        var isClient = isToken(CLIENT_TOKEN, client);
        var isWorker = isToken(WORKER_TOKEN, worker);
        return isClient && isWorker
                ? new TokenSettings.Given(new Secret(client), new Secret(worker))
                : new TokenSettings.Kept();
    }

    private boolean isToken(String variable, String value) {
        if (Secret.isValid(value)) {
            return true;
        }
        problems.add(
                variable
                        + " must have "
                        + Secret.MIN_LENGTH
                        + " to 256 visible ASCII characters, had "
                        + value.length());
        return false;
    }

    private Optional<String> text(String flag) {
        var setting = settings.get(flag);
        if (setting == null) {
            return Optional.empty();
        }
        if (setting.value().isBlank()) {
            problems.add(setting.name() + " must not be blank");
            return Optional.empty();
        }
        return Optional.of(setting.value());
    }

    private String nameOf(String flag) {
        var setting = settings.get(flag);
        return setting == null ? flag : setting.name();
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false; // the attempt to listen there says more
        }
    }
}
