package dev.artel.waits;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.IgnoredException;
import org.awaitility.core.TimeoutEvent;
import org.jspecify.annotations.Nullable;

/// Follows one wait, and ends it with all that is known if it was in vain.
final class FailureReport implements ConditionEvaluationListener<Object> {
    private static final int LONGEST_VALUE = 2_000;

    private final AtomicReference<Optional<String>> last = new AtomicReference<>(Optional.empty());
    private final AtomicReference<@Nullable Throwable> ignored = new AtomicReference<>();

    @Override
    public void conditionEvaluated(EvaluatedCondition<Object> condition) {
        Object value = condition.getValue();
        last.set(Optional.of(Text.bounded(String.valueOf(value), LONGEST_VALUE)));
        ignored.set(null);
    }

    @Override
    public void exceptionIgnored(IgnoredException exception) {
        ignored.set(exception.getThrowable());
    }

    @Override
    public void onTimeout(TimeoutEvent timeout) {
        var cause = ignored.get();
        var text = new StringBuilder("awaited in vain for ");
        text.append(timeout.getElapsedTimeInMS()).append(" ms: ").append(timeout.getDescription());
        if (cause != null) {
            text.append("\nthe condition threw at last: ").append(cause);
        } else {
            last.get().ifPresent(value -> text.append("\nthe last value: ").append(value));
        }
        text.append(Evidence.all()).append(Threads.dump());
        throw new AssertionError(text.toString(), cause);
    }
}
