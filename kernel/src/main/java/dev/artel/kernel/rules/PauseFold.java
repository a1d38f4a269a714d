package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.JobEvent.JobPaused;
import dev.artel.kernel.job.JobEvent.JobResumed;
import dev.artel.kernel.job.Pause;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.timer.Timer;
import java.util.Optional;

/// The part of [JobFold] that is about pauses: what is put off is no longer asked for, and asked for anew afterwards.
final class PauseFold {
    /// Behind those of branches, however many a job has.
    private static final int TASK_ORDINALS = 1 << 24;

    private final MutableJob draft;
    private final LeaseFold leases;

    PauseFold(MutableJob draft, LeaseFold leases) {
        this.draft = draft;
        this.leases = leases;
    }

    /// A second attempt that has not begun will not begin any more.
    void pause(JobPaused e) {
        if (draft.isActive()) {
            for (var branch : draft.branches) {
                PendingEffects.ofBranch(branch).stream()
                        .filter(PendingEffects::isPutOff)
                        .forEach(draft.ended::add);
            }
            for (var task : draft.tasks) {
                if (task.hedge().isPresent() && Hedge.leased(task).isEmpty()) {
                    draft.put(leases.endHedge(task, false));
                }
                if (task.state() instanceof Task.Open(Attempt.Queued queued, int _, var _)) {
                    draft.ended.addAll(PendingEffects.ofQueued(task, queued, draft.spec()));
                }
            }
        }
        var pause = new Pause(draft.nextId(0), e.by(), e.reason(), e.at());
        draft.pause = Optional.of(pause);
        draft.asked.add(PendingEffects.ofPause(pause));
    }

    /// Timers keep their times, except that the time in which a task must find a worker begins again.
    void resume(JobResumed e) {
        draft.endPause();
        if (!draft.isActive()) {
            return;
        }
        for (var branch : draft.branches) {
            var again = branch.with(renewed(branch.doing(), draft.nextId(branch.id())));
            draft.branches = draft.branches.set(branch.id(), again);
            PendingEffects.ofBranch(again).stream()
                    .filter(PendingEffects::isPutOff)
                    .forEach(draft.asked::add);
        }
        for (var task : draft.tasks) {
            if (task.state() instanceof Task.Open(Attempt.Queued queued, int failed, var lostBy)) {
                draft.put(
                        leases.queued(
                                task,
                                queued.attempt(),
                                failed,
                                lostBy,
                                queued.notBefore(),
                                TASK_ORDINALS + 2 * task.id(),
                                e.at()));
            }
        }
    }

    /// The same, for which an effect with another id asks: the old one is over.
    private static Branch.Doing renewed(Branch.Doing doing, EffectId id) {
        return switch (doing) {
            case Branch.Stepping(var _, var cause, int failures) ->
                    new Branch.Stepping(id, cause, failures);
            case Branch.BackingOff(var timer, var cause, int failures) ->
                    new Branch.BackingOff(new Timer(id, timer.at()), cause, failures);
            case Branch.Waiting(var timer, var next) ->
                    new Branch.Waiting(new Timer(id, timer.at()), next);
            case Branch.AwaitingSignal(
                            var wait,
                            var signal,
                            var next,
                            var deadline,
                            var otherwise) ->
                    new Branch.AwaitingSignal(
                            wait,
                            signal,
                            next,
                            deadline.map(timer -> new Timer(id, timer.at())),
                            otherwise);
            case Branch.AwaitingApproval(var wait, var approval, var deadline) ->
                    new Branch.AwaitingApproval(
                            wait, approval, deadline.map(timer -> new Timer(id, timer.at())));
            case Branch.AwaitingTask _,
                    Branch.AwaitingTasks _,
                    Branch.AwaitingBranches _,
                    Branch.AwaitingChild _,
                    Branch.AwaitingChildren _,
                    Branch.Over _,
                    Branch.Stopped _ ->
                    doing;
        };
    }
}
