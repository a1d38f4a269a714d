package dev.artel.blueprint;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Which state follows an outcome of a task or a choice of a person; see [StateHandler#on].
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface On {
    /// The task, the child or the job that lives by itself has failed for good.
    String FAILED = "failed";

    /// The time of the task is over, or nobody came in time.
    String TIMEOUT = "timeout";

    /// The task must not be done twice, and may have been.
    String UNKNOWN = "unknown";

    /// The job is being cancelled while it waits for the task; somebody has cancelled the child.
    String CANCELLED = "cancelled";

    /// The worker's word, or one of the constants of this type; the word of a choice.
    String value();

    /// The state that follows.
    String state();
}
