package dev.artel.blueprint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// A run of a [DurableFunction]: all that it gets from outside comes from here, is recorded in the history of its job, and is the same
/// whenever the code is run again. Only for the thread of the function.
///
/// Each call throws [CallFailed] for what did not succeed, and [RunCancelled] where the job was cancelled meanwhile. Where values are to be
/// JSON, their type is one of `dev.artel.json`: `Signal.of("paid", JsonValue.class)`, `TaskCall.of("resize", json)`.
///
/// @param <I> what the job was submitted with
public interface Run<I> {
    /// The id of the job.
    String job();

    /// What the job was submitted with, also in a run that [#continueAsNew] has begun.
    I initialData();

    /// Has a task of type `type` done and waits for its result.
    default <P, R> R call(TaskType<P, R> type, P params) {
        return call(TaskCall.of(type, params));
    }

    /// Has a task done and waits for its result.
    default <R> R call(TaskCall<R> task) {
        return async(task).get();
    }

    /// Has a task of type `type` done, and goes on meanwhile.
    default <P, R> Promise<R> async(TaskType<P, R> type, P params) {
        return async(TaskCall.of(type, params));
    }

    /// Has a task done, and goes on meanwhile.
    <R> Promise<R> async(TaskCall<R> task);

    /// Has a task done for each of `items`, at most `window` at once, and waits for all of them.
    ///
    /// @param task makes the task of an item; each is compensated with its own result, or all by the compensation of the first one,
    ///             whose parameters are known before
    /// @return the results in the order of the items
    /// @throws CallFailed for the first one that failed, when all have ended
    <T, R> List<R> map(List<T> items, int window, Function<? super T, TaskCall<R>> task);

    /// Runs a job of the blueprint `type` and waits for its result.
    default <C, O> O child(BlueprintType<C, O> type, C input) {
        return child(ChildCall.of(type, input));
    }

    /// Runs a job of another blueprint and waits for its result.
    default <R> R child(ChildCall<R> child) {
        return asyncChild(child).get();
    }

    /// Runs a job of another blueprint, and goes on meanwhile.
    <R> Promise<R> asyncChild(ChildCall<R> child);

    /// Runs a child for each of `items`, at most `window` at once, and waits for all of them. They are of one blueprint, and have the
    /// options of the first one. Each is compensated with its own result, or all by the compensation of the first one.
    ///
    /// @return the results in the order of the items
    /// @throws CallFailed for the first one that did not finish, when all have ended
    <T, R> List<R> mapChildren(List<T> items, int window, Function<? super T, ChildCall<R>> child);

    /// Starts a job of another blueprint that lives by itself, and waits until it has begun.
    void start(ChildCall<?> child);

    /// Waits for `time`.
    default void sleep(Duration time) {
        var _ = timer(time).get();
    }

    /// Is done after `time`.
    Promise<Boolean> timer(Duration time);

    /// Waits for a signal and returns what it brings.
    default <T> T signal(Signal<T> signal) {
        return asyncSignal(signal).get();
    }

    /// Waits for a signal, at most for `time`; empty if it did not come.
    default <T> Optional<T> signal(Signal<T> signal, Duration time) {
        return asyncSignal(signal, time).get();
    }

    /// Waits for a signal beside the function.
    <T> Promise<T> asyncSignal(Signal<T> signal);

    /// Waits for a signal beside the function, at most for `time`; empty if it did not come.
    <T> Promise<Optional<T>> asyncSignal(Signal<T> signal, Duration time);

    /// Asks a person to approve or to reject, and waits for the decision.
    default ApprovalDecision<Verdict> approval(String message) {
        return approval(ApprovalCall.of(message));
    }

    /// Asks a person, and waits for the decision.
    ///
    /// @throws CallFailed with the code `OVERDUE` if no decision arrived in time
    default <C> ApprovalDecision<C> approval(ApprovalCall<C> question) {
        return asyncApproval(question).get();
    }

    /// Asks a person, and goes on meanwhile.
    <C> Promise<ApprovalDecision<C>> asyncApproval(ApprovalCall<C> question);

    /// Asks a person to approve, and fails the job with `reason` if they reject, or if no decision arrived in time.
    ///
    /// @throws RunFailed with `reason`
    default void requireApproval(ApprovalCall<Verdict> question, String reason) {
        ApprovalDecision<Verdict> decided;
        try {
            decided = approval(question);
        } catch (CallFailed overdue) {
            throw new RunFailed(reason);
        }
        if (decided.decision() == Verdict.REJECT) {
            throw new RunFailed(reason + " (rejected by " + decided.by() + ")");
        }
    }

    /// Waits for all of `promises`.
    ///
    /// @return their answers in that order
    /// @throws CallFailed for the first one that failed, when all have ended
    <R> List<R> all(List<? extends Promise<? extends R>> promises);

    /// Waits for both; see [#all(List)].
    default <R> List<R> all(Promise<? extends R> one, Promise<? extends R> two) {
        return all(List.<Promise<? extends R>>of(one, two));
    }

    /// Waits for all three; see [#all(List)].
    default <R> List<R> all(
            Promise<? extends R> one, Promise<? extends R> two, Promise<? extends R> three) {
        return all(List.<Promise<? extends R>>of(one, two, three));
    }

    /// Waits for one of `promises`, however it ends. The others go on until the function ends.
    ///
    /// @return the first of them that is done, in their order
    <P extends Promise<?>> P any(List<P> promises);

    /// Waits for one of both; see [#any(List)].
    default Promise<?> any(Promise<?> one, Promise<?> two) {
        return any(List.<Promise<?>>of(one, two));
    }

    /// What `effect` returns when it is first run: a record, or what else JSON can be bound to. It is recorded with what the function asks
    /// for next, so it may run again after a crash until then; what takes long or must be retried is a task.
    ///
    /// @param type the type of the value
    /// @throws IllegalArgumentException if JSON cannot be bound to `type`
    <T> T record(String name, Class<T> type, Supplier<? extends T> effect);

    /// The time, in milliseconds.
    Instant now();

    /// A random number from 0 (inclusive) to 1 (exclusive).
    double random();

    /// Which of several ways of doing something this job goes: `newest` where it comes here for the first time, and what it was then
    /// ever after. A job that came by before the code asked goes the way `oldest`.
    int version(String name, int oldest, int newest);

    /// Ends this run and begins a new one of the same job with `input`: nothing else is kept, and guards count anew. Await before what
    /// goes on beside the function: the job fails where something does.
    ///
    /// @return nothing: it throws what the function must let pass
    RuntimeException continueAsNew(I input);
}
