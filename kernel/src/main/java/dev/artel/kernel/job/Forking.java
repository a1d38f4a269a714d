package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import java.time.Instant;
import java.util.Optional;

/// Decides what comes of jobs that are forked off others: results that are recorded are not worked out again.
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
                if (awaits(deciding.job(), strand, group.first())) {
                    reuseFor(deciding, i, at);
                }
            }
        }
    }

    private static boolean awaits(Job job, int strand, int first) {
        return job.strands().get(strand).doing() instanceof Strand.AwaitingTasks(var now)
                && now.first() == first;
    }

    private static void reuseFor(Deciding deciding, int number, Instant at) {
        var task = deciding.job().tasks().get(number);
        if (!(task.state() instanceof Task.Open(Delivery.Queued _, int _, var _))) {
            return;
        }
        deciding.job().recorded().stream()
                .filter(result -> result.fits(task.spec()))
                .findFirst()
                .ifPresent(result -> {
                    deciding.emit(new JobEvent.TaskReused(number, result, at));
                    deciding.afterTask(task, result.status(), Optional.empty(), at);
                });
    }
}
