package dev.artel.schedule.rules;

import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A tick that was decided about, or a run that a person asked for.
///
/// @param number counts the runs of a schedule from 1
/// @param tick for which it runs; of a manual run when it was asked for
/// @param decided when
/// @param by who asked for it; empty: the clock
/// @param request under which a person asked for it, so that it is one run however often the request arrives
public record ScheduledRun(
        long number,
        Kind kind,
        Instant tick,
        Instant decided,
        Optional<String> by,
        Optional<String> request,
        Phase phase) {
    /// Why there is a run.
    public enum Kind {
        /// Its time has come.
        TICK,
        /// It was missed.
        CATCH_UP,
        /// A person asked for it.
        MANUAL,
        /// A person asked for the ticks of a time.
        BACKFILL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Where a run stands.
    public sealed interface Phase {
        /// It waits for the end of the runs before it.
        record Queued() implements Phase {}

        /// Its job is to be submitted, with the same key until there is an answer.
        ///
        /// @param attempts how many submissions were refused
        /// @param error of the last attempt; empty before the first
        /// @param notBefore of the next attempt
        /// @param cancels the jobs to cancel first
        /// @param isOpen whether the outcome of an attempt is unknown: its job may be there
        record Due(
                int attempts,
                Optional<String> error,
                Instant notBefore,
                List<JobId> cancels,
                boolean isOpen)
                implements Phase {
            /// Copies `cancels`.
            public Due {
                cancels = List.copyOf(cancels);
            }

            static Due at(Instant now, List<JobId> cancels) {
                return new Due(0, Optional.empty(), now, cancels, false);
            }
        }

        /// Its job is there and had not ended when it was last looked at.
        record Submitted(JobId job) implements Phase {}

        /// Its job has ended.
        ///
        /// @param status with which it ended; `deleted` if it is no longer kept
        record Ended(JobId job, String status) implements Phase {}

        /// It does not run.
        ///
        /// @param reason for people
        /// @param ticks how many ticks, of which that of the run is the last
        record Skipped(String reason, int ticks) implements Phase {}

        /// Its submission was refused, and is not tried again.
        record Refused(String error, int attempts) implements Phase {}
    }

    /// Whether it is before the end of its job.
    public boolean isActive() {
        return switch (phase) {
            case Phase.Due _, Phase.Submitted _ -> true;
            case Phase.Queued _, Phase.Ended _, Phase.Skipped _, Phase.Refused _ -> false;
        };
    }

    /// Whether something is still to be done for it here.
    boolean isPending() {
        return switch (phase) {
            case Phase.Due _, Phase.Queued _ -> true;
            case Phase.Submitted _, Phase.Ended _, Phase.Skipped _, Phase.Refused _ -> false;
        };
    }

    /// Its job, if there is one.
    public Optional<JobId> job() {
        return switch (phase) {
            case Phase.Submitted(var job) -> Optional.of(job);
            case Phase.Ended(var job, var _) -> Optional.of(job);
            case Phase.Due _, Phase.Queued _, Phase.Skipped _, Phase.Refused _ -> Optional.empty();
        };
    }

    /// The idempotency key of its job. One tick has one key, however it comes to run.
    public String key(String schedule) {
        return "schedule/" + schedule + "/" + (kind == Kind.MANUAL ? "run/" + number : tick);
    }

    ScheduledRun with(Phase other) {
        return new ScheduledRun(number, kind, tick, decided, by, request, other);
    }

    ScheduledRun under(Optional<String> other) {
        return new ScheduledRun(number, kind, tick, decided, by, other, phase);
    }
}
