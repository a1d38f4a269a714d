package dev.artel.blueprint;

import dev.artel.blueprint.function.CompensatedWork;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Unfit;
import dev.artel.kernel.blueprint.MissingValue;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a state gets to see of its job, typed by the constants of the blueprint. What is asked for and is not there, or does
/// not fit, quarantines the job: the message names what there is.
///
/// @param <I> what the job was submitted with
public final class Step<I> {
    private final dev.artel.kernel.blueprint.Step step;
    private final ValueType<I> input;
    private final Joins joins;

    Step(dev.artel.kernel.blueprint.Step step, ValueType<I> input, Joins joins) {
        this.step = step;
        this.input = input;
        this.joins = joins;
    }

    dev.artel.kernel.blueprint.Step kernel() {
        return step;
    }

    /// What the job was submitted with.
    public I input() {
        return read(input, step.initialData(), "input");
    }

    /// The result of the task of type `type`: of the last one, if there were several.
    public <R> R result(TaskType<?, R> type) {
        return result(type, type.name());
    }

    /// The result of the task of type `type` that was called [CallTask#as] `name`.
    public <R> R result(TaskType<?, R> type, String name) {
        return read(type.result(), needed(name), name);
    }

    /// The result of the task of type `type`; empty if there has been none so far.
    public <R> Optional<R> findResult(TaskType<?, R> type) {
        return step.data().get(type.name()).map(json -> read(type.result(), json, type.name()));
    }

    /// What the tasks of the fan-out that this state joins, or compensates, have brought: of those that succeeded, in their order.
    ///
    /// @throws IllegalStateException if this state joins no fan-out of `type`
    public <R> List<R> results(TaskType<?, R> type) {
        return taskResults(type).stream()
                .filter(TaskResult.Succeeded.class::isInstance)
                .map(one -> ((TaskResult.Succeeded<R>) one).value())
                .toList();
    }

    /// How the tasks of the fan-out that this state joins, or compensates, have ended, in their order.
    ///
    /// @throws IllegalStateException if this state joins no fan-out of `type`
    public <R> List<TaskResult<R>> taskResults(TaskType<?, R> type) {
        joins.check(step.state(), type);
        return CompensatedWork.tasks(step).stream()
                .map(one ->
                        TaskResults.of(
                                one,
                                data -> read(type.result(), data, type + "[" + one.index() + "]")))
                .toList();
    }

    /// What the children of type `type` that this state joins, or compensates, have brought: of those that finished, in their order.
    ///
    /// @throws IllegalStateException if this state joins no children of `type`
    public <O> List<O> results(BlueprintType<?, O> type) {
        return childResults(type).stream().flatMap(child -> child.result().stream()).toList();
    }

    /// How the children of type `type` that this state joins, or compensates, have ended, in their order.
    ///
    /// @throws IllegalStateException if this state joins no children of `type`
    public <O> List<ChildResult<O>> childResults(BlueprintType<?, O> type) {
        joins.check(step.state(), type);
        return CompensatedWork.children(step).stream()
                .map(child ->
                        ChildResult.of(
                                child,
                                result ->
                                        read(
                                                type.output(),
                                                result,
                                                type + "[" + child.index() + "]")))
                .toList();
    }

    /// The result of the child of type `type`.
    public <O> O result(BlueprintType<?, O> type) {
        return result(type, type.name());
    }

    /// The result of the child of type `type` that was run [CallChild#as] `name`.
    public <O> O result(BlueprintType<?, O> type, String name) {
        var result =
                needed(name) instanceof JsonObject report
                        ? report.get("result")
                        : Optional.<JsonValue>empty();
        return read(
                type.output(),
                result.orElseThrow(() -> missing("the result of child '" + name + "'", name)),
                name + ".result");
    }

    /// What the signal brought: the last one of its kind.
    public <T> T signal(Signal<T> signal) {
        return read(signal.payload(), needed(signal.name()), signal.name());
    }

    /// What was decided about the last approval, which was to approve or to reject.
    public ApprovalDecision<Verdict> decision() {
        return decision(Approval.YES_OR_NO);
    }

    /// What was decided about the last approval, which was of the kind `approval`.
    public <C> ApprovalDecision<C> decision(Approval<C> approval) {
        var json = needed(States.APPROVAL);
        try {
            return ApprovalDecision.of(json, approval::choice);
        } catch (IllegalArgumentException other) {
            throw unfit("a decision about " + approval, other);
        }
    }

    /// The value of `variable`; empty if it was not set so far.
    public <T> Optional<T> get(Variable<T> variable) {
        return step.data()
                .get(variable.name())
                .map(json -> read(variable.value(), json, variable.name()));
    }

    /// Why the tasks failed, or the children did not finish, for which this state waited, in their order; empty if none did.
    public List<Failure> failures() {
        return Failure.of(step);
    }

    /// The value `name` of the job's data or else of its input, to be read in pieces: for values that do not fit into memory, or of
    /// which little is wanted.
    public LargeValue large(String name) {
        return new LargeValue(step.large(name));
    }

    /// The name of the state.
    public String state() {
        return step.state();
    }

    /// The id of the job.
    public String job() {
        return step.job().toString();
    }

    /// Who submitted it.
    public String client() {
        return step.client();
    }

    /// The `plan` of the client, as it was when the job was submitted; `unknown` if it has none.
    public String clientPlan() {
        return step.clientPlan().plan();
    }

    /// The `params` of the client, as they were when the job was submitted.
    public JsonObject clientParams() {
        return step.clientPlan().params();
    }

    /// What the client labelled it with.
    public SequencedMap<String, String> labels() {
        return step.labels();
    }

    /// The version of the blueprint with which it began.
    public String version() {
        return step.version();
    }

    /// Which try of this visit of the state it is, from 1.
    public int attempt() {
        return step.attempt();
    }

    /// The data store `name` of the blueprint, which has values of `type`. Only for states that are run [StateDraft#afterCommit].
    ///
    /// @throws IllegalArgumentException if JSON cannot be bound to `type`
    public <V> DataStore<V> store(String name, Class<V> type) {
        return new DataStore<>(step.store(name), ValueType.of(type));
    }

    /// The job's data as JSON.
    public JsonObject data() {
        return step.data();
    }

    private JsonValue needed(String name) {
        return step.data().get(name).orElseThrow(() -> missing("'" + name + "'", name));
    }

    private MissingValue missing(String what, String name) {
        return MissingValue.of(step, what, MissingValue.found(step, name));
    }

    private <T> T read(ValueType<T> type, JsonValue json, String path) {
        try {
            return type.read(json, path);
        } catch (Unfit wrong) {
            throw unfit("a " + type, wrong);
        }
    }

    private MissingValue unfit(String wanted, RuntimeException wrong) {
        return MissingValue.of(step, wanted, String.valueOf(wrong.getMessage()));
    }
}
