package dev.artel.kernel.attempt;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.question.OpenQuestion;
import dev.artel.kernel.timer.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Where the current attempt of an open task stands.
public sealed interface Attempt {
    /// The number of the attempt, from 1.
    int attempt();

    /// The question that stops it; empty if none does.
    default Optional<OpenQuestion> asked() {
        return Optional.empty();
    }

    /// Waits for a worker.
    ///
    /// @param offer the effect that asks for a worker
    /// @param notBefore carries the backoff
    /// @param deadline when the wait is too long; empty: never
    /// @param withheld whether no worker is asked, because the budget of its job does not have room for it now
    record Queued(
            int attempt,
            EffectId offer,
            Instant notBefore,
            Optional<Timer> deadline,
            boolean withheld)
            implements Attempt {
        /// One for which a worker is asked.
        public Queued(int attempt, EffectId offer, Instant notBefore, Optional<Timer> deadline) {
            this(attempt, offer, notBefore, deadline, false);
        }

        /// The same attempt, for which another effect asks.
        public Queued offeredBy(EffectId other) {
            return new Queued(attempt, other, notBefore, deadline);
        }

        /// The same attempt, for which no worker is asked.
        public Queued heldBack() {
            return new Queued(attempt, offer, notBefore, deadline, true);
        }
    }

    /// A worker has it.
    sealed interface Held extends Attempt {
        /// The right of the worker.
        Lease lease();

        @Override
        default int attempt() {
            return lease().attempt();
        }
    }

    /// A worker runs it.
    ///
    /// @param hold the effect that keeps the lease
    /// @param timeout the timer for an attempt that runs too long
    /// @param priority that of its job when it began; a later one is for attempts to come
    record Leased(EffectId hold, Lease lease, Timer timeout, double priority) implements Held {}

    /// Its worker waits for the answer to a question, and does something else meanwhile.
    ///
    /// @param hold the effect that keeps the lease
    /// @param left how long the attempt may run when it has its answer
    /// @param question what the worker wants to know
    record Parked(EffectId hold, Lease lease, Duration left, OpenQuestion question)
            implements Held {
        @Override
        public Optional<OpenQuestion> asked() {
            return Optional.of(question);
        }
    }

    /// Its worker is gone, and its question still waits for an answer: before, another attempt would only ask again.
    ///
    /// @param last under which it was asked
    record Unanswered(Lease last, OpenQuestion question) implements Attempt {
        @Override
        public int attempt() {
            return last.attempt();
        }

        @Override
        public Optional<OpenQuestion> asked() {
            return Optional.of(question);
        }
    }
}
