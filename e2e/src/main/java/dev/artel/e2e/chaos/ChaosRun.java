package dev.artel.e2e.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// Lets a real orchestrator and real workers live through random faults, and reads all histories afterwards.
///
/// `--minutes N` sets how long the faults go on, `--seed S` which they are (the course of things depends on the machine as well),
/// `--folder F` where logs and data are kept; otherwise they are deleted if nothing was found. `--without ACT,ACT` leaves some
/// faults out.
public final class ChaosRun {
    private static final int FOUND = 1;
    private static final int USAGE = 2;

    /// So long after the faults the program gives up.
    private static final Duration MOST_AFTERWARDS = Duration.ofMinutes(15);

    private ChaosRun() {}

    /// What is wanted.
    record Request(Duration time, long seed, Optional<Path> folder, Set<Act> without) {
        static Request of(List<String> words) {
            var request =
                    new Request(
                            Duration.ofMinutes(3), System.nanoTime(), Optional.empty(), Set.of());
            for (var i = 0; i < words.size(); i += 2) {
                if (i + 1 == words.size()) {
                    throw new IllegalArgumentException(words.get(i) + " needs a value");
                }
                request = request.with(words.get(i), words.get(i + 1));
            }
            return request;
        }

        private Request with(String option, String value) {
            return switch (option) {
                case "--minutes" -> new Request(minutes(value), seed, folder, without);
                case "--seed" -> new Request(time, number(option, value), folder, without);
                case "--folder" -> new Request(time, seed, Optional.of(Path.of(value)), without);
                case "--without" -> new Request(time, seed, folder, acts(value));
                case String other ->
                        throw new IllegalArgumentException(
                                "unknown option "
                                        + other
                                        + "; there are --minutes, --seed, --folder and --without");
            };
        }

        private static Set<Act> acts(String value) {
            var acts = EnumSet.noneOf(Act.class);
            for (var word : value.split(",", -1)) {
                var name = word.strip().toUpperCase(Locale.ROOT).replace('-', '_');
                acts.add(
                        Arrays.stream(Act.values())
                                .filter(act -> act.name().equals(name))
                                .findFirst()
                                .orElseThrow(() ->
                                        new IllegalArgumentException(
                                                "--without needs some of "
                                                        + Arrays.toString(Act.values())
                                                        + ", got \""
                                                        + word
                                                        + "\"")));
            }
            return acts;
        }

        private static Duration minutes(String value) {
            var minutes = number("--minutes", value);
            if (minutes < 1 || minutes > 24 * 60) {
                throw new IllegalArgumentException(
                        "--minutes must be from 1 to 1440, was " + value);
            }
            return Duration.ofMinutes(minutes);
        }

        private static long number(String option, String value) {
            try {
                return Long.parseLong(value);
            } catch (NumberFormatException wrong) {
                throw new IllegalArgumentException(
                        option + " needs a whole number, got \"" + value + "\"", wrong);
            }
        }
    }

    /// Ends this process with what its threads do, should it not have ended by itself.
    private static void guard(Duration most) {
        Thread.ofPlatform()
                .daemon()
                .name("chaos-guard")
                .start(() -> {
                    LockSupport.parkNanos(most.toNanos());
                    Thread.getAllStackTraces()
                            .forEach((thread, stack) ->
                                    System.err.println(thread + " " + Arrays.toString(stack)));
                    System.err.println("chaos: not over after " + most + ", which is a finding");
                    System.exit(FOUND);
                });
    }

    /// Exits with 0 if nothing was found, 1 if something was, 2 if the options are wrong.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try {
            var request = Request.of(List.of(arguments));
            var folder =
                    request.folder().isPresent()
                            ? Files.createDirectories(request.folder().get())
                            : Files.createTempDirectory("artel-chaos");
            var scene = new Scene(request, folder);
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("chaos-end").unstarted(scene::abandon));
            guard(request.time().plus(request.time().dividedBy(3)).plus(MOST_AFTERWARDS));
            var findings = scene.play();
            if (findings.isEmpty() && request.folder().isEmpty()) {
                Scene.delete(folder);
            }
            System.exit(findings.isEmpty() ? 0 : FOUND);
        } catch (IllegalArgumentException wrong) {
            System.err.println("artel: " + wrong.getMessage());
            System.exit(USAGE);
        }
    }
}
