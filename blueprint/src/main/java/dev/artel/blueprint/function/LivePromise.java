package dev.artel.blueprint.function;

import dev.artel.blueprint.Promise;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An operation that a function has asked for.
final class LivePromise<R> implements Promise<R> {
    private final FunctionRun<?> run;
    final int number;
    final Operation operation;
    private final Function<OperationResult, R> reading;
    private @Nullable OperationResult answer;

    /// @param reading makes what the function gets of the answer, or throws
    LivePromise(
            FunctionRun<?> run,
            int number,
            Operation operation,
            Function<OperationResult, R> reading) {
        this.run = run;
        this.number = number;
        this.operation = operation;
        this.reading = reading;
    }

    void answer(OperationResult result) {
        answer = result;
    }

    boolean isAnswered() {
        return answer != null;
    }

    @Override
    public R get() {
        run.awaitAll(java.util.List.of(this));
        var result = answer;
        if (result == null) {
            throw new IllegalStateException("operation " + number + " has no answer");
        }
        return reading.apply(result);
    }

    @Override
    public boolean isDone() {
        run.checkAlive();
        return isAnswered();
    }
}
