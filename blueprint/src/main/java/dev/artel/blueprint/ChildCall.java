package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action.RunBlueprint;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A job of another blueprint as a function or a handler of an annotated class asks for it. Immutable.
///
/// @param blueprint its name
/// @param input the initial data of the child
/// @param change what was set for the child
/// @param compensation what compensates it if the job fails or is cancelled
/// @param result makes a value of the result of the child
public record ChildCall<R>(
        String blueprint,
        JsonObject input,
        UnaryOperator<RunBlueprint> change,
        Optional<CallCompensation> compensation,
        Function<JsonValue, R> result)
        implements ChildOptions<ChildCall<R>> {
    /// A job of the blueprint `type` with `input`.
    ///
    /// @throws IllegalArgumentException if `input` cannot be written as JSON
    public static <I, O> ChildCall<O> of(BlueprintType<I, O> type, I input) {
        return of(type.name(), (JsonObject) type.input().write(input))
                .as(result -> type.output().read(result, "the result of " + type));
    }

    /// A job of a blueprint whose input and result are JSON.
    public static ChildCall<JsonValue> of(String blueprint, JsonObject input) {
        return new ChildCall<>(
                blueprint, input, UnaryOperator.identity(), Optional.empty(), value -> value);
    }

    @Override
    public ChildCall<R> options(UnaryOperator<RunBlueprint> more) {
        return new ChildCall<>(
                blueprint, input, it -> more.apply(change.apply(it)), compensation, result);
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
}
