package dev.artel.e2e.sim;

import dev.artel.store.codec.JsonEventCodec;
import dev.artel.testkit.sim.Mutant;
import dev.artel.testkit.sim.Scenario;
import dev.artel.testkit.sim.Shrinking;
import dev.artel.testkit.sim.Simulation;
import dev.artel.testkit.sim.SimulationFailure;
import dev.artel.testkit.sim.Tally;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Plays scenario after scenario and stops at the first that fails.
///
/// `--seeds N` plays N scenarios, `--from S` begins with seed S, `--mutant NAME` plants a bug.
public final class SimulationRun {
    private static final int USAGE = 2;

    private SimulationRun() {}

    /// The settings of a run.
    ///
    /// @param seeds how many scenarios
    /// @param from the first seed
    /// @param mutant the bug to plant
    private record Request(long seeds, long from, Optional<Mutant> mutant) {
        static Request of(List<String> words) {
            var request = new Request(1_000, 0, Optional.empty());
            for (var i = 0; i < words.size(); i += 2) {
                var value = i + 1 < words.size() ? words.get(i + 1) : "";
                request =
                        switch (words.get(i)) {
                            case "--seeds" ->
                                    new Request(
                                            Long.parseLong(value), request.from, request.mutant);
                            case "--from" ->
                                    new Request(
                                            request.seeds, Long.parseLong(value), request.mutant);
                            case "--mutant" ->
                                    new Request(
                                            request.seeds,
                                            request.from,
                                            Optional.of(
                                                    Mutant.valueOf(
                                                            value.toUpperCase(Locale.ROOT)
                                                                    .replace('-', '_'))));
                            case String other ->
                                    throw new IllegalArgumentException("unknown option " + other);
                        };
            }
            return request;
        }

        Scenario scenario(long seed) {
            var scenario = Scenario.of(seed);
            return mutant.map(scenario::with).orElse(scenario);
        }
    }

    /// Exits with 0 if every scenario keeps every promise, 1 if one does not, 2 if the options are wrong.
    public static void main(String... args) {
        try {
            System.exit(run(Request.of(List.of(args))));
        } catch (IllegalArgumentException wrong) {
            System.err.println(
                    "sim: "
                            + wrong.getMessage()
                            + "\nusage: sim [--seeds N] [--from SEED] [--mutant NAME]\nmutants: "
                            + Arrays.toString(Mutant.values()));
            System.exit(USAGE);
        }
    }

    private static int run(Request request) {
        var codec = new JsonEventCodec();
        var began = System.nanoTime();
        var sum = Tally.NOTHING;
        for (var seed = request.from(); seed < request.from() + request.seeds(); seed++) {
            try {
                sum = sum.plus(Simulation.run(request.scenario(seed), codec));
            } catch (SimulationFailure failure) {
                var smallest = Shrinking.smallest(failure, codec);
                smallest.printStackTrace(System.out);
                System.out.println("\nFAILED  " + failure.scenario() + "\n  " + failure.finding());
                System.out.println(
                        "\nSMALLEST  " + smallest.scenario() + "\n  " + smallest.finding());
                System.out.println("\nAgain: ./artel sim --seeds 1 --from " + seed);
                return 1;
            }
        }
        var seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%d scenarios, %d jobs (%d finished), %d events in %d appends, %d crashes, %.0f h of"
                        + " virtual time in %.1f s: %.0f jobs/s, %.0f steps/s%n",
                request.seeds(),
                sum.jobs(),
                sum.finished(),
                sum.events(),
                sum.appends(),
                sum.crashes(),
                sum.virtualMillis() / 3.6e6,
                seconds,
                sum.jobs() / seconds,
                sum.steps() / seconds);
        return 0;
    }
}
