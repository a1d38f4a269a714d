package dev.artel.engine.shell;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.BreakerPolicy;
import dev.artel.kernel.fleet.CircuitBreaker;
import dev.artel.kernel.fleet.Reputation.Outcome;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.fleet.WorkerProfile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The circuit breakers of the workers on wires that have them: what an open one takes from the profile of its worker. Kept in
/// memory: after a restart all are closed. Safe for use by many threads.
final class CircuitBreakers {
    private static final Logger LOG = LoggerFactory.getLogger(CircuitBreakers.class);

    /// Of each wire that has breakers.
    private volatile Map<String, BreakerPolicy> policies = Map.of();

    /// What holds for each worker that was seen on such a wire.
    private final ConcurrentMap<WorkerId, BreakerPolicy> guarded = new ConcurrentHashMap<>();

    /// Those that remember a failure.
    private final ConcurrentMap<WorkerId, CircuitBreaker> breakers = new ConcurrentHashMap<>();

    private final LongAdder opened = new LongAdder();

    void guard(Map<String, BreakerPolicy> byWire) {
        policies = Map.copyOf(byWire);
    }

    /// A worker is there, or has changed.
    ///
    /// @return what placement may see of it
    WorkerProfile joined(WorkerProfile profile, Instant now) {
        var policy = policies.get(profile.wire());
        if (policy != null) {
            guarded.put(profile.id(), policy);
        }
        return switch (find(profile.id(), now).state()) {
            case CLOSED -> profile;
            case OPEN ->
                    switch (profile.availability()) {
                        case READY, BUSY -> profile.with(Availability.SUSPENDED);
                        case SUSPENDED, DRAINING, UNHEALTHY -> profile;
                    };
            case HALF_OPEN -> {
                var slots = profile.slots();
                yield profile.with(new Slots(1, slots.categories(), slots.limits()));
            }
        };
    }

    /// A worker is gone. What it failed at is remembered: it may come back.
    void left(WorkerId worker) {
        if (!breakers.containsKey(worker)) {
            guarded.remove(worker);
        }
    }

    /// An attempt has ended.
    ///
    /// @return whether the worker is to be placed otherwise
    boolean ended(WorkerId worker, Outcome outcome, Instant now) {
        var policy = guarded.get(worker);
        if (policy == null) {
            return false;
        }
        var states = new ArrayList<CircuitBreaker.State>(2);
        breakers.compute(
                worker,
                (_, known) -> {
                    var before = known == null ? CircuitBreaker.CLOSED : known.at(now);
                    var after = before.after(outcome, policy, now);
                    states.add(before.state());
                    states.add(after.state());
                    if (after.openings() > before.openings()) {
                        report(worker, after);
                    }
                    return after.isClean() ? null : after;
                });
        return states.getFirst() != states.getLast();
    }

    private void report(WorkerId worker, CircuitBreaker breaker) {
        opened.increment();
        LOG.atWarn()
                .addKeyValue("worker", worker)
                .addKeyValue("failures", breaker.failures())
                .addKeyValue("until", breaker.until())
                .log("the attempts of a worker failed one after another; it gets no tasks for now");
    }

    /// Takes note of the time.
    ///
    /// @return the workers whose suspension has ended since
    List<WorkerId> look(Instant now) {
        var over = new ArrayList<WorkerId>();
        for (var worker : breakers.keySet()) {
            breakers.computeIfPresent(
                    worker,
                    (_, before) -> {
                        var after = before.at(now);
                        if (after.state() != before.state()) {
                            over.add(worker);
                        }
                        return after;
                    });
        }
        return over;
    }

    CircuitBreaker find(WorkerId worker, Instant now) {
        return breakers.getOrDefault(worker, CircuitBreaker.CLOSED).at(now);
    }

    /// The breaker of a worker; empty if it has none.
    Optional<CircuitBreaker> guardOf(WorkerId worker, Instant now) {
        return guarded.containsKey(worker) ? Optional.of(find(worker, now)) : Optional.empty();
    }

    /// Closes a breaker.
    ///
    /// @return whether it was not
    boolean close(WorkerId worker) {
        return breakers.remove(worker) != null;
    }

    /// Forgets those of workers that are gone and whose suspensions ended before then.
    void tidy(Set<WorkerId> present, Instant before) {
        new LinkedHashMap<>(breakers)
                .forEach((worker, breaker) -> {
                    if (!present.contains(worker) && breaker.until().isBefore(before)) {
                        breakers.remove(worker, breaker);
                        guarded.remove(worker);
                    }
                });
    }

    /// How many workers are suspended.
    int open() {
        return (int)
                breakers.values().stream()
                        .filter(one -> one.state() == CircuitBreaker.State.OPEN)
                        .count();
    }

    /// How often a breaker opened.
    long opened() {
        return opened.sum();
    }
}
