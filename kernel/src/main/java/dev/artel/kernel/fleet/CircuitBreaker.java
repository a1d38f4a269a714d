package dev.artel.kernel.fleet;

import dev.artel.kernel.fleet.Reputation.Outcome;
import java.time.Instant;
import java.util.Locale;

/// Whether a worker gets tasks, by how its latest attempts ended.
///
/// @param failures how many attempts failed or were lost since the last success
/// @param openings how often it opened since the last success
/// @param until when the suspension ends, or ended; the epoch if there was none since the last success
public record CircuitBreaker(State state, int failures, int openings, Instant until) {
    /// Of a worker whose last attempt succeeded, or that had none.
    public static final CircuitBreaker CLOSED =
            new CircuitBreaker(State.CLOSED, 0, 0, Instant.EPOCH);

    /// How many tasks the worker gets.
    public enum State {
        /// As many as it has slots for.
        CLOSED,
        /// None.
        OPEN,
        /// One at a time, until one succeeds.
        HALF_OPEN;

        /// The word on wires.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Whether it has nothing to remember.
    public boolean isClean() {
        return state == State.CLOSED && failures == 0;
    }

    /// This breaker when an attempt has ended.
    public CircuitBreaker after(Outcome outcome, BreakerPolicy policy, Instant now) {
        var before = at(now);
        if (outcome == Outcome.SUCCEEDED) {
            // One that began before the suspension shows nothing of what the worker can do now.
            return before.state == State.OPEN ? before : CLOSED;
        }
        var more = before.failures == Integer.MAX_VALUE ? before.failures : before.failures + 1;
        return switch (before.state) {
            case OPEN -> new CircuitBreaker(State.OPEN, more, before.openings, before.until);
            case HALF_OPEN -> before.opened(more, policy, now);
            case CLOSED ->
                    more >= policy.failures()
                            ? before.opened(more, policy, now)
                            : new CircuitBreaker(State.CLOSED, more, 0, Instant.EPOCH);
        };
    }

    private CircuitBreaker opened(int more, BreakerPolicy policy, Instant now) {
        return new CircuitBreaker(
                State.OPEN, more, openings + 1, now.plus(policy.pauseAfter(openings)));
    }

    /// This breaker at a later time: half open when the suspension is over.
    public CircuitBreaker at(Instant now) {
        return state == State.OPEN && !until.isAfter(now)
                ? new CircuitBreaker(State.HALF_OPEN, failures, openings, until)
                : this;
    }
}
