package dev.artel.kernel.task;

import dev.artel.json.JsonObject;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.placement.Demand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A unit of work for one worker, as its job asks for it.
///
/// @param type the name under which workers offer the skill; not blank, at most 200 characters
/// @param params what the worker is given
/// @param limits time and tries
/// @param demand what it asks of its worker
/// @param idempotent whether doing it twice does no harm; if not, an attempt that may have had an effect is not repeated
/// @param hedgedAfter after which time a second worker gets it as well; empty: never
/// @param sharedLimits what it shares with tasks of other jobs; each key once
/// @param resultAs under which name the job's data keep its result, where it stands alone; empty: the members of the result
/// become members of the data
/// @param cost the most that one attempt costs; empty: unknown
public record TaskSpec(
        String type,
        Payload params,
        TaskLimits limits,
        Demand demand,
        boolean idempotent,
        Optional<Duration> hedgedAfter,
        List<SharedLimit> sharedLimits,
        Optional<String> resultAs,
        Optional<Spending> cost) {
    /// Refuses a type that no worker can offer.
    public TaskSpec {
        Objects.requireNonNull(params, "params");
        if (type.isBlank() || type.length() > 200) {
            throw new IllegalArgumentException(
                    "task type must have 1 to 200 characters and not be blank, was '" + type + "'");
        }
        resultAs.filter(String::isBlank)
                .ifPresent(_ -> {
                    throw new IllegalArgumentException(
                            "the result of a task of type '"
                                    + type
                                    + "' needs a name that is not blank");
                });
        hedgedAfter.ifPresent(after -> checkHedge(type, limits, idempotent, after));
        sharedLimits = List.copyOf(sharedLimits);
        if (sharedLimits.size() > SharedLimit.MOST) {
            throw new IllegalArgumentException(
                    "a task of type '"
                            + type
                            + "' may name at most "
                            + SharedLimit.MOST
                            + " limits, has "
                            + sharedLimits.size());
        }
        sharedLimits.forEach(SharedLimit::checkGivenWithATask);
        // Most tasks name none, and a task is copied for each attempt.
        if (sharedLimits.size() > 1
                && sharedLimits.stream().map(SharedLimit::key).distinct().count()
                        < sharedLimits.size()) {
            throw new IllegalArgumentException(
                    "a task of type '"
                            + type
                            + "' names a limit twice, in "
                            + sharedLimits.stream().map(SharedLimit::key).toList()
                            + "; give each key once, with all its limits");
        }
    }

    private static void checkHedge(
            String type, TaskLimits limits, boolean idempotent, Duration after) {
        if (!idempotent) {
            throw new IllegalArgumentException(
                    "a task of type '"
                            + type
                            + "' cannot be hedged and be not idempotent: two workers would do what must"
                            + " be done once; leave one of the two out");
        }
        if (!after.isPositive()) {
            throw new IllegalArgumentException(
                    "a task of type '" + type + "' is hedged after a positive time, was " + after);
        }
        if (after.compareTo(limits.executionTimeout()) >= 0) {
            throw new IllegalArgumentException(
                    "a task of type '"
                            + type
                            + "' is never hedged after "
                            + after
                            + ", since an attempt may take "
                            + limits.executionTimeout()
                            + "; hedge it earlier, or set a longer execution timeout before");
        }
    }

    /// A task of which it is unknown what it costs. A handler makes its tasks by this, by what leads to it, or by [#of]: their parameters
    /// are counted ([ParameterMeter]), those of changed copies are not once more.
    public TaskSpec(
            String type,
            Payload params,
            TaskLimits limits,
            Demand demand,
            boolean idempotent,
            Optional<Duration> hedgedAfter,
            List<SharedLimit> sharedLimits,
            Optional<String> resultAs) {
        this(
                type,
                params,
                limits,
                demand,
                idempotent,
                hedgedAfter,
                sharedLimits,
                resultAs,
                Optional.empty());
        if (params instanceof Payload.Inline(var value)) {
            ParameterMeter.count(value);
        }
    }

    /// A task whose result has no name of its own.
    public TaskSpec(
            String type,
            Payload params,
            TaskLimits limits,
            Demand demand,
            boolean idempotent,
            Optional<Duration> hedgedAfter,
            List<SharedLimit> sharedLimits) {
        this(type, params, limits, demand, idempotent, hedgedAfter, sharedLimits, Optional.empty());
    }

    /// A task that shares no limit with others.
    public TaskSpec(
            String type,
            Payload params,
            TaskLimits limits,
            Demand demand,
            boolean idempotent,
            Optional<Duration> hedgedAfter) {
        this(type, params, limits, demand, idempotent, hedgedAfter, List.of());
    }

    /// A task that is not hedged.
    public TaskSpec(
            String type, Payload params, TaskLimits limits, Demand demand, boolean idempotent) {
        this(type, params, limits, demand, idempotent, Optional.empty());
    }

    /// A task that may be done twice.
    public TaskSpec(String type, Payload params, TaskLimits limits, Demand demand) {
        this(type, params, limits, demand, true);
    }

    /// A task that any worker may do that offers its type.
    public TaskSpec(String type, Payload params, TaskLimits limits) {
        this(type, params, limits, Demand.NONE);
    }

    /// A task with default limits.
    public static TaskSpec of(String type, JsonObject params) {
        return new TaskSpec(type, Payload.of(params), TaskLimits.DEFAULTS);
    }

    /// This task with another retry policy.
    public TaskSpec withRetry(RetryPolicy retry) {
        return withLimits(
                new TaskLimits(
                        retry,
                        limits.maxLost(),
                        limits.dispatchDeadline(),
                        limits.executionTimeout()));
    }

    /// This task with another limit on the time of one attempt.
    public TaskSpec withExecutionTimeout(Duration timeout) {
        return withLimits(
                new TaskLimits(
                        limits.retry(), limits.maxLost(), limits.dispatchDeadline(), timeout));
    }

    /// This task with a limit on the time it waits for a worker.
    public TaskSpec withDispatchDeadline(Duration deadline) {
        return withLimits(
                new TaskLimits(
                        limits.retry(),
                        limits.maxLost(),
                        Optional.of(deadline),
                        limits.executionTimeout()));
    }

    /// This task with other limits.
    public TaskSpec withLimits(TaskLimits other) {
        return new TaskSpec(
                type, params, other, demand, idempotent, hedgedAfter, sharedLimits, resultAs, cost);
    }

    /// This task with other parameters.
    public TaskSpec withParams(Payload other) {
        return new TaskSpec(
                type, other, limits, demand, idempotent, hedgedAfter, sharedLimits, resultAs, cost);
    }

    /// This task, which asks more of its worker: `task.demanding(d -> d.gpu("A100", 40).atMost(0.5))`.
    public TaskSpec demanding(UnaryOperator<Demand> more) {
        return new TaskSpec(
                type,
                params,
                limits,
                more.apply(demand),
                idempotent,
                hedgedAfter,
                sharedLimits,
                resultAs,
                cost);
    }

    /// This task, which must not be done twice. If an attempt was lost after a worker had it, or took too long, it is unknown
    /// whether it had its effect: it is neither repeated nor failed, but goes to the state of the outcome `unknown`
    /// ([dev.artel.kernel.job.Outcomes#UNKNOWN]), or waits for a person.
    public TaskSpec notIdempotent() {
        return new TaskSpec(
                type, params, limits, demand, false, hedgedAfter, sharedLimits, resultAs, cost);
    }

    /// This task, which a second worker gets as well if the first one has not done it after `time`. The first result counts,
    /// and the other worker receives a cancel. It must be idempotent.
    public TaskSpec hedgedAfter(Duration time) {
        return new TaskSpec(
                type,
                params,
                limits,
                demand,
                idempotent,
                Optional.of(time),
                sharedLimits,
                resultAs,
                cost);
    }

    /// This task, which counts against the limit that the orchestrator's settings have for `key`, such as `tenant:42`.
    public TaskSpec limitedBy(String key) {
        return limitedBy(SharedLimit.of(key));
    }

    /// This task, which is given to a worker only while fewer than `concurrent` tasks with `key` are with workers, of
    /// whatever job.
    public TaskSpec limitedBy(String key, int concurrent) {
        return limitedBy(SharedLimit.concurrent(key, concurrent));
    }

    /// This task, which is given to a worker only as often as `rate` allows for `key`, with the tasks of all jobs.
    public TaskSpec limitedBy(String key, Rate rate) {
        return limitedBy(SharedLimit.rate(key, rate));
    }

    /// This task with one more limit that it shares. Where several are named, the one that most tasks share goes first.
    public TaskSpec limitedBy(SharedLimit limit) {
        var more = new ArrayList<>(sharedLimits);
        more.add(limit);
        return new TaskSpec(
                type, params, limits, demand, idempotent, hedgedAfter, more, resultAs, cost);
    }

    /// This task, whose result the job's data keep as the value `name`, as a whole. In a fan-out it makes no difference.
    public TaskSpec withResultAs(String name) {
        return new TaskSpec(
                type,
                params,
                limits,
                demand,
                idempotent,
                hedgedAfter,
                sharedLimits,
                Optional.of(name),
                cost);
    }

    /// This task, of which one attempt costs at most `usd` US dollars, such as `0.25`: so much is reserved of its job's budget
    /// before a worker gets it.
    public TaskSpec withCost(String usd) {
        return withCost(Spending.ofUsd(usd));
    }

    /// This task, of which one attempt costs `most` at most: so much is reserved of its job's budget before a worker gets it.
    public TaskSpec withCost(Spending most) {
        return new TaskSpec(
                type,
                params,
                limits,
                demand,
                idempotent,
                hedgedAfter,
                sharedLimits,
                resultAs,
                Optional.of(most));
    }

    /// What one attempt takes of a budget at most, as far as that is known: a call at least.
    public Spending worstCase() {
        return cost.filter(known -> known.calls() > 0)
                .orElseGet(() -> cost.orElse(Spending.NONE).with(BudgetLimit.CALLS, 1));
    }

    /// What `result` of this task, which stands alone, adds to the data of its job.
    public JobData dataOf(Payload result) {
        return resultAs.map(name -> JobData.EMPTY.with(name, result))
                .orElseGet(() -> JobData.ofResult(result));
    }
}
