package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Task;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;

/// Decides where recorded results take the place of attempts, in jobs that are forked off others and in fan-outs that begin
/// again.
final class ReuseDecider {
    private final Draft draft;
    private final Deciders deciders;

    ReuseDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    /// Takes recorded results for the tasks that `branch` has just opened, each for one task.
    void reuse(int branch, Instant at) {
        if (draft.job().recordedResult().isEmpty()) {
            return;
        }
        var doing = draft.job().branches().get(branch).doing();
        if (doing instanceof Branch.AwaitingTask(int task, var _)) {
            reuseFor(task, at);
        } else if (doing instanceof Branch.AwaitingTasks(var group)) {
            for (var i = group.first(); i < group.first() + group.count(); i++) {
                if (awaits(draft.job(), branch, group)) {
                    reuseFor(i, at);
                }
            }
        }
    }

    /// Opens the tasks of `group` again and keeps the results of those that have succeeded.
    void again(int branch, JoinState group, Instant at) {
        var old = draft.job().tasks();
        var specs =
                IntStream.range(group.first(), group.first() + group.count())
                        .mapToObj(i -> old.get(i).spec())
                        .toList();
        var first = old.size();
        draft.emit(
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
                    && draft.job().tasks().get(first + i).isUnsettled()) {
                take(
                        draft.job().tasks().get(first + i),
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

    private void reuseFor(int number, Instant at) {
        var task = draft.job().tasks().get(number);
        if (!isUntouched(task)) {
            return;
        }
        draft.job().recordedResult().stream()
                .filter(result -> result.fits(task.spec()))
                .findFirst()
                .ifPresent(result -> take(task, result, at));
    }

    private void take(Task task, RecordedResult result, Instant at) {
        draft.emit(new JobEvent.TaskReused(task.id(), result, at));
        deciders.tasks().afterTask(task, result.status(), Optional.empty(), at);
    }
}
