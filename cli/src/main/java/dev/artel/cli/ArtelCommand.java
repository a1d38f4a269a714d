package dev.artel.cli;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.ClientRetryPolicy;
import dev.artel.json.JsonObject;
import dev.artel.json.text.Printable;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `artel`: jobs, tasks, workers and what needs a person, from a terminal.
@Command(
        name = "artel",
        description = "Jobs, tasks, workers and what needs a person.",
        synopsisSubcommandLabel = "COMMAND",
        footer = "approve, answer and signal may be typed without the word job.",
        mixinStandardHelpOptions = true)
public final class ArtelCommand {
    /// The exit code of a job that did not end well.
    static final int ENDED_BADLY = 1;

    /// The exit code of a command that makes no sense as it was typed.
    static final int USAGE = 2;

    /// The exit code of what the orchestrator refused.
    static final int REFUSED = 3;

    /// The exit code when the orchestrator cannot be reached, or has too much to do.
    static final int UNREACHABLE = 4;

    /// The exit code of a token that is missing or does not allow this.
    static final int UNAUTHORIZED = 5;

    /// The exit code of a job that had not ended when the time of the command was over.
    static final int LATE = 6;

    /// The groups of commands. Only the one that is typed is read, since reading all takes as long as most commands.
    private static final SequencedMap<String, Class<?>> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put("job", JobCommands.class);
        GROUPS.put("task", TaskCommands.class);
        GROUPS.put("worker", WorkerCommands.class);
        GROUPS.put("quarantine", QuarantineCommands.class);
        GROUPS.put("blueprint", BlueprintCommands.class);
        GROUPS.put("schedule", ScheduleCommands.class);
        GROUPS.put("secret", SecretCommands.class);
        GROUPS.put("top", TopCommand.class);
    }

    /// Commands of `job` that may be typed without it.
    private static final List<String> ABOUT_JOBS = List.of("approve", "answer", "signal");

    private static final Duration LOGIN_WITHIN = Duration.ofSeconds(3);

    private final CliContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    ArtelCommand(CliContext context) {
        this.context = context;
    }

    /// Runs a command; the exit code shows how it ended.
    public static void main(String[] arguments) {
        System.exit(
                run(
                        List.of(arguments),
                        System.out,
                        System.err,
                        System.getenv(),
                        Optional.ofNullable(System.console())
                                        .filter(Console::isTerminal)
                                        .isPresent()
                                && System.getenv("NO_COLOR") == null));
    }

    /// Runs a command with an environment of its own.
    ///
    /// @param out for what was asked
    /// @param err for what went wrong
    /// @param isColoured whether a person looks at `out`
    /// @return the exit code
    public static int run(
            List<String> arguments,
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            boolean isColoured) {
        var context = new CliContext(new CliOutput(out, err, isColoured), environment);
        var isAboutAJob = !arguments.isEmpty() && ABOUT_JOBS.contains(arguments.getFirst());
        var whole = new ArrayList<String>(isAboutAJob ? List.of("job") : List.of());
        whole.addAll(arguments);
        var factory = new CliFactory(context);
        var line = new CommandLine(new ArtelCommand(context), factory);
        var typed = whole.isEmpty() ? null : GROUPS.get(whole.getFirst());
        GROUPS.forEach((name, group) -> {
            if (typed == null || typed == group) {
                line.addSubcommand(name, new CommandLine(group, factory));
            }
        });
        line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.setUsageHelpAutoWidth(true);
        line.setParameterExceptionHandler((wrong, _) -> wrong(wrong, err));
        line.setExecutionExceptionHandler((failure, _, _) -> failed(failure, err));
        return line.execute(whole.toArray(String[]::new));
    }

    private static int wrong(ParameterException wrong, PrintStream err) {
        var command = wrong.getCommandLine();
        err.println(Printable.behind("artel: ", String.valueOf(wrong.getMessage())));
        err.println(
                "usage: "
                        + command.getCommandSpec().qualifiedName()
                        + " --help lists what it takes");
        return USAGE;
    }

    private static int failed(Exception failure, PrintStream err) throws Exception {
        err.println(Printable.behind("artel: ", String.valueOf(failure.getMessage())));
        if (failure instanceof ClientException.Unreachable) {
            err.println(
                    "artel: start an orchestrator with ./artel up, or give the address of another one with --url");
        }
        return switch (failure) {
            case CliFailure own -> own.exitCode();
            case ClientException.Unauthorized _ -> UNAUTHORIZED;
            case ClientException.Unreachable _, ClientException.TryLater _ -> UNREACHABLE;
            case ClientException _ -> REFUSED;
            case IllegalArgumentException _ -> USAGE;
            case UncheckedIOException _ -> USAGE;
            default -> {
                // The orchestrator may have written it: nothing in it may command the terminal.
                var trace = new StringWriter();
                failure.printStackTrace(new PrintWriter(trace));
                err.print(Printable.text(trace.toString()));
                yield CommandLine.ExitCode.SOFTWARE;
            }
        };
    }

    /// Keeps an address and a token, once the orchestrator has taken both.
    @Command(
            description =
                    "keeps the address of an orchestrator and the token of a client, for which it asks, or which is the first line of the input",
            mixinStandardHelpOptions = true)
    int login(
            @Parameters(paramLabel = "URL", description = "such as http://localhost:8080") URI url,
            @Mixin TokenOption file,
            @Mixin CertificateOption certificate,
            @Option(names = "--profile", paramLabel = "NAME", defaultValue = LoginProfiles.DEFAULT)
                    String profile) {
        var variable = ProfileClient.variable(context.environment(), ProfileClient.TOKEN);
        var certified = certificate.read(context.environment());
        var used =
                file.read()
                        .or(() -> variable)
                        .or(() -> certified.map(_ -> ""))
                        .orElseGet(() -> typed(url));
        var policy = ClientRetryPolicy.DEFAULTS.withTotal(LOGIN_WITHIN);
        try (var client =
                certified
                        .map(tls -> ArtelClient.of(url, used, policy, tls))
                        .orElseGet(() -> ArtelClient.of(url, used, policy))) {
            var known = client.api().get("/api/v1/whoami");
            var profiles = LoginProfiles.of(context.environment());
            profiles.keep(profile, new LoginProfiles.Profile(url, used));
            context.output()
                    .line(
                            "logged in to "
                                    + url
                                    + " as "
                                    + known.string("client").orElse("client")
                                    + "; kept in "
                                    + profiles.file());
        } catch (ClientException.Unauthorized refused) {
            var source = variable.isPresent() ? "$" + ProfileClient.TOKEN : "the input";
            throw CliFailure.unauthorized(refused, file.isGiven() ? TokenOption.NAME : source);
        }
        return 0;
    }

    /// A person is asked, and does not see the token; a program writes a line.
    private static String typed(URI url) {
        var terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal);
        if (terminal.isPresent()) {
            var secret = terminal.get().readPassword("token of a client of %s: ", url);
            if (secret != null && secret.length > 0) {
                return new String(secret).strip();
            }
            throw noToken();
        }
        try {
            var line =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                            .readLine();
            if (line == null || line.isBlank()) {
                throw noToken();
            }
            return line.strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read a token from the input", unreadable);
        }
    }

    private static CliFailure noToken() {
        return CliFailure.usage("no token; give one with --token-file, ARTEL_TOKEN or the input");
    }

    /// Makes a link that logs in at the dashboard once.
    @Command(
            description = "prints a link that logs in at the dashboard once, and opens it",
            mixinStandardHelpOptions = true)
    int dashboard(
            @Mixin CliConnection connection,
            @Option(names = "--no-browser", description = "prints the link only")
                    boolean isOnlyPrinted) {
        var link =
                connection.ask(
                        context.environment(),
                        api -> api.post("/ui/session/links", JsonObject.EMPTY));
        if (connection.isJson()) {
            context.output().json(link);
            return 0;
        }
        var url = link.string("url").orElse("");
        context.output().line(url);
        if (!isOnlyPrinted) {
            var _ = WebBrowser.open(url, context.environment());
        }
        return 0;
    }

    /// Shows the profiles.
    @Command(description = "lists what login has kept", mixinStandardHelpOptions = true)
    int profiles() {
        context.output().line(LoginProfiles.of(context.environment()).text());
        return 0;
    }

    /// Prints a script for a shell.
    @Command(
            description = "prints a script of completions: source <(artel completion)",
            mixinStandardHelpOptions = true)
    int completion() {
        context.output().line(AutoComplete.bash("artel", spec.root().commandLine()));
        return 0;
    }
}
