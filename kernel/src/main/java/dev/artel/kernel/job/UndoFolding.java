package dev.artel.kernel.job;

import dev.artel.kernel.job.JobEvent.UndoBegun;
import dev.artel.kernel.job.JobEvent.UndoDeclared;
import java.util.Optional;

/// The part of [Folding] that is about undoing what was done.
final class UndoFolding {
    private final JobDraft draft;
    private final TaskFolding tasks;
    private final FamilyFolding family;

    UndoFolding(JobDraft draft, TaskFolding tasks, FamilyFolding family) {
        this.draft = draft;
        this.tasks = tasks;
        this.family = family;
    }

    void declare(UndoDeclared e) {
        var state = draft.strands.get(e.strand()).state();
        draft.undo = draft.undo.declare(new Undo.Done(e.strand(), state, e.by()));
    }

    /// All that goes on stops, and a strand begins in which it is undone.
    void begin(UndoBegun e) {
        draft.endStrandEffects();
        draft.endUndoGrace();
        tasks.withdrawAll();
        family.unwantAll();
        for (var strand : draft.strands) {
            if (!strand.isOver()) {
                draft.approvalIsOver(strand, new Approvals.Withdrawn(), e.at());
                draft.strands = draft.strands.set(strand.id(), strand.with(new Strand.Stopped()));
            }
        }
        if (!draft.isActive()) {
            draft.phase(new Job.Active());
        }
        draft.deadline.map(Effects::ofDeadline).ifPresent(draft.ended::add);
        var limit = new Alarm(draft.nextId(0), e.limit());
        draft.deadline = Optional.of(limit);
        draft.asked.add(Effects.ofDeadline(limit));
        var grace =
                e.graceUntil()
                        .filter(_ -> draft.lingering > 0 || draft.family.leaving() > 0)
                        .map(until -> new Alarm(draft.nextId(1), until));
        grace.map(Effects::ofGrace).ifPresent(draft.asked::add);
        var strand = draft.strands.size();
        draft.strands =
                draft.strands.append(
                        Strand.fresh(
                                strand,
                                strand,
                                draft.strands.get(0).state(),
                                new Strand.Stopped()));
        var kept =
                switch (e.aim()) {
                    case Undo.End _ -> 0;
                    case Undo.Back(var to, var _) ->
                            Math.clamp(to.done(), 0, draft.undo.done().size());
                };
        var atWork =
                draft.family.children().stream()
                        .filter(child -> grace.isPresent() && child.isLeaving())
                        .map(Child::strand)
                        .toList();
        draft.undo =
                draft.undo.begin(
                        new Undo.Running(e.aim(), strand, kept, draft.undo.undone().size(), grace),
                        atWork);
    }

    /// A job that is undone for a person goes on, or is cancelled on the way.
    void leave() {
        if (draft.undo.running().isEmpty()) {
            return;
        }
        draft.undo
                .running()
                .flatMap(Undo.Running::grace)
                .map(Effects::ofGrace)
                .ifPresent(draft.ended::add);
        draft.undo = draft.undo.over();
        draft.deadline.map(Effects::ofDeadline).ifPresent(draft.ended::add);
        draft.deadline =
                draft.spec().options().deadline().map(at -> new Alarm(draft.nextId(1), at));
        draft.deadline.map(Effects::ofDeadline).ifPresent(draft.asked::add);
    }
}
