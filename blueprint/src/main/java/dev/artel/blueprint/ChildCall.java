package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action.RunBlueprint;
import dev.artel.kernel.task.TaskSpec;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A job of another blueprint as a function asks for it.
///
/// @param blueprint its name
/// @param input the initial data of the child
/// @param options its version, labels, time and steps
/// @param compensation what compensates it if the job comes to a bad end
/// @param result makes a value of the result of the child
public record ChildCall<R>(
        String blueprint,
        JsonObject input,
        UnaryOperator<RunBlueprint> options,
        Optional<CallCompensation> compensation,
        Function<JsonValue, R> result) {
    /// A child whose result is taken as it is.
    public static ChildCall<JsonValue> of(String blueprint, JsonObject input) {
        return new ChildCall<>(
                blueprint, input, UnaryOperator.identity(), Optional.empty(), value -> value);
    }

    /// A job of the blueprint `type` with `input`.
    ///
    /// @throws IllegalArgumentException if `input` cannot be written as JSON
    public static <I, O> ChildCall<O> of(BlueprintType<I, O> type, I input) {
        return of(type.name(), (JsonObject) type.input().write(input))
                .as(result -> type.output().read(result, "the result of " + type));
    }

    /// This child, which a task of type `type` with `params` compensates.
    public <P> ChildCall<R> compensatedBy(TaskType<P, ?> type, P params) {
        return compensatedBy(TaskCall.spec(type, params));
    }

    /// This child, which a task of type `type` compensates, with what `params` makes of this one's result; as
    /// [TaskCall#compensatedByResult].
    public <P> ChildCall<R> compensatedByResult(
            TaskType<P, ?> type, Function<? super R, ? extends P> params) {
        return compensated(
                new CallCompensation.ByResult(
                        value -> TaskCall.spec(type, params.apply(result.apply(value)))));
    }

    /// This child with what `more` makes of it: its version, labels, time and steps.
    public ChildCall<R> with(UnaryOperator<RunBlueprint> more) {
        return new ChildCall<>(
                blueprint, input, it -> more.apply(options.apply(it)), compensation, result);
    }

    /// This child, which `task` compensates.
    public ChildCall<R> compensatedBy(TaskSpec task) {
        return compensated(new CallCompensation.ByTask(task));
    }

    private ChildCall<R> compensated(CallCompensation by) {
        return new ChildCall<>(blueprint, input, options, Optional.of(by), result);
    }

    /// This child with what `change` makes of its result.
    public <T> ChildCall<T> as(Function<? super R, ? extends T> change) {
        return new ChildCall<>(
                blueprint,
                input,
                options,
                compensation,
                value -> change.apply(result.apply(value)));
    }
}
