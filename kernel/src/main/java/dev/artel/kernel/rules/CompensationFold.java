package dev.artel.kernel.rules;

import dev.artel.kernel.approval.Approvals;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent.CompensationRegistered;
import dev.artel.kernel.job.JobEvent.CompensationStarted;
import dev.artel.kernel.timer.Timer;
import java.util.Optional;

/// The part of [JobFold] that compensates what was done.
final class CompensationFold {
    private final MutableJob draft;
    private final TaskFold tasks;
    private final ChildFold children;

    CompensationFold(MutableJob draft, TaskFold tasks, ChildFold children) {
        this.draft = draft;
        this.tasks = tasks;
        this.children = children;
    }

    void declare(CompensationRegistered e) {
        var state = draft.branches.get(e.branch()).state();
        draft.compensationLog =
                draft.compensationLog.declare(
                        new CompensationLog.Entry(
                                e.branch(),
                                state,
                                e.by(),
                                draft.tasks.size(),
                                draft.children.children().size()));
    }

    /// All that goes on stops, and a branch begins in which it is compensated.
    void begin(CompensationStarted e) {
        draft.endBranchEffects();
        draft.endCompensationGrace();
        tasks.withdrawAll();
        children.unwantAll();
        for (var branch : draft.branches) {
            if (!branch.isOver()) {
                draft.approvalIsOver(branch, new Approvals.Withdrawn(), e.at());
                draft.branches = draft.branches.set(branch.id(), branch.with(new Branch.Stopped()));
            }
        }
        if (e.aim() instanceof CompensationLog.End) {
            draft.endPause();
        }
        if (!draft.isActive()) {
            draft.phase(new Job.Active(false));
        }
        draft.deadline.map(PendingEffects::ofDeadline).ifPresent(draft.ended::add);
        var limit = new Timer(draft.nextId(0), e.limit());
        draft.deadline = Optional.of(limit);
        draft.asked.add(PendingEffects.ofDeadline(limit));
        var grace =
                e.graceUntil()
                        .filter(_ -> draft.lingering > 0 || draft.children.leaving() > 0)
                        .map(until -> new Timer(draft.nextId(1), until));
        grace.map(PendingEffects::ofGrace).ifPresent(draft.asked::add);
        var branch = draft.branches.size();
        draft.branches =
                draft.branches.append(
                        Branch.fresh(
                                branch,
                                branch,
                                draft.branches.get(0).state(),
                                new Branch.Stopped()));
        var kept =
                switch (e.aim()) {
                    case CompensationLog.End _ -> 0;
                    case CompensationLog.Back(var to, var _) ->
                            Math.clamp(to.done(), 0, draft.compensationLog.registered().size());
                };
        var atWork =
                draft.children.children().stream()
                        .filter(child -> grace.isPresent() && child.isLeaving())
                        .map(Child::branch)
                        .toList();
        draft.compensationLog =
                draft.compensationLog.begin(
                        new CompensationLog.Running(
                                e.aim(),
                                branch,
                                kept,
                                draft.compensationLog.compensated().size(),
                                grace),
                        atWork);
    }

    /// A job that is compensated for a person goes on, or is cancelled on the way.
    void leave() {
        if (draft.compensationLog.running().isEmpty()) {
            return;
        }
        draft.compensationLog
                .running()
                .flatMap(CompensationLog.Running::grace)
                .map(PendingEffects::ofGrace)
                .ifPresent(draft.ended::add);
        draft.compensationLog = draft.compensationLog.over();
        draft.deadline.map(PendingEffects::ofDeadline).ifPresent(draft.ended::add);
        draft.deadline =
                draft.spec().options().deadline().map(at -> new Timer(draft.nextId(1), at));
        draft.deadline.map(PendingEffects::ofDeadline).ifPresent(draft.asked::add);
    }
}
