package dev.artel.blueprint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a class as a blueprint whose handlers are its methods with [StateHandler]; [Blueprint#annotated] makes a blueprint of it.
/// Compile it with `-parameters`.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface BlueprintDefinition {
    /// The name under which jobs are submitted.
    String name();

    /// The author's word; a change of the graph deserves a new one.
    String version() default "1";

    /// What jobs must be submitted with; [Record]: anything.
    Class<? extends Record> initialData() default Record.class;

    /// The names of the values of the job's data for which handlers have a parameter.
    String[] data() default {};

    /// The names of its data stores.
    String[] dataStores() default {};

    /// The states without a handler in which a job has finished.
    String[] ends() default {};

    /// The states without a handler in which a job has failed.
    String[] failedEnds() default {};

    /// The states without a handler in which a branch of a fork has ended, well.
    String[] branchEnds() default {};

    /// The state that handles a cancel, once its workers and children have given up; empty: a cancel ends the job.
    String onCancel() default "";

    /// What keeps its jobs from going on forever.
    GuardLimits guards() default @GuardLimits;
}
