package dev.artel.simulation.random;

import dev.artel.kernel.store.EventCodec;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import java.util.List;
import java.util.Optional;

/// Looks for the smallest scenario that still fails.
public final class Shrinking {
    private Shrinking() {}

    /// The failure of the smallest scenario that can be reached from that of `failure` by leaving out traits and jobs
    /// one by one.
    public static SimulationFailure smallest(SimulationFailure failure, EventCodec codec) {
        var best = failure;
        var smaller = Optional.of(best);
        while (smaller.isPresent()) {
            best = smaller.get();
            smaller = step(best.scenario(), codec);
        }
        return best;
    }

    private static Optional<SimulationFailure> step(Scenario scenario, EventCodec codec) {
        for (var jobs : List.of(1, scenario.jobs() / 2, scenario.jobs() - 1)) {
            if (jobs >= 1 && jobs < scenario.jobs()) {
                var failure = failureOf(scenario.withJobs(jobs), codec);
                if (failure.isPresent()) {
                    return failure;
                }
            }
        }
        for (var trait : scenario.traits()) {
            var failure = failureOf(scenario.without(trait), codec);
            if (failure.isPresent()) {
                return failure;
            }
        }
        return Optional.empty();
    }

    /// How `scenario` fails; empty if it does not.
    public static Optional<SimulationFailure> failureOf(Scenario scenario, EventCodec codec) {
        try {
            Simulation.run(scenario, codec);
            return Optional.empty();
        } catch (SimulationFailure failure) {
            return Optional.of(failure);
        }
    }
}
