package dev.artel.simulation.judges;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.simulation.world.Sharing;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The part of the [Ledger] that judges whether tasks keep to the limits that they share: of the leases with a key there are
/// never more, durably, than the largest limit allows that one of them has.
///
/// An attempt that has asked something goes on without a new grant, and so past its limits; it counts no more.
final class SharedLimitInvariants {
    private final World world;
    private final Sharing sharing;
    private final Map<String, Set<LeaseToken>> live = new HashMap<>();
    private final Map<LeaseToken, Lease> leases = new HashMap<>();
    private final Set<LeaseToken> parked = new HashSet<>();

    SharedLimitInvariants(World world, Sharing sharing) {
        this.world = world;
        this.sharing = sharing;
    }

    /// A lease that is live, or lingers until its worker has given up.
    private static final class Lease {
        final TaskOutline task;
        final Map<String, Integer> limits;

        /// How many effects ask for it to be held.
        int holds;

        Lease(TaskOutline task, Map<String, Integer> limits) {
            this.task = task;
            this.limits = limits;
        }
    }

    /// An event is durable, and changes this.
    void judge(JobEvent event, Jobs.Evolution evolution) {
        for (var effect : evolution.asked()) {
            switch (effect) {
                case Effect.HoldLease hold -> hold(hold.lease().token(), hold.outline());
                case Effect.Revoke revoke -> hold(revoke.lease().token(), revoke.outline());
                case Effect.HoldParked park -> parked.add(park.lease().token());
                default -> {
                    // takes up nothing
                }
            }
        }
        for (var effect : evolution.ended()) {
            switch (effect) {
                case Effect.HoldLease hold -> release(hold.lease().token());
                case Effect.Revoke revoke -> release(revoke.lease().token());
                default -> {
                    // takes up nothing
                }
            }
        }
        if (event instanceof JobEvent.LeaseGranted granted) {
            check(granted.lease().token(), event);
        }
    }

    private void hold(LeaseToken token, TaskOutline task) {
        var lease = leases.get(token);
        if (lease == null) {
            lease = new Lease(task, limits(task));
            leases.put(token, lease);
            if (!parked.contains(token)) {
                for (var key : lease.limits.keySet()) {
                    live.computeIfAbsent(key, _ -> new HashSet<>()).add(token);
                }
            }
        }
        lease.holds++;
    }

    private void release(LeaseToken token) {
        var lease = leases.get(token);
        if (lease != null && --lease.holds == 0) {
            leases.remove(token);
            for (var key : lease.limits.keySet()) {
                live.getOrDefault(key, new HashSet<>()).remove(token);
            }
        }
    }

    /// For each key that `task` has how many may be with workers at once, by the task and by the settings together.
    private Map<String, Integer> limits(TaskOutline task) {
        var limits = new HashMap<String, Integer>();
        for (var key : keysOfAll(task)) {
            limits.put(key, sharing.most(key));
        }
        for (var limit : task.limits()) {
            limits.put(
                    limit.key(),
                    Math.min(
                            limit.concurrent().orElse(Integer.MAX_VALUE),
                            sharing.most(limit.key())));
        }
        return limits;
    }

    /// The keys that a task has by itself, as far as settings limit them.
    private List<String> keysOfAll(TaskOutline task) {
        var keys = new ArrayList<String>(2);
        for (var key :
                List.of(
                        SharedLimit.OF_TYPE + task.type(),
                        SharedLimit.OF_BLUEPRINT + task.blueprint())) {
            if (sharing.isLimited(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    private void check(LeaseToken token, JobEvent event) {
        var lease = leases.get(token);
        if (lease == null) {
            return;
        }
        lease.limits.forEach((key, own) -> {
            var together = live.getOrDefault(key, Set.of());
            if (together.size() > own && together.size() > largest(key, together)) {
                throw world.failure(
                        together.size()
                                + " leases with the key "
                                + key
                                + " are live, and none of their tasks allows so many: "
                                + together.stream().map(it -> it + " " + taskOf(it)).toList()
                                + ", after "
                                + event);
            }
        });
    }

    private int largest(String key, Set<LeaseToken> together) {
        var largest = 0;
        for (var token : together) {
            var lease = leases.get(token);
            if (lease != null) {
                largest = Math.max(largest, lease.limits.getOrDefault(key, 0));
            }
        }
        return largest;
    }

    private TaskOutline taskOf(LeaseToken token) {
        var lease = leases.get(token);
        if (lease == null) {
            throw new IllegalStateException("lease " + token + " counts and is not held");
        }
        return lease.task;
    }
}
