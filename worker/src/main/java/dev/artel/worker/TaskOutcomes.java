package dev.artel.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.protocol.TaskOutcome;
import dev.artel.worker.RunningTask.Wanted;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the end of a handler means to the orchestrator.
final class TaskOutcomes {
    private static final Logger LOG = LoggerFactory.getLogger(TaskOutcomes.class);

    private TaskOutcomes() {}

    /// The handler returned; it counts although the task may have been cancelled meanwhile.
    static TaskOutcome of(@Nullable Result result) {
        var given = result == null ? Result.success() : result;
        return new TaskOutcome.Succeeded(given.status(), given.data());
    }

    static TaskOutcome of(Throwable thrown, RunningTask task) {
        if (task.wanted() == Wanted.CANCELLED) {
            return new TaskOutcome.CancelledByWorker();
        }
        return switch (thrown) {
            case PermanentFailure failure ->
                    new TaskOutcome.Failed(TaskOutcome.PERMANENT_ERROR, message(failure));
            case InvalidInput failure ->
                    new TaskOutcome.Failed(TaskOutcome.INVALID_INPUT_ERROR, message(failure));
            default -> {
                LOG.atWarn()
                        .addKeyValue("type", task.type())
                        .addKeyValue("job", task.jobId())
                        .addKeyValue("task", task.taskId())
                        .setCause(thrown)
                        .log("handler failed");
                yield new TaskOutcome.Failed(TaskOutcome.TRANSIENT_ERROR, message(thrown));
            }
        };
    }

    /// What to report to the orchestrator; halves of surrogate pairs, which cannot be sent, are replaced.
    private static String message(Throwable thrown) {
        var message = thrown.getMessage();
        return message == null || message.isBlank()
                ? thrown.getClass().getName()
                : new String(message.getBytes(UTF_8), UTF_8);
    }
}
