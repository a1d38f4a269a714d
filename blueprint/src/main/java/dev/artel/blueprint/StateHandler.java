package dev.artel.blueprint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a method of a [BlueprintDefinition] as a handler of a state.
///
/// ```java
/// @StateHandler(value = "send", resultAs = "parcel", leadsTo = "count")
/// TaskCall<Parcel> send(Order initialData) {
///     return TaskCall.of(SEND_ORDER, initialData);
/// }
/// ```
///
/// It returns a [TaskCall] or a [ChildCall], which is run, with the outcomes of [#on]; or a list of either, which are run
/// together, and [#leadsTo] names the state that joins them; or an [ApprovalCall], a [SignalCall] or a [SleepCall], which is waited for; or a
/// [ForkCall], whose branches are joined like a list, or the [BranchEnd] of one of them; or a [StartCall], a job that lives by itself; or a
/// [NewRun] of its own job; or a [String], the state to go to; or a record, a `JsonObject` or nothing, which is added to the job's data before
/// it goes to the only state of [#leadsTo], or finishes with it where there is none.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface StateHandler {
    /// The name of the state.
    String value();

    /// Whether jobs begin here.
    boolean start() default false;

    /// The condition under which this handler runs, in CEL; empty: where no other one's condition holds. A state that only
    /// chooses the next one is a [ChoiceState], without a method.
    String when() default "";

    /// Where its condition stands among those of the state, lowest first. Needed where there are several, since
    /// the methods of a class have no order.
    int order() default 0;

    /// The states to which it may lead, beside those of [#on] and [#otherwise]. One that returns a task, a child or a signal leads to the
    /// only one when that has succeeded, finished or come, and so does one that returns time or a job when that has passed or begun; one that
    /// returns a list or a fork, when all are joined. A new run begins there.
    String[] leadsTo() default {};

    /// Whether the handlers of the state only compute, so that they may run before what leads to them is durable;
    /// all handlers of a state have the same value.
    boolean pure() default false;

    /// How often a handler of the state runs in one visit if it fails, the first time included; 0: as the guards set. All
    /// handlers of a state have the same value.
    int attempts() default 0;

    /// How long a run of a handler of the state may take, such as `PT30S`; empty: as the guards set. All handlers
    /// of a state have the same value.
    String handlerTime() default "";

    /// Which state follows which other outcome of the task or the child that it returns, or which choice of the approval; `timeout` where
    /// nobody came in time.
    On[] on() default {};

    /// The states in which the branches of the [ForkCall] that it returns may begin.
    String[] branches() default {};

    /// The name under which the job's data keep the result of the task or the child that it returns; parameters of later handlers
    /// have that name and the type of the result. Empty: the members of a task's result are added to the data themselves.
    String resultAs() default "";

    /// The state that compensates what the tasks or children did that it returns, if the job fails or is cancelled after them. Its handlers
    /// get the results under the names that they have in the job's data, those of a list as `results` or `children`; it, or one to
    /// which it leads, ends its branch. Empty: they are compensated as the calls define.
    String compensatedBy() default "";

    /// How many tasks or children of the list that it returns are open at once; 0: the default.
    int window() default 0;

    /// When those of the list, or the branches of the fork, are joined.
    Policy policy() default Policy.ALL;

    /// As soon as so many have succeeded they are joined, and the rest is withdrawn; 0: as [#policy] sets.
    int atLeast() default 0;

    /// The state that follows when the policy cannot be met; empty: the job is quarantined or fails.
    String otherwise() default "";

    /// When several tasks or children are joined.
    enum Policy {
        /// When all have succeeded.
        ALL,
        /// As [#ALL]; the first failure withdraws the rest.
        FAIL_FAST,
        /// When all have ended, however.
        SETTLED
    }
}
