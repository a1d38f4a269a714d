package dev.artel.kernel.rules;

import dev.artel.json.JsonObject;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.Children;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.LinkedHashMap;
import java.util.Optional;

/// The part of [JobFold] that is about other jobs.
final class ChildFold {
    /// Many children may be stopped by one event: the child's number keeps the ids apart. Behind those of the leases that
    /// the same event revokes.
    private static final int STOP_ORDINALS = 3 << 24;

    /// Behind those of the phase.
    private static final int PARENT_NOTIFICATION = (1 << 25) - 1;

    private final MutableJob draft;

    ChildFold(MutableJob draft) {
        this.draft = draft;
    }

    private Child child(int number) {
        return draft.children.children().get(number);
    }

    void request(JobEvent.ChildRequested e) {
        var start = draft.nextId(0);
        var child =
                new Child(
                        draft.children.children().size(),
                        JobId.ofChild(draft.id, start),
                        e.branch(),
                        start,
                        e.spec(),
                        e.steps(),
                        new Child.Asked());
        draft.children = draft.children.and(child);
        grant(child.granted());
        draft.asked.add(ChildEffects.ofChild(draft.id, draft.spec(), child).orElseThrow());
        draft.doing(e.branch(), new Branch.AwaitingChild(child.number(), e.on()));
    }

    void requestAll(JobEvent.ChildrenRequested e) {
        var first = draft.children.children().size();
        var group =
                JoinState.of(
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
                            e.branch(),
                            start,
                            e.spec().withInitialData(e.initialData().get(i)),
                            e.steps(),
                            i < group.started() ? new Child.Asked() : new Child.Planned());
            draft.children = draft.children.and(child);
            ChildEffects.ofChild(draft.id, draft.spec(), child).ifPresent(draft.asked::add);
        }
        grant(e.spec().granted().times(group.count()));
        draft.doing(e.branch(), new Branch.AwaitingChildren(group));
    }

    private void grant(Spending amount) {
        draft.budget = draft.budget.map(ledger -> ledger.grant(amount));
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
        var isKept = isOneOfMany(e.child()) || !isFinished || isCompensatedAlone(e.child());
        var result = isKept ? report.data() : Payload.EMPTY;
        become(child(e.child()).with(new Child.Ended(report.outcome(), report.steps(), result)));
        if (child(e.child()).spec().mode().isAwaited()) {
            draft.budget =
                    draft.budget.map(ledger -> ledger.returned(Spending.NONE, report.spent()));
        }
        hear(e.child(), report.data());
        if (isFinished) {
            done(child(e.child()));
        }
        count(e.child(), isFinished);
    }

    /// Whether a state compensates it with its own result, whatever the job's data have by then.
    private boolean isCompensatedAlone(int number) {
        return draft.compensationLog
                .declared(child(number).branch())
                .map(CompensationLog.Entry::by)
                .filter(by ->
                        by instanceof Compensation.ByState(var _, var subject)
                                && subject.isPresent())
                .isPresent();
    }

    private boolean isOneOfMany(int number) {
        return draft.branches.get(child(number).branch()).doing()
                        instanceof Branch.AwaitingChildren(var group)
                && group.has(number);
    }

    /// Notes the end of one of several children, and lets the next one begin.
    private void count(int number, boolean success) {
        var branch = draft.branches.get(child(number).branch());
        if (!isOneOfMany(number)
                || draft.phase instanceof Job.Ended
                || draft.phase instanceof Job.Cancelling) {
            return;
        }
        var group = ((Branch.AwaitingChildren) branch.doing()).children();
        var counted = success ? group.afterSuccess() : group.afterFailure();
        if (counted.progress() == JoinPolicy.Progress.WAIT && counted.hasMoreToStart()) {
            var next = child(counted.first() + counted.next());
            counted = counted.afterStart(next.number());
            become(next.with(new Child.Asked()));
        }
        draft.become(branch.with(new Branch.AwaitingChildren(counted)));
    }

    /// Behind the end of the job nothing is compensated any more.
    private void done(Child child) {
        if (!(draft.phase instanceof Job.Ended)) {
            draft.compensationLog = draft.compensationLog.complete(child.branch());
        }
    }

    /// The result of a child counts while its parent waits for it.
    private void hear(int number, Payload result) {
        var child = child(number);
        var isAwaited =
                draft.branches.get(child.branch()).doing()
                                instanceof Branch.AwaitingChild(int it, var _)
                        && it == number;
        if (isAwaited
                && !(draft.phase instanceof Job.Ended || draft.phase instanceof Job.Cancelling)) {
            draft.data = draft.data.merge(named(child, result));
        }
    }

    /// The parent no longer waits for the child.
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
        for (var number = 0; number < draft.children.children().size(); number++) {
            unwant(number);
        }
    }

    /// A report to the parent becomes pending, if there is a parent that waits for it.
    void notifyParent(String outcome, Optional<String> reason) {
        var parentLink = draft.spec().parentLink();
        if (parentLink.isEmpty() || !parentLink.get().mode().isAwaited()) {
            return;
        }
        withdrawParentNotification();
        draft.children =
                draft.children.parentNotification(
                        Optional.of(
                                new Children.ParentNotification(
                                        draft.nextId(PARENT_NOTIFICATION), outcome, reason)));
        ChildEffects.ofParentNotification(draft.spec(), draft.children).ifPresent(draft.asked::add);
    }

    void withdrawParentNotification() {
        ChildEffects.ofParentNotification(draft.spec(), draft.children).ifPresent(draft.ended::add);
        draft.children = draft.children.parentNotification(Optional.empty());
    }

    private void become(Child next) {
        var before = child(next.number());
        var was = ChildEffects.ofChild(draft.id, draft.spec(), before);
        var is = ChildEffects.ofChild(draft.id, draft.spec(), next);
        if (!was.equals(is)) {
            was.ifPresent(draft.ended::add);
            is.ifPresent(draft.asked::add);
        }
        if (draft.budget.isPresent() && !before.granted().equals(next.granted())) {
            draft.budget =
                    Optional.of(draft.budget.get().returned(before.granted(), Spending.NONE));
        }
        draft.children = draft.children.with(next);
    }

    /// The result of a child, under its name.
    private static JobData named(Child child, Payload result) {
        var values = new LinkedHashMap<String, Payload>();
        values.put(child.spec().as(), result);
        return new JobData(values);
    }

    /// The result of a child that never began.
    private static Payload refusal(String reason) {
        return Payload.of(
                JsonObject.builder()
                        .put("outcome", Outcomes.FAILED)
                        .put("error_message", reason)
                        .build());
    }
}
