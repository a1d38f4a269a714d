package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Task;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;

/// Decides what comes of jobs that are forked off others, and of fan-outs that begin again: results that are recorded
/// are not worked out again.
final class ForkDecider {
    private ForkDecider() {}

    static Decision fork(JobDecider jobDecider, JobCommand.Fork c) {
        jobDecider.emit(new JobEvent.JobSubmitted(c.spec(), c.at()));
        jobDecider.emit(
                new JobEvent.JobForked(c.from(), c.data(), c.recordedResult(), c.by(), c.at()));
        jobDecider.enter(0, c.spec().start(), new StepCause.Started(), c.at());
        return jobDecider.accepted();
    }

    /// Takes recorded results for the tasks that `branch` has just opened, each for one task.
    static void reuse(JobDecider jobDecider, int branch, Instant at) {
        if (jobDecider.job().recordedResult().isEmpty()) {
            return;
        }
        var doing = jobDecider.job().branches().get(branch).doing();
        if (doing instanceof Branch.AwaitingTask(int task, var _)) {
            reuseFor(jobDecider, task, at);
        } else if (doing instanceof Branch.AwaitingTasks(var group)) {
            for (var i = group.first(); i < group.first() + group.count(); i++) {
                if (awaits(jobDecider.job(), branch, group)) {
                    reuseFor(jobDecider, i, at);
                }
            }
        }
    }

    /// Opens the tasks of `group` again and keeps the results of those that have succeeded.
    static void again(JobDecider jobDecider, int branch, JoinState group, Instant at) {
        var old = jobDecider.job().tasks();
        var specs =
                IntStream.range(group.first(), group.first() + group.count())
                        .mapToObj(i -> old.get(i).spec())
                        .toList();
        var first = old.size();
        jobDecider.emit(
                new JobEvent.TasksOpened(
                        branch,
                        specs,
                        group.window(),
                        group.policy(),
                        group.join(),
                        group.otherwise(),
                        at));
        for (var i = 0; i < group.count(); i++) {
            if (old.get(group.first() + i).state() instanceof Task.Succeeded done
                    && jobDecider.job().tasks().get(first + i).isUnsettled()) {
                take(
                        jobDecider,
                        jobDecider.job().tasks().get(first + i),
                        RecordedResult.of(old.get(group.first() + i), done),
                        at);
            }
        }
    }

    private static boolean awaits(Job job, int branch, JoinState group) {
        return job.branches().get(branch).doing() instanceof Branch.AwaitingTasks(var now)
                && now.first() == group.first();
    }

    private static boolean isUntouched(Task task) {
        return task.state() instanceof Task.Planned
                || task.state() instanceof Task.Open(Attempt.Queued _, int _, var _);
    }

    private static void reuseFor(JobDecider jobDecider, int number, Instant at) {
        var task = jobDecider.job().tasks().get(number);
        if (!isUntouched(task)) {
            return;
        }
        jobDecider.job().recordedResult().stream()
                .filter(result -> result.fits(task.spec()))
                .findFirst()
                .ifPresent(result -> take(jobDecider, task, result, at));
    }

    private static void take(JobDecider jobDecider, Task task, RecordedResult result, Instant at) {
        jobDecider.emit(new JobEvent.TaskReused(task.id(), result, at));
        jobDecider.tasks().afterTask(task, result.status(), Optional.empty(), at);
    }
}
