package dev.artel.blueprint;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Which state follows where a condition holds; see [ChoiceState].
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface When {
    /// The condition, in CEL, over `initial_data`, `data` and `labels`.
    String value();

    /// The state that follows.
    String state();
}
