package dev.artel.blueprint;

import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// What may be set for a task, in all styles: times and tries, what it asks of its worker, and what it shares with tasks of other jobs.
///
/// @param <S> what has the options, and returns itself with one more
public sealed interface TaskOptions<S> permits CallTask, CallTasks, TaskCall {
    /// This task, or these, with `setting`.
    S with(TaskSetting setting);

    /// Tries it at most so often; 4 times by default.
    ///
    /// @param most at least 1
    default S attempts(int most) {
        return with(
                new TaskSetting(task ->
                        task.withRetry(
                                most == 1
                                        ? RetryPolicy.NEVER
                                        : task.limits().retry().withMaxAttempts(most))));
    }

    /// Tries a failed attempt again after `first`, and after twice as long each further time, at most after `longest`; after 1 s, at most
    /// after 1 min, by default.
    default S retryDelays(Duration first, Duration longest) {
        return with(
                new TaskSetting(
                        task -> task.withRetry(task.limits().retry().withDelays(first, longest))));
    }

    /// Gives it up when so many attempts were lost with their workers; 3 by default.
    ///
    /// @param most at least 1
    default S maxLost(int most) {
        return with(
                new TaskSetting(task -> {
                    var limits = task.limits();
                    return task.withLimits(
                            new TaskLimits(
                                    limits.retry(),
                                    most,
                                    limits.dispatchDeadline(),
                                    limits.executionTimeout()));
                }));
    }

    /// Lets one attempt take so long, from the hand-out; 5 minutes by default.
    default S executionTimeout(Duration most) {
        return with(new TaskSetting(task -> task.withExecutionTimeout(most)));
    }

    /// Lets it wait for a worker so long, each time that it is queued; forever by default.
    default S dispatchDeadline(Duration most) {
        return with(new TaskSetting(task -> task.withDispatchDeadline(most)));
    }

    /// Gives it to a second worker as well if the first has not done it after `time`.
    default S hedgedAfter(Duration time) {
        return with(new TaskSetting(task -> task.hedgedAfter(time)));
    }

    /// Must not be done twice: an attempt of which nobody knows whether it had its effect is not repeated.
    default S notIdempotent() {
        return with(new TaskSetting(TaskSpec::notIdempotent));
    }

    /// Counts against the limits that the orchestrator's settings have for `key`, such as `mail`.
    default S limitedBy(String key) {
        return with(new TaskSetting(task -> task.limitedBy(key)));
    }

    /// Goes to a worker only while fewer than `concurrent` tasks with `key` are with workers, of whatever job.
    default S limitedBy(String key, int concurrent) {
        return with(new TaskSetting(task -> task.limitedBy(key, concurrent)));
    }

    /// Goes to a worker only as often as this rate allows for `key`, with the tasks of all jobs: `tasks` each `per`, evenly, of which
    /// `burst` may come at once.
    ///
    /// @param tasks at least 1
    /// @param per from a millisecond to a day
    /// @param burst at least 1
    default S limitedBy(String key, int tasks, Duration per, int burst) {
        return with(new TaskSetting(task -> task.limitedBy(key, new Rate(tasks, per, burst))));
    }

    /// Reserves so much of the budget of its job before a worker gets it: the most that one attempt costs.
    ///
    /// @param usd US dollars, such as `0.25`
    default S cost(String usd) {
        return with(new TaskSetting(task -> task.withCost(usd)));
    }

    /// Reserves so much of the budget of its job before a worker gets it: the most that one attempt costs.
    ///
    /// @param usd US dollars, such as `0.25`
    /// @param tokens of models
    default S cost(String usd, long tokens) {
        return with(
                new TaskSetting(
                        task -> task.withCost(new Spending(Spending.nano(usd), tokens, 0, 0))));
    }

    /// Asks more of its worker: `requiring(it -> it.gpu("A100", 40).label("zone", "eu"))`.
    default S requiring(UnaryOperator<WorkerDemand> more) {
        return with(
                new TaskSetting(
                        task -> task.demanding(it -> more.apply(new WorkerDemand(it)).kernel())));
    }
}
