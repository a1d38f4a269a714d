package dev.artel.kernel.blueprint;

import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TimeLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A state that is being written down.
final class UnfinishedState {
    private final String name;
    private final boolean start;
    private final boolean isEnd;
    private final boolean failed;
    private final List<Draft> cases = new ArrayList<>();
    private @Nullable StepHandler handler;
    private List<String> next = List.of();
    private boolean pure;
    private boolean serial;
    private Optional<RetryPolicy> retry = Optional.empty();
    private Optional<Duration> handlerTime = Optional.empty();

    private record Draft(String condition, StepHandler handler) {}

    private UnfinishedState(
            String name,
            boolean start,
            boolean isEnd,
            boolean failed,
            @Nullable StepHandler handler) {
        this.name = name;
        this.start = start;
        this.isEnd = isEnd;
        this.failed = failed;
        this.handler = handler;
    }

    static UnfinishedState start(String name, @Nullable StepHandler handler) {
        return new UnfinishedState(name, true, false, false, handler);
    }

    static UnfinishedState state(String name, @Nullable StepHandler handler) {
        return new UnfinishedState(name, false, false, false, handler);
    }

    static UnfinishedState end(String name, boolean failed) {
        return new UnfinishedState(name, false, true, failed, null);
    }

    void when(String condition, StepHandler conditional) {
        cases.add(new Draft(condition, conditional));
    }

    void otherwise(StepHandler general, List<String> problems) {
        if (handler != null) {
            problems.add(
                    "state '" + name + "' has two handlers without a condition; give one a when");
        }
        handler = general;
    }

    void leadingTo(List<String> states) {
        next = states;
    }

    void pure() {
        pure = true;
    }

    void serial() {
        serial = true;
    }

    void retry(RetryPolicy policy) {
        retry = Optional.of(policy);
    }

    void handlerTime(Duration most) {
        handlerTime = Optional.of(most);
    }

    /// The state; whatever is wrong with its conditions is added to `problems`.
    State state(List<String> problems) {
        var compiled = new ArrayList<ConditionalHandlers.Case>();
        for (var each : cases) {
            try {
                var condition = Conditions.installed().compile(each.condition);
                compiled.add(new ConditionalHandlers.Case(each.condition, condition, each.handler));
            } catch (IllegalArgumentException wrong) {
                problems.add(
                        "state '"
                                + name
                                + "': the condition \""
                                + each.condition
                                + "\" cannot be used: "
                                + wrong.getMessage());
            }
        }
        if (isEnd && !cases.isEmpty()) {
            problems.add("state '" + name + "' is an end and has conditions; remove them");
        } else if (isEnd && pure) {
            problems.add("state '" + name + "' is an end and pure; only a handler can be pure");
        } else if (isEnd && (retry.isPresent() || handlerTime.isPresent())) {
            problems.add(
                    "state '"
                            + name
                            + "' is an end and has limits for its handler; only a state with a handler"
                            + " has retries and a time");
        } else if (!isEnd && cases.isEmpty() && handler == null) {
            problems.add("state '" + name + "' has no handler; add one with when or otherwise");
        }
        handlerTime
                .filter(most -> !most.isPositive() || most.compareTo(TimeLimits.LONGEST) > 0)
                .ifPresent(most ->
                        problems.add(
                                "state '"
                                        + name
                                        + "': handler time must be positive and at most 36500 days, was "
                                        + most));
        if (serial && isEnd) {
            problems.add("state '" + name + "' is serial and an end; only a handler can be serial");
        }
        return new State(
                name, start, next, handler(compiled), failed, pure, retry, handlerTime, serial);
    }

    private Optional<StepHandler> handler(List<ConditionalHandlers.Case> compiled) {
        if (isEnd) {
            return Optional.empty();
        }
        return cases.isEmpty() && handler != null
                ? Optional.of(handler)
                : Optional.of(
                        new ConditionalHandlers(name, compiled, Optional.ofNullable(handler)));
    }
}
