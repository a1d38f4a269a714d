package dev.artel.blueprint;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Which state follows an outcome of a task; see [StateHandler#on].
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface On {
    /// The worker's word, or `failed`, `timeout` or `cancelled`.
    String value();

    /// The state that follows.
    String state();
}
