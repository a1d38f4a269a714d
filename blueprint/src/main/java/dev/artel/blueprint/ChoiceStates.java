package dev.artel.blueprint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Several [ChoiceState]s; the compiler writes it.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ChoiceStates {
    /// The states, in the order of the source.
    ChoiceState[] value();
}
