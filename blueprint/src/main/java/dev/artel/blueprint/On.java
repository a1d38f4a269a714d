package dev.artel.blueprint;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Which state follows an outcome of a task or a choice of a person; see [StateHandler#on].
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface On {
    /// The worker's word, or `failed`, `timeout` or `cancelled`; the word of a choice.
    String value();

    /// The state that follows.
    String state();
}
