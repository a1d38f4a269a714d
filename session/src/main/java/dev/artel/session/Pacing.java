package dev.artel.session;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Keeps a worker within limits that it never tells.
///
/// Workers of the first generations may take only so many tasks of some types at once. All that it says is that a type is missing from its
/// next heartbeat, 0.1 s after it has begun a task; what it was given meanwhile it begins as well. So after a hand-out
/// it gets nothing more before a heartbeat that counts the task, except what it is known to take without a limit: a
/// type that it would still take with all its slots but one full of it.
final class Pacing {
    /// A heartbeat may get lost, and a load that counts a task that never arrived never comes.
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Set<String> unlimited = new TreeSet<>();
    private Instant until = Instant.MIN;

    /// The worker was given tasks.
    void handedOut(Collection<String> types, Instant now) {
        if (!unlimited.containsAll(types)) {
            until = now.plus(PATIENCE);
        }
    }

    /// A heartbeat tells which types the worker would take now.
    ///
    /// @param holdings what it has, as far as is known here
    /// @param load how many tasks it says that it has
    void heard(List<String> available, int capacity, Holdings holdings, int load) {
        if (load >= capacity - 1) {
            for (var type : available) {
                if (holdings.count(type) >= capacity - 1) {
                    unlimited.add(type);
                }
            }
        }
        if (load >= holdings.size()) {
            until = Instant.MIN;
        }
    }

    boolean isWaiting(Instant now) {
        return until.isAfter(now);
    }

    /// The types that the worker may get now.
    List<String> among(List<String> available, Holdings holdings, Instant now) {
        return isWaiting(now) && holdings.size() > 0
                ? available.stream().filter(unlimited::contains).toList()
                : available;
    }
}
