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

    /// More time than that between two heartbeats is time in which one of both stood still, and renewed nothing.
    private static final Duration BEAT = Duration.ofSeconds(10);

    private final World world;
    private final Map<WorkerId, Predicate<LeaseToken>> agents = new HashMap<>();

    /// For how many milliseconds nobody is at it, of the leases that were renewed last.
    private final Map<WorkerId, Map<LeaseToken, Long>> idle = new HashMap<>();

    private final Map<WorkerId, Long> renewed = new HashMap<>();

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
        var at = world.loop().now();
        var since = renewed.put(worker, at);
        var passed = since == null ? 0 : Math.min(at - since, BEAT.toMillis());
        var before = idle.getOrDefault(worker, Map.of());
        var now = new HashMap<LeaseToken, Long>();
        idle.put(worker, now);
        for (var token : tokens) {
            if (isAtWork.test(token)) {
                continue;
            }
            var known = before.get(token);
            var lasted = known == null ? 0 : known + passed;
            now.put(token, lasted);
            if (lasted > LONGEST.toMillis()) {
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
