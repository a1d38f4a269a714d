package dev.artel.worker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a method that does a type of task. It takes the parameters, a [TaskContext], both or nothing, and
/// gives a [Result], a record, a JSON value or nothing.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Handles {
    /// The task type.
    String value();

    /// The category whose limit counts; none if empty.
    String category() default "";
}
