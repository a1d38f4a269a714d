package dev.artel.server;

import dev.artel.config.CommandLine;
import dev.artel.config.LogSettings;
import dev.artel.config.ServerConfig;
import dev.artel.json.text.Printable;
import dev.artel.server.logs.ProgramLog;
import dev.artel.server.run.CardRunner;
import dev.artel.server.run.RunArguments;
import dev.artel.server.run.Terminal;
import dev.artel.server.wiring.StartupException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.slf4j.event.Level;

/// Runs one process card with an orchestrator of its own: `run CARD.yaml`.
public final class ArtelRun {
    private static final int WRONG = 2;

    private ArtelRun() {}

    /// Runs one card; the exit code shows how it ended.
    public static void main(String[] arguments) {
        ProgramLog.begin(LogSettings.DEFAULTS);
        System.exit(run(Arrays.asList(arguments)));
    }

    private static int run(List<String> given) {
        if (given.isEmpty() || given.contains("--help") || given.contains("-h")) {
            System.err.println(RunArguments.USAGE);
            return given.isEmpty() ? WRONG : 0;
        }
        RunArguments arguments;
        try {
            arguments = RunArguments.read(given);
        } catch (RunArguments.Wrong wrong) {
            System.err.println(Printable.behind("artel: ", String.valueOf(wrong.getMessage())));
            return WRONG;
        }
        if (arguments.url().isPresent()) {
            return remote(arguments, arguments.url().get());
        }
        if (arguments.settings().contains("--data")) {
            return run(arguments, arguments.settings());
        }
        return inFolder(arguments);
    }

    private static int remote(RunArguments arguments, URI url) {
        ProgramLog.begin(LogSettings.DEFAULTS.withLevel(Level.ERROR));
        var token = System.getenv("ARTEL_TOKEN");
        if (token == null || token.isBlank()) {
            System.err.println("artel: --url needs the token of an operator in ARTEL_TOKEN");
            return WRONG;
        }
        return new CardRunner(
                        arguments, _ -> new CardRunner.Started(url, token, () -> {}), terminal())
                .run();
    }

    private static int inFolder(RunArguments arguments) {
        try {
            var folder = Files.createTempDirectory("artel-run-");
            var end = Thread.ofPlatform().name("artel-run-end").unstarted(() -> remove(folder));
            Runtime.getRuntime().addShutdownHook(end);
            var settings = new ArrayList<>(arguments.settings());
            settings.addAll(List.of("--data", folder.toString()));
            return run(arguments, settings);
        } catch (IOException full) {
            System.err.println("artel: no folder could be made for the data: " + full);
            return WRONG;
        }
    }

    private static int run(RunArguments arguments, List<String> settings) {
        var flags = new ArrayList<>(settings);
        if (!settings.contains("--port")) {
            flags.addAll(List.of("--port", "0"));
        }
        if (!settings.contains("--log-level")) {
            flags.addAll(List.of("--log-level", "error"));
        }
        return switch (CommandLine.read(flags.toArray(String[]::new), System.getenv())) {
            case CommandLine.Help _ -> 0;
            case CommandLine.Problems(var problems) -> {
                problems.forEach(
                        problem -> System.err.println(Printable.behind("artel: ", problem)));
                yield WRONG;
            }
            case CommandLine.Settings(var config, var _) -> {
                ProgramLog.begin(config.ingress().logs());
                yield run(arguments, withFiles(config));
            }
        };
    }

    /// What actions write is for the person, and stays.
    private static ServerConfig withFiles(ServerConfig config) {
        return config.actions().folder().isPresent()
                ? config
                : config.withActions(config.actions().withFolder(Path.of("artel-files")));
    }

    private static int run(RunArguments arguments, ServerConfig config) {
        try {
            return new CardRunner(
                            arguments,
                            blueprints -> started(ArtelNode.start(config, blueprints)),
                            terminal())
                    .run();
        } catch (StartupException cannot) {
            System.err.println(Printable.behind("artel: ", String.valueOf(cannot.getMessage())));
            return WRONG;
        }
    }

    /// There is no console where the streams are redirected, unless a property of the JDK says otherwise.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isInteractive() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    private static Terminal terminal() {
        return new Terminal(
                System.out,
                System.err,
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                isInteractive());
    }

    private static CardRunner.Started started(ArtelNode node) {
        return new CardRunner.Started(node.uri(), node.clientToken(), node::close);
    }

    private static void remove(Path folder) {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException left) {
            System.err.println("artel: " + folder + " could not be removed: " + left);
        }
    }
}
