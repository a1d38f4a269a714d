package dev.artel.engine.core;

import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import java.util.List;
import java.util.Optional;

/// What a [JobsCore] takes in.
public sealed interface JobsInput {
    /// What is about one job.
    sealed interface OfJob extends JobsInput {
        /// The job that it is about.
        JobId job();
    }

    /// Memory is short: jobs that are idle leave it, until those that stay take a quarter of their room.
    record Spare() implements JobsInput {}

    /// A command.
    ///
    /// @param requestId names the caller that waits for the reply; [#NO_REPLY] where none waits
    record Given(JobId job, JobCommand command, long requestId) implements OfJob {
        /// No caller waits for the reply.
        public static final long NO_REPLY = 0;
    }

    /// The command that begins a job whose name was never used.
    record Begun(JobId job, JobCommand.Submit command, long requestId) implements OfJob {}

    /// The fold of what the store has, as asked for by [JobsOutput.Load].
    ///
    /// @param kept up to which version a fold is kept; 0: none is
    record Loaded(JobState state, long kept) implements OfJob {
        /// A job of which no fold is kept.
        public Loaded(JobState state) {
            this(state, 0);
        }

        @Override
        public JobId job() {
            return state.id();
        }
    }

    /// The store could not be read; it is tried again.
    record LoadFailed(JobId job, String detail) implements OfJob {}

    /// A job that was open when the engine started, and what it asks for is to be done.
    ///
    /// @param kept up to which version a fold is kept; 0: none is
    record Recovered(JobState state, long kept) implements OfJob {
        /// A job of which no fold is kept.
        public Recovered(JobState state) {
            this(state, 0);
        }

        @Override
        public JobId job() {
            return state.id();
        }
    }

    /// The dispatcher's answer to [JobsOutput.Reserve].
    record Reserved(JobId job, List<JobCommand.Grant> grants) implements OfJob {
        /// Copies `grants`.
        public Reserved {
            grants = List.copyOf(grants);
        }
    }

    /// The answer to [JobsOutput.RunAhead].
    ///
    /// @param outcome empty: it is not known yet, and the step is to be run like any other
    record RanAhead(JobId job, Optional<JobCommand> outcome) implements OfJob {}

    /// How is the job? Answered by [JobsOutput.Seen].
    ///
    /// @param requestId names the question
    record Look(JobId job, long requestId) implements OfJob {}

    /// Send again what the job asks for: a holder may have lost it. A job that is busy sends nothing.
    record Repeat(JobId job) implements OfJob {}

    /// The append in flight is durable.
    record Committed(JobId job) implements OfJob {}

    /// The append in flight failed, or its outcome is unknown.
    record AppendFailed(JobId job, String detail) implements OfJob {}

    /// The append in flight cannot be written, now or ever, and was not.
    record AppendRefused(JobId job, String detail) implements OfJob {}
}
