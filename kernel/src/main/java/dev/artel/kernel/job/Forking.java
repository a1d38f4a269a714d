package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;

/// Decides what comes of jobs that are forked off others, and of fan-outs that begin again: results that are recorded
/// are not worked out again.
final class Forking {
    private Forking() {}

    static Decision fork(Deciding deciding, JobCommand.Fork c) {
        deciding.emit(new JobEvent.JobSubmitted(c.spec(), c.at()));
        deciding.emit(new JobEvent.JobForked(c.from(), c.data(), c.recorded(), c.by(), c.at()));
        deciding.enter(0, c.spec().start(), new StepCause.Started(), c.at());
        return deciding.accepted();
    }

    /// Takes recorded results for the tasks that `strand` has just opened, each for one task.
    static void reuse(Deciding deciding, int strand, Instant at) {
        if (deciding.job().recorded().isEmpty()) {
            return;
        }
        var doing = deciding.job().strands().get(strand).doing();
        if (doing instanceof Strand.AwaitingTask(int task, var _)) {
            reuseFor(deciding, task, at);
        } else if (doing instanceof Strand.AwaitingTasks(var group)) {
            for (var i = group.first(); i < group.first() + group.count(); i++) {
                if (awaits(deciding.job(), strand, group)) {
                    reuseFor(deciding, i, at);
                }
            }
        }
    }

    /// Opens the tasks of `group` again and keeps the results of those that have succeeded.
    static void again(Deciding deciding, int strand, Gathering group, Instant at) {
        var old = deciding.job().tasks();
        var specs =
                IntStream.range(group.first(), group.first() + group.count())
                        .mapToObj(i -> old.get(i).spec())
                        .toList();
        var first = old.size();
        deciding.emit(
                new JobEvent.TasksOpened(
                        strand,
                        specs,
                        group.window(),
                        group.policy(),
                        group.join(),
                        group.otherwise(),
                        at));
        for (var i = 0; i < group.count(); i++) {
            if (old.get(group.first() + i).state() instanceof Task.Succeeded done
                    && deciding.job().tasks().get(first + i).isUnsettled()) {
                take(
                        deciding,
                        deciding.job().tasks().get(first + i),
                        Recorded.of(old.get(group.first() + i), done),
                        at);
            }
        }
    }

    private static boolean awaits(Job job, int strand, Gathering group) {
        return job.strands().get(strand).doing() instanceof Strand.AwaitingTasks(var now)
                && now.first() == group.first();
    }

    private static boolean isUntouched(Task task) {
        return task.state() instanceof Task.Planned
                || task.state() instanceof Task.Open(Delivery.Queued _, int _, var _);
    }

    private static void reuseFor(Deciding deciding, int number, Instant at) {
        var task = deciding.job().tasks().get(number);
        if (!isUntouched(task)) {
            return;
        }
        deciding.job().recorded().stream()
                .filter(result -> result.fits(task.spec()))
                .findFirst()
                .ifPresent(result -> take(deciding, task, result, at));
    }

    private static void take(Deciding deciding, Task task, Recorded result, Instant at) {
        deciding.emit(new JobEvent.TaskReused(task.id(), result, at));
        deciding.tasks().afterTask(task, result.status(), Optional.empty(), at);
    }
}
