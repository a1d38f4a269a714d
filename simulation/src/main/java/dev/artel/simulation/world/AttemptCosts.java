package dev.artel.simulation.world;

import dev.artel.kernel.attempt.LeaseToken;
import java.util.Optional;

/// What the attempts of a simulation cost: the same for a lease each time, also for the judges.
public final class AttemptCosts {
    private AttemptCosts() {}

    /// What the worker reports of the attempt under `lease`, in US dollars; empty: nothing.
    public static Optional<String> reported(World world, LeaseToken lease) {
        var chance = lease.value().hashCode() & 15;
        return world.has(Trait.BUDGETS) && chance < 12
                ? Optional.of("" + chance / 4 + "." + chance % 4)
                : Optional.empty();
    }
}
