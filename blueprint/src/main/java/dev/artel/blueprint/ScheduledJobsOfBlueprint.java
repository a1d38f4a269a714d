package dev.artel.blueprint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Several [ScheduledJob]s of one class; written by the compiler.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ScheduledJobsOfBlueprint {
    /// All of them.
    ScheduledJob[] value();
}
