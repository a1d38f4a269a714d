package dev.artel.simulation.campaign;

import dev.artel.simulation.function.RandomFunction;
import dev.artel.simulation.random.Shrinking;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import dev.artel.store.codec.JsonEventCodec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;

/// Plays scenario after scenario and stops at the first that fails.
///
/// `--seeds N` plays N scenarios, `--from S` begins with seed S, `--threads T` plays T at a time (usually one for each
/// processor), `--mutant NAME` plants a bug. `--functions N` plays N random durable functions instead.
public final class SimulationRun {
    private static final int USAGE = 2;

    private SimulationRun() {}

    /// The settings of a run.
    ///
    /// @param seeds how many scenarios
    /// @param from the first seed
    /// @param threads how many are played at a time
    /// @param mutant the bug to plant
    /// @param functions how many random functions instead of scenarios; 0: none
    private record Request(
            long seeds, long from, int threads, Optional<Mutant> mutant, long functions) {
        Request {
            if (threads < 1) {
                throw new IllegalArgumentException("--threads must be at least 1, got " + threads);
            }
        }

        static Request of(List<String> words) {
            var processors = Runtime.getRuntime().availableProcessors();
            var request = new Request(1_000, 0, processors, Optional.empty(), 0);
            for (var i = 0; i < words.size(); i += 2) {
                var value = i + 1 < words.size() ? words.get(i + 1) : "";
                request = request.with(words.get(i), value);
            }
            return request;
        }

        private Request with(String option, String value) {
            return switch (option) {
                case "--seeds" ->
                        new Request(number(option, value), from, threads, mutant, functions);
                case "--from" ->
                        new Request(seeds, number(option, value), threads, mutant, functions);
                case "--threads" ->
                        new Request(
                                seeds,
                                from,
                                Math.toIntExact(number(option, value)),
                                mutant,
                                functions);
                case "--mutant" ->
                        new Request(seeds, from, threads, Optional.of(mutant(value)), functions);
                case "--functions" ->
                        new Request(seeds, from, threads, mutant, number(option, value));
                case String other -> throw new IllegalArgumentException("unknown option " + other);
            };
        }

        private static long number(String option, String value) {
            try {
                return Long.parseLong(value);
            } catch (NumberFormatException wrong) {
                throw new IllegalArgumentException(
                        option + " needs a number, got \"" + value + "\"", wrong);
            }
        }

        private static Mutant mutant(String value) {
            var name = value.toUpperCase(Locale.ROOT).replace('-', '_');
            return Arrays.stream(Mutant.values())
                    .filter(mutant -> mutant.name().equals(name))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("unknown mutant \"" + value + "\""));
        }

        Scenario scenario(long seed) {
            var scenario = Scenario.of(seed);
            return mutant.map(scenario::with).orElse(scenario);
        }
    }

    /// Exits with 0 if every scenario keeps every promise, 1 if one does not, 2 if the options are wrong.
    public static void main(String... args) throws InterruptedException {
        try {
            System.exit(run(Request.of(List.of(args))));
        } catch (IllegalArgumentException | ArithmeticException wrong) {
            System.err.println(
                    "sim: "
                            + wrong.getMessage()
                            + "\nusage: sim [--seeds N] [--from SEED] [--threads N] [--mutant NAME | --functions N]"
                            + "\nmutants: "
                            + Arrays.toString(Mutant.values()));
            System.exit(USAGE);
        }
    }

    private static int run(Request request) throws InterruptedException {
        if (request.functions() > 0) {
            return functions(request);
        }
        var codec = new JsonEventCodec();
        var course =
                new Campaign(request::scenario, codec, request.from(), request.seeds())
                        .run(request.threads());
        if (course.failure().isPresent()) {
            var found = course.failure().get();
            System.out.println("FAILED  " + found.scenario() + "\n  " + found.finding());
            print(found, Shrinking.smallest(found, codec));
            return 1;
        }
        var sum = course.sum();
        System.out.printf(
                Locale.ROOT,
                "%d scenarios, %d jobs (%d finished), %d events in %d appends, %d crashes, %.0f h of"
                        + " virtual time in %.1f s on %d threads: %.0f jobs/s, %.0f jobs per CPU second,"
                        + " %.0f steps/s%n",
                request.seeds(),
                sum.jobs(),
                sum.finished(),
                sum.events(),
                sum.appends(),
                sum.crashes(),
                sum.virtualMillis() / 3.6e6,
                course.seconds(),
                request.threads(),
                sum.jobs() / course.seconds(),
                sum.jobs() / course.processorSeconds(),
                sum.steps() / course.seconds());
        return 0;
    }

    private static int functions(Request request) {
        var end = request.from() + request.functions();
        var began = System.nanoTime();
        try (var players = new ForkJoinPool(request.threads())) {
            var failure =
                    players.submit(() ->
                                    LongStream.range(request.from(), end)
                                            .parallel()
                                            .mapToObj(seed ->
                                                    new RandomFunction(seed, Optional.empty())
                                                            .failure())
                                            .flatMap(Optional::stream)
                                            .findFirst())
                            .join();
            System.out.println(
                    failure.map(found -> "FAILED  " + found)
                            .orElse(
                                    String.format(
                                            Locale.ROOT,
                                            "%d functions gave what their code gives, in %.1f s on %d threads",
                                            request.functions(),
                                            (System.nanoTime() - began) / 1e9,
                                            request.threads())));
            return failure.isPresent() ? 1 : 0;
        }
    }

    private static void print(SimulationFailure failure, SimulationFailure smallest) {
        smallest.printStackTrace(System.out);
        System.out.println("\nSMALLEST  " + smallest.scenario() + "\n  " + smallest.finding());
        System.out.println("\nAgain: ./artel sim --seeds 1 --from " + failure.scenario().seed());
    }
}
