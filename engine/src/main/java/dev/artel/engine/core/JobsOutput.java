package dev.artel.engine.core;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.store.Append;
import java.util.List;
import java.util.OptionalLong;

/// What a [JobsCore] wants done, in order.
public sealed interface JobsOutput {
    /// Read a job and give it back as [JobsInput.Loaded].
    record Load(JobId job) implements JobsOutput {}

    /// Ask the dispatcher which of these offers a worker can have at this moment.
    record Reserve(JobId job, List<Effect.Offer> offers) implements JobsOutput {}

    /// Run the step of a pure state now, before what asks for it is durable; report once and soon as
    /// [JobsInput.RanAhead] its outcome.
    ///
    /// @param job the job as it is to become
    record RunAhead(Job job, Effect.RunStep step) implements JobsOutput {}

    /// Append, and report the outcome; at most one for each job is under way.
    record Write(JobId job, Append append) implements JobsOutput {}

    /// Answer the caller that waits; what the answer depends on is durable.
    record Answer(long requestId, CommandReply reply) implements JobsOutput {}

    /// Effects that are newly pending, and effects that no longer are; both are durable.
    ///
    /// @param job the job as it is committed
    record Effects(Job job, List<Effect> asked, List<Effect> ended) implements JobsOutput {}

    /// All that a job asks for, no more and no less: after a start, or when it is not known what was durable.
    ///
    /// @param state the job as it is committed
    record AllPending(JobState state, List<Effect> pending) implements JobsOutput {}

    /// Events are durable.
    ///
    /// @param events none where an append of unknown outcome turned out to be durable; then read the job
    /// @param job the job as it is committed
    record Happened(Job job, List<JobEvent> events) implements JobsOutput {}

    /// What is durable of a job that is in memory, before anything that depends on it.
    record Current(Job job) implements JobsOutput {}

    /// A job is no longer in memory, or what it has there is not what is durable.
    record Forgotten(JobId job) implements JobsOutput {}

    /// Much has happened since a fold of the job was last kept: keep this one, which is durable. Losing it costs time alone.
    record Keep(Job job, long bytes) implements JobsOutput {}

    /// The answer to [JobsInput.Look].
    ///
    /// @param version of the job in memory; empty if it is not there
    /// @param isBusy whether something of it is under way
    record Seen(long requestId, OptionalLong version, boolean isBusy) implements JobsOutput {}

    /// A grant that the dispatcher made came to nothing.
    record GrantLapsed(LeaseToken token) implements JobsOutput {}

    /// A job could not be read, and goes on being read: none of its tasks is to be given to a worker until [AllPending] says
    /// again what it asks for.
    record Unreadable(JobId job) implements JobsOutput {}

    /// Deciding on a command failed, which is a bug of a rule. The job is as it was.
    record Broken(JobId job, JobCommand command, RuntimeException bug) implements JobsOutput {}
}
