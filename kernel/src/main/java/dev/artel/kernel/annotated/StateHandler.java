package dev.artel.kernel.annotated;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a method of a [BlueprintDefinition] as a handler of a state.
///
/// It returns a [dev.artel.kernel.blueprint.Action]; or a [dev.artel.kernel.task.TaskSpec], which is dispatched, with the
/// outcomes of [#on]; or a list of those, which are dispatched together, and [#leadsTo] names the state that joins
/// them; or a [String], the state to go to; or a record, a `JsonObject` or nothing, which is added to the job's data before
/// it goes to the only state of [#leadsTo], or finishes with it where there is none.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface StateHandler {
    /// The name of the state.
    String value();

    /// Whether jobs begin here.
    boolean start() default false;

    /// The condition under which this handler runs; empty: where no other one's condition holds.
    String when() default "";

    /// Where its condition stands among those of the state, lowest first. Needed where there are several, since
    /// the methods of a class have no order.
    int order() default 0;

    /// The states to which it may lead, beside those of [#on].
    String[] leadsTo() default {};

    /// Whether the handlers of the state only compute, as with [dev.artel.kernel.blueprint.Blueprint.Builder#pure];
    /// all handlers of a state say the same.
    boolean pure() default false;

    /// How often a handler of the state runs in one visit if it fails, the first time included, as with
    /// [dev.artel.kernel.blueprint.Blueprint.Builder#retry]; 0: as the guards say. All handlers of a state say the same.
    int attempts() default 0;

    /// How long a run of a handler of the state may take, as with
    /// [dev.artel.kernel.blueprint.Blueprint.Builder#handlerTime], such as `PT30S`; empty: as the guards say. All handlers
    /// of a state say the same.
    String handlerTime() default "";

    /// Which state follows which outcome of the task that it returns.
    On[] on() default {};
}
