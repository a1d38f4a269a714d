package dev.artel.kernel.job;

import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;

/// What a person does about a quarantined job.
public sealed interface QuarantineAction {
    /// What it did, as events and messages name it.
    String text();

    /// What failed is tried again with all its tries: the task for which branch 0 waited, or else the handler.
    record Release() implements QuarantineAction {
        @Override
        public String text() {
            return "released";
        }
    }

    /// The handler of the state runs again.
    ///
    /// @param changes of the job's data, made before
    record Retry(JobData changes) implements QuarantineAction {
        @Override
        public String text() {
            return "retried";
        }
    }

    /// What failed counts as done: a task with a word and a result, several tasks or branches as joined.
    ///
    /// @param status the word that chooses the next state of a single task
    /// @param result added to the job's data as that of a task is
    record Skip(String status, Payload result) implements QuarantineAction {
        @Override
        public String text() {
            return "skipped";
        }
    }

    /// The job has failed, for good.
    record Discard(String reason) implements QuarantineAction {
        /// Cuts a reason that is too long.
        public Discard {
            reason = ReasonText.bounded(reason);
        }

        @Override
        public String text() {
            return "discarded";
        }
    }
}
