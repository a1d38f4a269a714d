package dev.artel.kernel.job;

import dev.artel.json.JsonObject;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.LinkedHashMap;
import java.util.Optional;

/// The part of [Folding] that is about other jobs.
final class FamilyFolding {
    /// Many children may be stopped by one event: the child's number keeps the ids apart. Behind those of the leases that
    /// the same event revokes.
    private static final int STOP_ORDINALS = 3 << 24;

    /// Behind those of the phase.
    private static final int TELLING = (1 << 25) - 1;

    private final JobDraft draft;

    FamilyFolding(JobDraft draft) {
        this.draft = draft;
    }

    private Child child(int number) {
        return draft.family.children().get(number);
    }

    void request(JobEvent.ChildRequested e) {
        var start = draft.nextId(0);
        var child =
                new Child(
                        draft.family.children().size(),
                        JobId.ofChild(draft.id, start),
                        e.strand(),
                        start,
                        e.spec(),
                        e.steps(),
                        new Child.Asked());
        draft.family = draft.family.and(child);
        draft.asked.add(FamilyEffects.ofChild(draft.id, draft.spec(), child).orElseThrow());
        draft.doing(e.strand(), new Strand.AwaitingChild(child.number(), e.on()));
    }

    void requestAll(JobEvent.ChildrenRequested e) {
        var first = draft.family.children().size();
        var group =
                Gathering.of(
                        first,
                        e.initialData().size(),
                        e.window(),
                        e.policy(),
                        e.join(),
                        e.otherwise());
        for (var i = 0; i < group.count(); i++) {
            var start = draft.nextId(i);
            var child =
                    new Child(
                            first + i,
                            JobId.ofChild(draft.id, start),
                            e.strand(),
                            start,
                            e.spec().withInitialData(e.initialData().get(i)),
                            e.steps(),
                            i < group.started() ? new Child.Asked() : new Child.Planned());
            draft.family = draft.family.and(child);
            FamilyEffects.ofChild(draft.id, draft.spec(), child).ifPresent(draft.asked::add);
        }
        draft.doing(e.strand(), new Strand.AwaitingChildren(group));
    }

    void started(int number) {
        var child = child(number);
        become(
                switch (child.state()) {
                    case Child.Unwanted _ -> child.with(new Child.Stopping(draft.nextId(0)));
                    case Child.Asked _ when child.spec().mode().isAwaited() ->
                            child.with(new Child.Running(draft.nextId(0)));
                    case Child.Asked _ -> child.with(new Child.Free());
                    case Child.Planned _,
                            Child.Withdrawn _,
                            Child.Running _,
                            Child.Free _,
                            Child.Stopping _,
                            Child.Stopped _,
                            Child.Refused _,
                            Child.Ended _ ->
                            child;
                });
        if (child(number).state() instanceof Child.Free) {
            done(child);
        }
    }

    void refused(JobEvent.ChildRefused e) {
        become(child(e.child()).with(new Child.Refused(e.reason())));
        hear(e.child(), refusal(e.reason()));
        count(e.child(), false);
    }

    void stopped(int number) {
        become(child(number).with(new Child.Stopped()));
    }

    void ended(JobEvent.ChildEnded e) {
        var report = e.report();
        var isFinished = report.outcome().equals(Outcomes.FINISHED);
        var said = isOneOfMany(e.child()) ? report.data() : Payload.EMPTY;
        become(child(e.child()).with(new Child.Ended(report.outcome(), report.steps(), said)));
        hear(e.child(), report.data());
        if (isFinished) {
            done(child(e.child()));
        }
        count(e.child(), isFinished);
    }

    private boolean isOneOfMany(int number) {
        return draft.strands.get(child(number).strand()).doing()
                        instanceof Strand.AwaitingChildren(var group)
                && group.has(number);
    }

    /// Notes the end of one of several children, and lets the next one begin.
    private void count(int number, boolean success) {
        var strand = draft.strands.get(child(number).strand());
        if (!isOneOfMany(number)
                || draft.phase instanceof Job.Ended
                || draft.phase instanceof Job.Cancelling) {
            return;
        }
        var group = ((Strand.AwaitingChildren) strand.doing()).children();
        var counted = success ? group.afterSuccess() : group.afterFailure();
        if (counted.verdict() == JoinPolicy.Verdict.WAIT && counted.hasMoreToStart()) {
            var next = child(counted.first() + counted.next());
            counted = counted.afterStart(next.number());
            become(next.with(new Child.Asked()));
        }
        draft.become(strand.with(new Strand.AwaitingChildren(counted)));
    }

    /// Behind the end of the job nothing is undone any more.
    private void done(Child child) {
        if (!(draft.phase instanceof Job.Ended)) {
            draft.undo = draft.undo.complete(child.strand());
        }
    }

    /// What a child says counts while somebody waits for it.
    private void hear(int number, Payload said) {
        var child = child(number);
        var isAwaited =
                draft.strands.get(child.strand()).doing()
                                instanceof Strand.AwaitingChild(int it, var _)
                        && it == number;
        if (isAwaited
                && !(draft.phase instanceof Job.Ended || draft.phase instanceof Job.Cancelling)) {
            draft.data = draft.data.merge(said(child, said));
        }
    }

    /// Nobody waits for the child any more.
    void unwant(int number) {
        var child = child(number);
        switch (child.state()) {
            case Child.Asked _ when child.spec().mode().isAwaited() ->
                    become(child.with(new Child.Unwanted()));
            case Child.Running _ -> {
                var stop = draft.nextId(STOP_ORDINALS + number);
                become(child.with(new Child.Stopping(stop)));
            }
            case Child.Planned _ -> become(child.with(new Child.Withdrawn()));
            case Child.Asked _,
                    Child.Withdrawn _,
                    Child.Unwanted _,
                    Child.Free _,
                    Child.Stopping _,
                    Child.Stopped _,
                    Child.Refused _,
                    Child.Ended _ -> {}
        }
    }

    void unwantAll() {
        for (var number = 0; number < draft.family.children().size(); number++) {
            unwant(number);
        }
    }

    /// A report to the parent becomes pending, if there is a parent that waits for it.
    void tell(String outcome, Optional<String> reason) {
        var lineage = draft.spec().lineage();
        if (lineage.isEmpty() || !lineage.get().mode().isAwaited()) {
            return;
        }
        withdrawTelling();
        draft.family =
                draft.family.telling(
                        Optional.of(new Family.Telling(draft.nextId(TELLING), outcome, reason)));
        FamilyEffects.ofTelling(draft.spec(), draft.family).ifPresent(draft.asked::add);
    }

    void withdrawTelling() {
        FamilyEffects.ofTelling(draft.spec(), draft.family).ifPresent(draft.ended::add);
        draft.family = draft.family.telling(Optional.empty());
    }

    private void become(Child next) {
        var before = child(next.number());
        var was = FamilyEffects.ofChild(draft.id, draft.spec(), before);
        var is = FamilyEffects.ofChild(draft.id, draft.spec(), next);
        if (!was.equals(is)) {
            was.ifPresent(draft.ended::add);
            is.ifPresent(draft.asked::add);
        }
        draft.family = draft.family.with(next);
    }

    /// What a child has said, under its name.
    private static JobData said(Child child, Payload said) {
        var values = new LinkedHashMap<String, Payload>();
        values.put(child.spec().as(), said);
        return new JobData(values);
    }

    /// What a child that never began has to say.
    private static Payload refusal(String reason) {
        return Payload.of(
                JsonObject.builder()
                        .put("outcome", Outcomes.FAILED)
                        .put("error_message", reason)
                        .build());
    }
}
