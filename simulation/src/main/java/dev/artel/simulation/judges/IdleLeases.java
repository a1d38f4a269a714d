package dev.artel.simulation.judges;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Judges whether somebody is at work under each lease that is renewed: a slot that is taken forever, with nobody at it, is a task that
/// waits for nothing.
public final class IdleLeases {
    private static final Duration LONGEST = Duration.ofSeconds(50);

    private final World world;
    private final Map<WorkerId, Predicate<LeaseToken>> agents = new HashMap<>();

    /// Since when nobody is at it, for the leases that were renewed last.
    private final Map<WorkerId, Map<LeaseToken, Long>> idle = new HashMap<>();

    public IdleLeases(World world) {
        this.world = world;
    }

    /// Judges the leases of `agent`, which reports none of them itself.
    ///
    /// @param isAtWork whether its process that is there now has a task
    public void watch(WorkerId agent, Predicate<LeaseToken> isAtWork) {
        agents.put(agent, isAtWork);
    }

    /// The conversation renews leases.
    public void renews(WorkerId worker, List<LeaseToken> tokens) {
        var isAtWork = agents.get(worker);
        if (isAtWork == null) {
            return;
        }
        var before = idle.getOrDefault(worker, Map.of());
        var now = new HashMap<LeaseToken, Long>();
        idle.put(worker, now);
        for (var token : tokens) {
            if (isAtWork.test(token)) {
                continue;
            }
            long since = before.getOrDefault(token, world.loop().now());
            now.put(token, since);
            if (world.loop().now() - since > LONGEST.toMillis()) {
                throw world.failure(
                        token
                                + " of "
                                + worker
                                + " is renewed, and nobody is at it for "
                                + LONGEST);
            }
        }
    }
}
