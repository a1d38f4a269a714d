package dev.artel.server;

import dev.artel.config.CommandLine;
import dev.artel.config.LogSettings;
import dev.artel.config.ServerConfig;
import dev.artel.json.text.Printable;
import dev.artel.maintenance.MaintenanceFailed;
import dev.artel.maintenance.TokenCommands;
import dev.artel.server.cards.CardFolders;
import dev.artel.server.jars.BlueprintFolder;
import dev.artel.server.logs.ProgramLog;
import dev.artel.server.replay.ReplayCommand;
import dev.artel.server.replay.ReplayFailed;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Wiring;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Checks durable functions against recorded histories: `replay JOB|FILE`.
public final class ArtelReplay {
    private static final String USAGE =
            """
            usage: ./artel replay JOB|FILE [--save FILE] [--url URL] [--blueprints.folder FOLDER] [--data FOLDER]
              JOB     the id of a job of the orchestrator at URL (http://127.0.0.1:8080), whose history is
                      read with the token in ARTEL_TOKEN, or else the client token of the data folder
              FILE    a history that --save has written
              --save  keeps the history, with its values, for tests and later replays
              --blueprints.folder  where the jars with the new code are; blueprints in the data folder
            runs the function of the job along its history, and no further: no task is sent
            exit code 0: each version of the blueprint fits; 1: one asks for other things than the history
            has, or nothing could be replayed\
            """;

    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private ArtelReplay() {}

    /// Replays one job.
    public static void main(String[] arguments) {
        ProgramLog.begin(LogSettings.DEFAULTS);
        System.exit(run(new ArrayList<>(Arrays.asList(arguments))));
    }

    private static int run(List<String> arguments) {
        if (arguments.isEmpty() || arguments.getFirst().startsWith("-")) {
            System.err.println(USAGE);
            return arguments.contains("--help") ? 0 : MISUSED;
        }
        var place = arguments.removeFirst();
        var save = option("--save", arguments).map(Path::of);
        var url = option("--url", arguments);
        return switch (CommandLine.read(arguments.toArray(String[]::new), System.getenv())) {
            case CommandLine.Help _ -> {
                System.out.println(USAGE);
                yield 0;
            }
            case CommandLine.Problems(var problems) -> {
                problems.forEach(
                        problem -> System.err.println(Printable.behind("artel: ", problem)));
                yield MISUSED;
            }
            case CommandLine.Settings(var config, var _) -> {
                ProgramLog.begin(config.ingress().logs());
                yield replay(place, url, save, config);
            }
        };
    }

    private static int replay(
            String place, Optional<String> url, Optional<Path> save, ServerConfig config) {
        var blueprints = SampleBlueprints.all();
        try (var folder = BlueprintFolder.read(config.blueprints().folderIn(config.data()))) {
            folder.problems()
                    .forEach(problem -> System.err.println(Printable.behind("artel: ", problem)));
            folder.addTo(blueprints);
            var cards = CardFolders.of(config);
            cards.problems()
                    .forEach(problem -> System.err.println(Printable.behind("artel: ", problem)));
            cards.cards().forEach(card -> card.blueprints().forEach(blueprints::register));
            var orchestrator = URI.create(url.orElse("http://127.0.0.1:" + config.http().port()));
            var token =
                    Optional.ofNullable(System.getenv("ARTEL_TOKEN"))
                            .orElseGet(() -> Path.of(place).toFile().isFile() ? "" : token(config));
            return new ReplayCommand(blueprints, System.out).run(place, orchestrator, token, save)
                    ? 0
                    : FAILED;
        } catch (ReplayFailed | MaintenanceFailed | IllegalArgumentException failed) {
            System.err.println(Printable.behind("artel: ", String.valueOf(failed.getMessage())));
            return FAILED;
        }
    }

    private static String token(ServerConfig config) {
        return new TokenCommands(
                        config.data(),
                        register -> Wiring.tokens(config, register),
                        InstantSource.system(),
                        System.getProperty("user.name", "unknown"))
                .show("client");
    }

    private static Optional<String> option(String name, List<String> arguments) {
        var place = arguments.indexOf(name);
        if (place < 0 || place + 1 == arguments.size()) {
            return Optional.empty();
        }
        arguments.remove(place);
        return Optional.of(arguments.remove(place));
    }
}
