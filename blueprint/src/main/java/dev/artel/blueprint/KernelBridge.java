package dev.artel.blueprint;

import dev.artel.blueprint.function.CallCompensation;
import dev.artel.blueprint.function.CompensatedWork;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Action.RunBlueprint;
import dev.artel.kernel.store.JsonDataStore;
import dev.artel.kernel.task.TaskSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// How the packages of this module that make definitions of the kernel get at what authors write. Not for authors.
public final class KernelBridge {
    private KernelBridge() {}

    /// What a handler of an annotated class sees of `step`.
    ///
    /// @param joining the states that join what lists of calls have run
    public static <I> Step<I> step(
            dev.artel.kernel.blueprint.Step step, ValueType<I> input, Collection<String> joining) {
        return new Step<>(step, input, Joins.in(joining));
    }

    /// `action`, of tasks or of children, which `state` compensates.
    public static Action compensated(Action action, String state) {
        return CompensatedWork.compensated(action, state);
    }

    /// How the tasks ended that the state of `step` joins or compensates.
    public static List<dev.artel.kernel.task.TaskResult> tasks(
            dev.artel.kernel.blueprint.Step step) {
        return CompensatedWork.tasks(step);
    }

    /// How the children ended that the state of `step` joins or compensates.
    public static List<dev.artel.kernel.blueprint.ChildResult> children(
            dev.artel.kernel.blueprint.Step step) {
        return CompensatedWork.children(step);
    }

    /// As [Step#failures].
    public static List<Failure> failures(dev.artel.kernel.blueprint.Step step) {
        return Failure.of(step);
    }

    /// The task that `call` asks for.
    public static TaskSpec task(TaskCall<?> call) {
        return call.task();
    }

    /// What compensates `call`.
    public static Optional<CallCompensation> compensation(TaskCall<?> call) {
        return call.compensation();
    }

    /// What compensates `call`.
    public static Optional<CallCompensation> compensation(ChildCall<?> call) {
        return call.compensation();
    }

    /// What makes a value of what the worker sent.
    public static <R> Function<JsonValue, R> result(TaskCall<R> call) {
        return call.result();
    }

    /// What makes a value of the result of the child.
    public static <R> Function<JsonValue, R> result(ChildCall<R> call) {
        return call.result();
    }

    /// The name of the blueprint of `call`.
    public static String blueprint(ChildCall<?> call) {
        return call.blueprint();
    }

    /// The initial data of the child.
    public static JsonObject input(ChildCall<?> call) {
        return call.input();
    }

    /// The options of the child.
    public static UnaryOperator<RunBlueprint> change(ChildCall<?> call) {
        return call.change();
    }

    /// Which clients may decide.
    public static Approvers approvers(ApprovalCall<?> question) {
        return question.deciders().kernel();
    }

    /// The values of `type` in `store`.
    public static <V> DataStore<V> dataStore(JsonDataStore store, ValueType<V> type) {
        return new DataStore<>(store, type);
    }

    /// How a task ended, with the value that `reading` makes of what the worker sent.
    public static <R> TaskResult<R> taskResult(
            dev.artel.kernel.task.TaskResult result, Function<JsonValue, R> reading) {
        return TaskResults.of(result, reading);
    }

    /// How a child ended, with the value that `reading` makes of its result.
    public static <O> ChildResult<O> childResult(
            dev.artel.kernel.blueprint.ChildResult child, Function<JsonValue, O> reading) {
        return ChildResult.of(child, reading);
    }
}
