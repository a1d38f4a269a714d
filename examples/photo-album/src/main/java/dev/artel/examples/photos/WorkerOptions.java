package dev.artel.examples.photos;

import dev.artel.examples.photos.PhotoTasks.Skill;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The options of a photo worker from the command line.
record WorkerOptions(
        URI orchestrator,
        String token,
        String name,
        List<Skill> skills,
        Path root,
        int concurrency,
        Duration lease,
        Duration slowness,
        boolean endsWithInput) {

    static final String USAGE =
            """
            usage: PhotoWorker --orchestrator URL --name NAME [OPTION VALUE]...
              --orchestrator URL   whose tasks to do, such as http://localhost:8080
              --name NAME          what the orchestrator knows this worker by
              --token-file FILE    where its token is; else the environment sets it in ARTEL_WORKER_TOKEN
              --skills A,B,C       of resize_image, describe_image and contact_sheet; all by default
              --root DIRECTORY     the files that tasks may touch; / by default
              --concurrency N      the most tasks at a time; 2 by default
              --lease-ms N         a dead worker's task is given to another after this time; 10000 by default
              --slow-ms N          waits before each task, to be watched; 0 by default
              --end-with-input     ends at once when its standard input does, as it does when its parent is gone
            """;

    private static final Set<String> KEYS =
            Set.of(
                    "--orchestrator",
                    "--name",
                    "--token-file",
                    "--skills",
                    "--root",
                    "--concurrency",
                    "--lease-ms",
                    "--slow-ms");

    private static final String END_WITH_INPUT = "--end-with-input";

    WorkerOptions {
        skills = List.copyOf(skills);
    }

    /// Keeps the token out of logs.
    @Override
    public String toString() {
        return "WorkerOptions[" + name + " of " + orchestrator + ", " + skills + "]";
    }

    /// Reads the command line.
    ///
    /// @throws IllegalArgumentException with all that is wrong with it
    static WorkerOptions of(List<String> arguments, Map<String, String> environment) {
        return new Reading(arguments, environment).options();
    }

    private static final class Reading {
        private final List<String> problems = new ArrayList<>();
        private final Map<String, String> given = new LinkedHashMap<>();
        private final Map<String, String> environment;
        private final boolean endsWithInput;

        Reading(List<String> arguments, Map<String, String> environment) {
            this.environment = environment;
            endsWithInput = arguments.contains(END_WITH_INPUT);
            var rest = arguments.stream().filter(word -> !word.equals(END_WITH_INPUT)).toList();
            for (var i = 0; i < rest.size(); i += 2) {
                var key = rest.get(i);
                if (!KEYS.contains(key)) {
                    problems.add("unknown option " + key);
                } else if (i + 1 == rest.size()) {
                    problems.add(key + " needs a value");
                } else {
                    given.put(key, rest.get(i + 1));
                }
            }
        }

        WorkerOptions options() {
            var orchestrator = uri(given("--orchestrator"));
            var name = given("--name");
            var options =
                    new WorkerOptions(
                            orchestrator,
                            token(),
                            name,
                            skills(),
                            Path.of(given.getOrDefault("--root", "/")),
                            number("--concurrency", 2, 1, 64),
                            Duration.ofMillis(number("--lease-ms", 10_000, 1000, 600_000)),
                            Duration.ofMillis(number("--slow-ms", 0, 0, 600_000)),
                            endsWithInput);
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(String.join("; ", problems));
            }
            return options;
        }

        private String given(String key) {
            var value = given.getOrDefault(key, "");
            if (value.isBlank()) {
                problems.add(key + " is missing");
            }
            return value;
        }

        private URI uri(String text) {
            try {
                var uri = URI.create(text);
                if (text.isBlank() || (uri.isAbsolute() && uri.getHost() != null)) {
                    return uri;
                }
            } catch (IllegalArgumentException nonsense) {
                problems.add("--orchestrator: " + nonsense.getMessage());
                return URI.create("");
            }
            problems.add("--orchestrator is a URL like http://localhost:8080, was " + text);
            return URI.create("");
        }

        private String token() {
            var file = given.get("--token-file");
            try {
                var token =
                        file == null
                                ? environment.getOrDefault("ARTEL_WORKER_TOKEN", "")
                                : Files.readString(Path.of(file));
                if (token.isBlank()) {
                    problems.add(
                            file == null
                                    ? "no token; give --token-file or set ARTEL_WORKER_TOKEN"
                                    : "the token file " + file + " is empty");
                }
                return token.strip();
            } catch (IOException unreadable) {
                problems.add("cannot read the token file: " + unreadable);
                return "";
            }
        }

        private List<Skill> skills() {
            var text = given.get("--skills");
            return text == null
                    ? List.of(Skill.values())
                    : Arrays.stream(text.split(","))
                            .map(String::strip)
                            .distinct()
                            .flatMap(type -> skill(type).stream())
                            .toList();
        }

        private Optional<Skill> skill(String type) {
            var skill =
                    Arrays.stream(Skill.values())
                            .filter(known -> known.type().equals(type))
                            .findFirst();
            if (skill.isEmpty()) {
                problems.add("--skills: there is no skill '" + type + "'");
            }
            return skill;
        }

        private int number(String key, int otherwise, int least, int most) {
            var text = given.get(key);
            try {
                var number = text == null ? otherwise : Integer.parseInt(text.strip());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException none) {
                // reported below, as a number out of range is
            }
            problems.add(
                    key + " is a whole number from " + least + " to " + most + ", was " + text);
            return otherwise;
        }
    }
}
