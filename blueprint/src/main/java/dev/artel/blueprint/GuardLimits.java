package dev.artel.blueprint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What keeps the jobs of a [BlueprintDefinition] from going on forever; typed states and functions set the same by [JobGuards].
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface GuardLimits {
    /// How many states a job may enter.
    int transitions() default 10_000;

    /// How often a handler that fails runs in one visit of its state, the first time included, unless [StateHandler#attempts]
    /// sets another number.
    int attempts() default 4;

    /// How long a run of a handler may take, such as `PT30S`, unless [StateHandler#handlerTime] sets another time.
    String handlerTime() default "PT10M";

    /// How many events a job may have.
    int history() default 1_000_000;

    /// How many states a job and its descendants may enter together.
    int treeSteps() default 1_000;

    /// How many generations may descend from a job; 0: no children.
    int treeDepth() default 10;

    /// How long compensation may take, such as `PT1H`.
    String compensationTimeout() default "PT1H";
}
