package dev.artel.blueprint;

import dev.artel.blueprint.function.CallCompensation;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action.RunBlueprint;
import dev.artel.kernel.task.ParameterMeter;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A job of another blueprint as a function or a handler of an annotated class asks for it: its blueprint, its input and its options,
/// and what compensates it if the job fails or is cancelled. Immutable.
///
/// @param <R> what is made of the result of the child
public final class ChildCall<R> implements ChildOptions<ChildCall<R>> {
    private final String blueprint;
    private final JsonObject input;
    private final UnaryOperator<RunBlueprint> change;
    private final Optional<CallCompensation> compensation;
    private final Function<JsonValue, R> result;

    private ChildCall(
            String blueprint,
            JsonObject input,
            UnaryOperator<RunBlueprint> change,
            Optional<CallCompensation> compensation,
            Function<JsonValue, R> result) {
        this.blueprint = blueprint;
        this.input = input;
        this.change = change;
        this.compensation = compensation;
        this.result = result;
    }

    String blueprint() {
        return blueprint;
    }

    JsonObject input() {
        return input;
    }

    UnaryOperator<RunBlueprint> change() {
        return change;
    }

    Optional<CallCompensation> compensation() {
        return compensation;
    }

    Function<JsonValue, R> result() {
        return result;
    }

    /// A job of the blueprint `type` with `input`.
    ///
    /// @throws IllegalArgumentException if `input` cannot be written as JSON
    public static <I, O> ChildCall<O> of(BlueprintType<I, O> type, I input) {
        return of(type.name(), (JsonObject) type.input().write(input))
                .as(result -> type.output().read(result, "the result of " + type));
    }

    /// A job of a blueprint whose input and result are JSON.
    public static ChildCall<JsonValue> of(String blueprint, JsonObject input) {
        ParameterMeter.count(input);
        return new ChildCall<>(
                blueprint, input, UnaryOperator.identity(), Optional.empty(), value -> value);
    }

    @Override
    public ChildCall<R> with(JobSetting setting) {
        return new ChildCall<>(
                blueprint, input, it -> setting.of(change.apply(it)), compensation, result);
    }

    /// This child, which a task of type `type` with `params` compensates.
    public <P> ChildCall<R> compensatedBy(TaskType<P, ?> type, P params) {
        return compensated(new CallCompensation.ByTask(TaskDraft.spec(type, params)));
    }

    /// This child, which a task of type `type` compensates that gets its result; see [TaskCall#compensatedByResult].
    public ChildCall<R> compensatedBy(TaskType<? super R, ?> type) {
        return compensatedByResult(type, value -> value);
    }

    /// This child, which a task of type `type` compensates, with what `params` makes of this one's result; as
    /// [TaskCall#compensatedByResult].
    public <P> ChildCall<R> compensatedByResult(
            TaskType<P, ?> type, Function<? super R, ? extends P> params) {
        return compensated(
                new CallCompensation.ByResult(
                        value -> TaskDraft.spec(type, params.apply(result.apply(value)))));
    }

    private ChildCall<R> compensated(CallCompensation by) {
        return new ChildCall<>(blueprint, input, change, Optional.of(by), result);
    }

    /// This child with what `reading` makes of its result.
    public <T> ChildCall<T> as(Function<? super R, ? extends T> reading) {
        return new ChildCall<>(
                blueprint,
                input,
                change,
                compensation,
                value -> reading.apply(result.apply(value)));
    }

    @Override
    public String toString() {
        return "child " + blueprint;
    }
}
