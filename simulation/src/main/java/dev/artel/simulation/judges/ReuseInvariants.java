package dev.artel.simulation.judges;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.Append;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The part of the [Ledger] that judges what becomes of results when a fan-out is released: what succeeded is not done again.
public final class ReuseInvariants {
    private final World world;

    ReuseInvariants(World world) {
        this.world = world;
    }

    /// @param before the job before `event`
    /// @param next what becomes durable together with it, after it
    void judge(JobId job, JobState before, JobEvent event, List<JobEvent> next) {
        if (!(event
                        instanceof
                        JobEvent.QuarantineResolved(QuarantineAction.Release _, var _, var _))
                || !(((Job) before).branches().get(0).doing()
                        instanceof Branch.AwaitingTasks(var group))) {
            return;
        }
        var tasks = ((Job) before).tasks();
        // Where enough succeeded at once, the others are not looked at.
        if (next.stream().anyMatch(JobEvent.StateEntered.class::isInstance)) {
            return;
        }
        for (var i = 0; i < group.count(); i++) {
            var old = tasks.get(group.first() + i);
            if (old.state() instanceof Task.Succeeded done
                    && reused(tasks.size() + i, next)
                            .filter(result -> result.data().equals(done.data()))
                            .isEmpty()) {
                throw world.failure(
                        "job " + job + " is released and does again what was done: " + old);
            }
        }
    }

    private static Optional<RecordedResult> reused(int task, List<JobEvent> next) {
        return next.stream()
                .filter(JobEvent.TaskReused.class::isInstance)
                .map(JobEvent.TaskReused.class::cast)
                .filter(it -> it.task() == task)
                .map(JobEvent.TaskReused::result)
                .findFirst();
    }

    /// What a planted bug makes of a release: one result too few is kept.
    public static Append doneAgain(Append append) {
        var events = append.events();
        var released =
                IntStream.range(0, events.size())
                        .filter(i ->
                                events.get(i)
                                        instanceof
                                        JobEvent.QuarantineResolved(
                                                QuarantineAction.Release _,
                                                var _,
                                                var _))
                        .findFirst();
        if (released.isEmpty()) {
            return append;
        }
        var left = new ArrayList<>(events);
        var reused =
                IntStream.range(released.getAsInt(), events.size())
                        .filter(i -> events.get(i) instanceof JobEvent.TaskReused)
                        .findFirst();
        reused.ifPresent(left::remove);
        return new Append(append.stream(), append.expected(), left, append.row());
    }
}
