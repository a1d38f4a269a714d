package dev.artel.engine.shell;

import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;

/// Brings commands to jobs, and their answers to the callers that wait. Safe for use by many threads.
final class CommandRouter implements ChildRelay.Post {
    /// When a command that got no answer may be sent again.
    static final Duration LATER = Duration.ofSeconds(1);

    private final Function<JobId, Partition> partitions;
    private final PendingReplies<CommandReply> pendingReplies;
    private final Duration answerLimit;

    /// @param partitions where a job is
    /// @param pendingReplies that the partitions answer
    CommandRouter(
            Function<JobId, Partition> partitions,
            PendingReplies<CommandReply> pendingReplies,
            Duration answerLimit) {
        this.partitions = partitions;
        this.pendingReplies = pendingReplies;
        this.answerLimit = answerLimit;
    }

    @Override
    public void send(JobId job, JobCommand command) {
        partitions.apply(job).put(new JobsInput.Given(job, command, JobsInput.Given.NO_REPLY));
    }

    /// As [#send], for the threads of authors' code: no part of the engine runs in the calling thread.
    void leave(JobId job, JobCommand command) {
        partitions.apply(job).leave(new JobsInput.Given(job, command, JobsInput.Given.NO_REPLY));
    }

    /// Waits for the answer, at most as long as an answer may take.
    CommandReply ask(JobId job, JobCommand command) {
        return ask(job, requestId -> new JobsInput.Given(job, command, requestId));
    }

    @Override
    public void ask(JobId job, JobCommand command, Consumer<CommandReply> onReply) {
        pendingReplies.ask(
                requestId ->
                        partitions.apply(job).put(new JobsInput.Given(job, command, requestId)),
                answerLimit,
                () -> noAnswer(job),
                onReply);
    }

    /// Sends the first command to a job that no other caller can know yet, and waits for the answer.
    CommandReply begin(JobId job, JobCommand.Submit command) {
        return ask(job, requestId -> new JobsInput.Begun(job, command, requestId));
    }

    private CommandReply ask(JobId job, LongFunction<JobsInput> question) {
        return pendingReplies.ask(
                requestId -> partitions.apply(job).put(question.apply(requestId)),
                answerLimit,
                () -> noAnswer(job));
    }

    private CommandReply.TryLater noAnswer(JobId job) {
        return new CommandReply.TryLater(
                LATER,
                "job "
                        + job
                        + " did not answer within "
                        + answerLimit
                        + "; the command may still be done, send it again");
    }
}
