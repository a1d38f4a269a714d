package dev.artel.blueprint;

/// A job of another blueprint that lives by itself, as a handler of an annotated class starts it: `StartCall.of(AUDIT, order)`.
/// [StateHandler#leadsTo] names the state that follows when it has begun. Immutable.
///
/// @param job what is started
public record StartCall(ChildCall<?> job) {
    /// Refuses a job of which its parent would have to know how it ended.
    ///
    /// @throws IllegalArgumentException if `job` is compensated
    public StartCall {
        if (job.compensation().isPresent()) {
            throw new IllegalArgumentException(
                    "a job of blueprint '"
                            + job.blueprint()
                            + "' was to be started by itself and to be compensated; its end is not its parent's, so"
                            + " run it as a child, or leave the compensation out");
        }
    }

    /// A job of the blueprint `type` with `input`.
    ///
    /// @throws IllegalArgumentException if `input` cannot be written as JSON
    public static <I> StartCall of(BlueprintType<I, ?> type, I input) {
        return new StartCall(ChildCall.of(type, input));
    }

    /// The job that `call` describes, with its options.
    ///
    /// @throws IllegalArgumentException if `call` is compensated
    public static StartCall of(ChildCall<?> call) {
        return new StartCall(call);
    }
}
