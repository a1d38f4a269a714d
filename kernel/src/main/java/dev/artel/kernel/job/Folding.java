package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.job.JobEvent.ApprovalDecided;
import dev.artel.kernel.job.JobEvent.ApprovalRequested;
import dev.artel.kernel.job.JobEvent.AttemptDropped;
import dev.artel.kernel.job.JobEvent.AttemptFailed;
import dev.artel.kernel.job.JobEvent.BranchEnded;
import dev.artel.kernel.job.JobEvent.BranchesStopped;
import dev.artel.kernel.job.JobEvent.CancelHandled;
import dev.artel.kernel.job.JobEvent.CancelRequested;
import dev.artel.kernel.job.JobEvent.ChildEnded;
import dev.artel.kernel.job.JobEvent.ChildRefused;
import dev.artel.kernel.job.JobEvent.ChildRequested;
import dev.artel.kernel.job.JobEvent.ChildStarted;
import dev.artel.kernel.job.JobEvent.ChildStopped;
import dev.artel.kernel.job.JobEvent.Forked;
import dev.artel.kernel.job.JobEvent.HedgeBegun;
import dev.artel.kernel.job.JobEvent.JobEnded;
import dev.artel.kernel.job.JobEvent.JobForked;
import dev.artel.kernel.job.JobEvent.JobMended;
import dev.artel.kernel.job.JobEvent.JobQuarantined;
import dev.artel.kernel.job.JobEvent.JobRewound;
import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.job.JobEvent.LeaseGranted;
import dev.artel.kernel.job.JobEvent.LeaseLost;
import dev.artel.kernel.job.JobEvent.LeaseReleased;
import dev.artel.kernel.job.JobEvent.LeaseReturned;
import dev.artel.kernel.job.JobEvent.OutcomeResolved;
import dev.artel.kernel.job.JobEvent.OutcomeUnknown;
import dev.artel.kernel.job.JobEvent.ParentInformed;
import dev.artel.kernel.job.JobEvent.SignalAwaited;
import dev.artel.kernel.job.JobEvent.SignalReceived;
import dev.artel.kernel.job.JobEvent.StateEntered;
import dev.artel.kernel.job.JobEvent.StepDone;
import dev.artel.kernel.job.JobEvent.StepFailed;
import dev.artel.kernel.job.JobEvent.StepRetried;
import dev.artel.kernel.job.JobEvent.TaskFailed;
import dev.artel.kernel.job.JobEvent.TaskOpened;
import dev.artel.kernel.job.JobEvent.TaskReused;
import dev.artel.kernel.job.JobEvent.TaskSucceeded;
import dev.artel.kernel.job.JobEvent.TasksOpened;
import dev.artel.kernel.job.JobEvent.TasksWithdrawn;
import dev.artel.kernel.job.JobEvent.UndoBegun;
import dev.artel.kernel.job.JobEvent.UndoDeclared;
import dev.artel.kernel.job.JobEvent.Undone;
import dev.artel.kernel.job.JobEvent.WaitBegun;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Applies events to a job one by one and notes the effects that each asks for, and answers or withdraws.
///
/// One row per event, no rule: whether an event may happen is decided before. Not safe for use by many threads.
final class Folding {
    private final JobId id;
    private final List<Effect> asked = new ArrayList<>();
    private final List<Effect> ended = new ArrayList<>();
    private long version;
    private @Nullable JobSubmitted submission;
    private Job.Phase phase = new Job.Active();
    private JobData data = JobData.EMPTY;
    private PersistentVector<Strand> strands = PersistentVector.empty();
    private PersistentVector<Task> tasks = PersistentVector.empty();
    private Signals signals = Signals.NONE;
    private Approvals approvals = Approvals.NONE;
    private List<Recorded> recorded = List.of();
    private Optional<Alarm> deadline = Optional.empty();
    private int leased;
    private int lingering;
    private int entered;
    private Allowance allowance = Allowance.FRESH;
    private FamilyFolding family;
    private Undo undo = Undo.NONE;
    private Notices notices = Notices.NONE;

    Folding(JobState state) {
        id = state.id();
        version = state.version();
        family = new FamilyFolding(id, Family.NONE, asked, ended);
        if (state instanceof Job job) {
            submission = new JobSubmitted(job.spec(), job.submitted());
            phase = job.phase();
            data = job.data();
            strands = job.strands();
            tasks = job.tasks();
            signals = job.signals();
            approvals = job.approvals();
            recorded = job.recorded();
            deadline = job.deadline();
            leased = job.leased();
            lingering = job.lingering();
            entered = job.entered();
            allowance = job.allowance();
            family = new FamilyFolding(id, job.family(), asked, ended);
            undo = job.undo();
            notices = job.notices();
        }
    }

    JobState state() {
        return submission == null ? new JobState.Unsubmitted(id) : job();
    }

    /// The job, which must have been submitted.
    Job job() {
        var first = submission();
        return new Job(
                id,
                version,
                first.spec(),
                first.at(),
                phase,
                data,
                strands,
                tasks,
                signals,
                approvals,
                recorded,
                deadline,
                leased,
                lingering,
                entered,
                allowance,
                family.family(),
                undo,
                notices);
    }

    private JobSubmitted submission() {
        if (submission == null) {
            throw new IllegalStateException("job " + id + " has no events");
        }
        return submission;
    }

    List<Effect> asked() {
        return asked;
    }

    List<Effect> ended() {
        return ended;
    }

    void apply(JobEvent event) {
        version++;
        switch (event) {
            case JobSubmitted e -> submit(e);
            case StateEntered e -> enter(e);
            case StepDone e -> stepDone(e);
            case StepFailed e -> stepFailed(e);
            case StepRetried e -> stepRetried(e);
            case TaskOpened e -> open(e);
            case TasksOpened e -> open(e);
            case LeaseGranted e -> grant(e);
            case AttemptFailed e -> attemptFailed(e);
            case HedgeBegun e -> begin(e);
            case AttemptDropped e -> dropped(e);
            case LeaseLost e -> lost(e);
            case LeaseReturned e -> returned(e);
            case LeaseReleased e -> released(e);
            case TaskSucceeded e -> succeeded(e);
            case TaskFailed e -> failed(e);
            case OutcomeUnknown e -> unknown(e);
            case OutcomeResolved e -> resolved(e);
            case JobEvent.QuestionAsked e -> asked(e);
            case JobEvent.QuestionAnswered e -> answered(e);
            case TasksWithdrawn e -> withdrawTasksOf(e.strand());
            case Forked e -> fork(e);
            case BranchEnded e -> branchEnded(e);
            case BranchesStopped e -> stopBranchesOf(e.strand(), e.at());
            case WaitBegun e ->
                    doing(
                            e.strand(),
                            new Strand.Waiting(new Alarm(nextId(0), e.until()), e.next()));
            case SignalAwaited e -> awaitSignal(e);
            case SignalReceived(var signal, var sent, var payload, var sender, var at) ->
                    signals = signals.with(new Signals.Received(signal, sent, payload, sender, at));
            case ApprovalRequested e -> requestApproval(e);
            case ApprovalDecided e -> approvalDecided(e);
            case ChildRequested e -> request(e);
            case ChildStarted e -> {
                family.started(e.child(), version, spec());
                if (family.child(e.child()).state() instanceof Child.Free
                        && !(phase instanceof Job.Ended)) {
                    undo = undo.complete(family.child(e.child()).strand());
                }
            }
            case ChildRefused e -> {
                family.refused(e, spec());
                hear(e.child(), FamilyFolding.refusal(e.reason()));
            }
            case ChildEnded e -> {
                family.ended(e, spec());
                hear(e.child(), e.report().data());
                // Behind the end of the job nothing is undone any more.
                if (e.report().outcome().equals(Outcomes.FINISHED)
                        && !(phase instanceof Job.Ended)) {
                    undo = undo.complete(family.child(e.child()).strand());
                }
            }
            case ChildStopped e -> family.stopped(e.child(), spec());
            case ParentInformed _ -> family.withdrawTelling(spec());
            case UndoDeclared e ->
                    undo =
                            undo.declare(
                                    new Undo.Done(
                                            e.strand(), strands.get(e.strand()).state(), e.by()));
            case UndoBegun e -> beginUndo(e);
            case Undone e -> {
                stop(undo.running().orElseThrow().strand(), e.at());
                undo = undo.undone(e.failure());
            }
            case CancelRequested e -> cancel(e);
            case CancelHandled _ -> {
                phase(new Job.Active());
                allowAgain();
            }
            case JobQuarantined e -> quarantine(e);
            case JobForked e -> {
                data = e.data();
                recorded = e.recorded();
            }
            case TaskReused e -> reused(e);
            case JobMended e -> mended(e);
            case JobRewound e -> rewound(e);
            case JobEnded e -> end(e);
            case JobEvent.WebhookDelivered e -> notices = Notifying.delivered(notices, e, ended);
            case JobEvent.WebhookGivenUp e -> notices = Notifying.givenUp(notices, e, ended);
        }
        notices = Notifying.after(notices, spec().options(), event, version, asked);
    }

    private JobSpec spec() {
        return submission().spec();
    }

    private EffectId nextId(int ordinal) {
        return new EffectId(version, ordinal);
    }

    // The job as a whole

    private void submit(JobSubmitted e) {
        submission = e;
        strands = strands.append(fresh(0, 0, e.spec().start(), new Strand.Stopped()));
        deadline = e.spec().options().deadline().map(at -> new Alarm(nextId(0), at));
        deadline.map(Effects::ofDeadline).ifPresent(asked::add);
    }

    private void cancel(CancelRequested e) {
        leaveUndo();
        endStrandEffects();
        for (var task : tasks) {
            if (task.state() instanceof Task.Open(Delivery.Held held, int _, var _)) {
                linger(task, held, new Task.Cancelled());
            } else if (task.isUnsettled()) {
                settle(task, new Task.Cancelled());
            }
        }
        family.unwantAll(version, spec());
        phase(new Job.Cancelling(e.reason(), new Alarm(nextId(0), e.graceUntil())));
    }

    private void quarantine(JobQuarantined e) {
        endStrandEffects();
        if (isActive()) {
            for (var task : tasks) {
                if (task.hedge().isPresent() && Hedge.leased(task).isEmpty()) {
                    put(endHedge(task, false));
                }
                if (task.state() instanceof Task.Open(Delivery.Queued queued, int _, var _)) {
                    ended.addAll(Effects.ofQueued(task, queued, submission().spec()));
                } else if (task.state() instanceof Task.Doubtful doubt) {
                    ended.add(Effects.ofDoubtful(task, doubt));
                }
                task.asked()
                        .ifPresent(question ->
                                ended.add(Effects.ofAsked(task, question, true).getFirst()));
            }
        }
        phase(new Job.Quarantined(e.reason(), nextId(0)));
        if (spec().lineage()
                .filter(lineage -> lineage.mode() == ChildMode.AWAITED_UNLESS_QUARANTINED)
                .isPresent()) {
            family.tell(ChildReport.QUARANTINED, Optional.of(e.reason()), version, spec());
        }
    }

    /// What was used up before a person let the job go on counts no more.
    private void allowAgain() {
        allowance = new Allowance(entered, version);
        for (var strand : strands) {
            strands = strands.set(strand.id(), strand.withoutTrail());
        }
    }

    private static Strand fresh(int id, int parent, String state, Strand.Doing doing) {
        return new Strand(id, parent, state, doing, 0, Trail.NONE);
    }

    /// A strand that was stopped as it entered its state asks for nothing meanwhile, and is not asked for anew.
    private void activate() {
        var strand = strands.get(0);
        if (strand.doing() instanceof Strand.Stepping) {
            strands = strands.set(0, strand.with(new Strand.Stopped()));
        }
        phase(new Job.Active());
    }

    private void mended(JobMended e) {
        activate();
        allowAgain();
        data =
                data.merge(
                        switch (e.how()) {
                            case Mending.Retry(var changes) -> changes;
                            case Mending.Skip(var _, var result) -> JobData.ofResult(result);
                            case Mending.Release _, Mending.Discard _ -> JobData.EMPTY;
                        });
    }

    private void rewound(JobRewound e) {
        if (!isActive()) {
            activate();
        }
        allowAgain();
        leaveUndo();
        stop(0, e.at());
        strands = strands.set(0, strands.get(0).in(e.to(), new Strand.Stopped()));
        data = e.data();
    }

    private void end(JobEnded e) {
        endStrandEffects();
        for (var task : tasks) {
            if (task.isUnsettled()) {
                withdraw(task);
            }
        }
        deadline.map(Effects::ofDeadline).ifPresent(ended::add);
        deadline = Optional.empty();
        endUndoGrace();
        family.unwantAll(version, spec());
        undo = undo.withoutDeclared();
        phase(new Job.Ended(e.outcome(), e.at()));
        switch (e.outcome()) {
            case JobOutcome.Finished _ ->
                    family.tell(Outcomes.FINISHED, Optional.empty(), version, spec());
            case JobOutcome.Failed(var reason) ->
                    family.tell(Outcomes.FAILED, Optional.of(reason), version, spec());
            case JobOutcome.Cancelled(var reason) ->
                    family.tell(Outcomes.CANCELLED, Optional.of(reason), version, spec());
        }
    }

    /// All that goes on stops, and a strand begins in which it is undone.
    private void beginUndo(UndoBegun e) {
        endStrandEffects();
        endUndoGrace();
        for (var task : tasks) {
            if (task.isUnsettled()) {
                withdraw(task);
            }
        }
        family.unwantAll(version, spec());
        for (var strand : strands) {
            if (!strand.isOver()) {
                approvalIsOver(strand, new Approvals.Withdrawn(), e.at());
                strands = strands.set(strand.id(), strand.with(new Strand.Stopped()));
            }
        }
        if (!isActive()) {
            phase(new Job.Active());
        }
        deadline.map(Effects::ofDeadline).ifPresent(ended::add);
        var limit = new Alarm(nextId(0), e.limit());
        deadline = Optional.of(limit);
        asked.add(Effects.ofDeadline(limit));
        var grace =
                e.graceUntil()
                        .filter(_ -> lingering > 0 || family.family().leaving() > 0)
                        .map(until -> new Alarm(nextId(1), until));
        grace.map(Effects::ofGrace).ifPresent(asked::add);
        var strand = strands.size();
        strands =
                strands.append(fresh(strand, strand, strands.get(0).state(), new Strand.Stopped()));
        var kept =
                switch (e.aim()) {
                    case Undo.End _ -> 0;
                    case Undo.Back(var to, var _) -> Math.clamp(to.done(), 0, undo.done().size());
                };
        var atWork =
                family.family().children().stream()
                        .filter(child -> grace.isPresent() && child.isLeaving())
                        .map(Child::strand)
                        .toList();
        undo =
                undo.begin(
                        new Undo.Running(e.aim(), strand, kept, undo.undone().size(), grace),
                        atWork);
    }

    /// A job that is undone for a person goes on, or is cancelled on the way.
    private void leaveUndo() {
        if (undo.running().isEmpty()) {
            return;
        }
        undo.running().flatMap(Undo.Running::grace).map(Effects::ofGrace).ifPresent(ended::add);
        undo = undo.over();
        deadline.map(Effects::ofDeadline).ifPresent(ended::add);
        deadline = spec().options().deadline().map(at -> new Alarm(nextId(1), at));
        deadline.map(Effects::ofDeadline).ifPresent(asked::add);
    }

    private void endUndoGrace() {
        undo.running()
                .flatMap(Undo.Running::grace)
                .map(Effects::ofGrace)
                .ifPresent(grace -> {
                    ended.add(grace);
                    undo = undo.withoutGrace();
                });
    }

    // Other jobs

    private void request(ChildRequested e) {
        var child = family.request(e, version, spec());
        doing(e.strand(), new Strand.AwaitingChild(child.number(), e.on()));
    }

    /// What a child says counts while somebody waits for it.
    private void hear(int number, Payload said) {
        var child = family.child(number);
        var isAwaited =
                strands.get(child.strand()).doing() instanceof Strand.AwaitingChild(int it, var _)
                        && it == number;
        if (isAwaited && !(phase instanceof Job.Ended || phase instanceof Job.Cancelling)) {
            data = data.merge(FamilyFolding.said(child, said));
        }
    }

    private void endStrandEffects() {
        if (isActive()) {
            strands.forEach(strand -> ended.addAll(Effects.ofStrand(strand)));
        }
    }

    private void phase(Job.Phase next) {
        Effects.ofPhase(phase).ifPresent(ended::add);
        phase = next;
        Effects.ofPhase(next).ifPresent(asked::add);
    }

    private boolean isActive() {
        return phase instanceof Job.Active;
    }

    // Strands

    private void enter(StateEntered e) {
        entered += undo.running().isPresent() ? 0 : 1;
        undo = undo.undeclare(e.strand());
        endUndoGrace();
        var before = strands.get(e.strand());
        var cause = e.cause();
        if (cause instanceof StepCause.SignalTaken(var signal, var sent)) {
            takeSignal(before.id(), signal, sent);
        } else if (cause instanceof StepCause.Overdue) {
            approvalIsOver(before, new Approvals.Expired(), e.at());
        }
        // A strand that has waited is not stopped by its step, but by what it waited for.
        var isMove = cause instanceof StepCause.Moved && before.doing() instanceof Strand.Stopped;
        become(
                before.entering(
                        e.state(),
                        new Strand.Stepping(nextId(0), cause, 0),
                        isMove ? before.moves() + 1 : 0));
    }

    private void stepDone(StepDone e) {
        data = data.merge(e.changes());
        var strand = strands.get(e.strand());
        var state = e.passed().isEmpty() ? strand.state() : e.passed().getLast();
        become(strand.in(state, new Strand.Stopped()));
    }

    private void stepFailed(StepFailed e) {
        var strand = strands.get(e.strand());
        var stepping = (Strand.Stepping) strand.doing();
        become(
                strand.with(
                        e.retryAt()
                                .<Strand.Doing>map(at ->
                                        new Strand.BackingOff(
                                                new Alarm(nextId(0), at),
                                                stepping.cause(),
                                                stepping.failures() + 1))
                                .orElse(new Strand.Stopped())));
    }

    private void stepRetried(StepRetried e) {
        var strand = strands.get(e.strand());
        var waiting = (Strand.BackingOff) strand.doing();
        become(strand.with(new Strand.Stepping(nextId(0), waiting.cause(), waiting.failures())));
    }

    private void fork(Forked e) {
        var first = strands.size();
        entered += undo.running().isPresent() ? 0 : e.starts().size();
        for (var i = 0; i < e.starts().size(); i++) {
            var start = e.starts().get(i);
            var branch =
                    fresh(first + i, e.strand(), start, new Strand.Stopped())
                            .entering(
                                    start,
                                    new Strand.Stepping(nextId(i), new StepCause.Started(), 0),
                                    0);
            strands = strands.append(branch);
            ask(branch);
        }
        var count = e.starts().size();
        doing(
                e.strand(),
                new Strand.AwaitingBranches(
                        Gathering.of(first, count, count, e.policy(), e.join(), e.otherwise())));
    }

    private void branchEnded(BranchEnded e) {
        var strand = strands.get(e.strand());
        become(strand.with(new Strand.Over(e.failure().isEmpty(), e.hopeless())));
        var parent = strands.get(strand.parent());
        if (parent.id() != strand.id()
                && parent.doing() instanceof Strand.AwaitingBranches(var branches)) {
            become(
                    parent.with(
                            new Strand.AwaitingBranches(
                                    e.failure().isEmpty()
                                            ? branches.afterSuccess()
                                            : branches.afterFailure())));
        }
    }

    private void stopBranchesOf(int strand, Instant at) {
        if (strands.get(strand).doing() instanceof Strand.AwaitingBranches(var branches)) {
            for (var i = branches.first(); i < branches.first() + branches.count(); i++) {
                if (!strands.get(i).isOver()) {
                    stop(i, at);
                }
            }
        }
    }

    private void stop(int id, Instant at) {
        stopBranchesOf(id, at);
        withdrawTasksOf(id);
        approvalIsOver(strands.get(id), new Approvals.Withdrawn(), at);
        doing(id, new Strand.Stopped());
    }

    // Whom strands wait for

    private void awaitSignal(SignalAwaited e) {
        doing(
                e.strand(),
                new Strand.AwaitingSignal(
                        nextId(0), e.signal(), e.next(), alarm(e.until()), e.otherwise()));
    }

    private void takeSignal(int strand, String signal, String sent) {
        signals = signals.takenBy(strand, sent);
        var taken = signals.taken().get(strand);
        if (taken != null) {
            data = data.with(signal, taken.payload());
        }
    }

    private void requestApproval(ApprovalRequested e) {
        doing(e.strand(), new Strand.AwaitingApproval(nextId(0), e.approval(), alarm(e.until())));
    }

    private Optional<Alarm> alarm(Optional<Instant> until) {
        return until.map(at -> new Alarm(nextId(1), at));
    }

    private void approvalDecided(ApprovalDecided e) {
        var strand = strands.get(e.strand());
        approvalIsOver(strand, new Approvals.Decided(e.choice(), e.by()), e.at());
        data = data.with(Approving.DATA, Approving.document(e));
        become(strand.with(new Strand.Stopped()));
    }

    private void approvalIsOver(Strand strand, Approvals.End end, Instant at) {
        if (strand.doing() instanceof Strand.AwaitingApproval(var wait, var approval, var _)) {
            approvals =
                    approvals.with(
                            new Approvals.Past(
                                    wait.event(), strand.id(), approval.tokenDigest(), end, at));
        }
    }

    private void doing(int strand, Strand.Doing next) {
        become(strands.get(strand).with(next));
    }

    private void become(Strand next) {
        var before = strands.get(next.id());
        if (isActive()) {
            ended.addAll(Effects.ofStrand(before));
        }
        strands = strands.set(next.id(), next);
        ask(next);
    }

    /// An effect that was pending before the change stays the same one.
    private void ask(Strand strand) {
        if (isActive()) {
            asked.addAll(Effects.ofStrand(strand));
        }
    }

    // Tasks

    private void open(TaskOpened e) {
        endUndoGrace();
        var task = planned(tasks.size(), e.strand(), e.spec(), e.at());
        tasks = tasks.append(task);
        queue(task, 1, 0, List.of(), e.at(), 0, e.at());
        doing(e.strand(), new Strand.AwaitingTask(task.id(), e.on()));
    }

    private void open(TasksOpened e) {
        var first = tasks.size();
        for (var i = 0; i < e.specs().size(); i++) {
            tasks = tasks.append(planned(first + i, e.strand(), e.specs().get(i), e.at()));
        }
        var group =
                Gathering.of(
                        first, e.specs().size(), e.window(), e.policy(), e.join(), e.otherwise());
        for (var i = 0; i < group.started(); i++) {
            queue(tasks.get(first + i), 1, 0, List.of(), e.at(), 2 * i, e.at());
        }
        doing(e.strand(), new Strand.AwaitingTasks(group));
    }

    private static Task planned(int id, int strand, TaskSpec spec, Instant opened) {
        return new Task(
                id,
                strand,
                spec,
                opened,
                new Task.Planned(),
                List.of(),
                List.of(),
                0,
                Optional.empty(),
                List.of());
    }

    private void grant(LeaseGranted e) {
        var task = tasks.get(e.task());
        var open = (Task.Open) task.state();
        var granted =
                new Delivery.Leased(
                        nextId(0), e.lease(), new Alarm(nextId(1), e.lease().timeout()));
        leased++;
        if (open.delivery() instanceof Delivery.Leased) {
            hedge(task, Optional.of(new Hedge.Second(granted)));
            return;
        }
        endDelivery(task);
        var next = task.with(new Task.Open(granted, open.failed(), open.lostBy()));
        atWork(next, granted, e.at());
    }

    /// The only attempt at a task runs from now on.
    private void atWork(Task task, Delivery.Leased leased, Instant at) {
        put(task);
        asked.addAll(Effects.ofLeased(task, leased, submission().spec()));
        task.spec()
                .hedgedAfter()
                .map(after -> new Hedge.Due(new Alarm(nextId(2), at.plus(after))))
                .ifPresent(due -> hedge(task, Optional.of(due)));
    }

    private void asked(JobEvent.QuestionAsked e) {
        var task = tasks.get(e.task());
        var open = (Task.Open) task.state();
        var lease = ((Delivery.Leased) open.delivery()).lease();
        endDelivery(task);
        var left = Duration.between(e.at(), lease.timeout());
        var question =
                new Asked(
                        nextId(1),
                        e.question(),
                        e.at(),
                        e.until().map(until -> new Alarm(nextId(2), until)));
        var parked =
                new Delivery.Parked(
                        nextId(0), lease, left.isNegative() ? Duration.ZERO : left, question);
        var next = endHedge(task, true).with(new Task.Open(parked, open.failed(), open.lostBy()));
        put(next);
        asked.add(Effects.ofParked(next, parked));
        asked.addAll(Effects.ofAsked(next, question, isActive()));
    }

    private void answered(JobEvent.QuestionAnswered e) {
        var task = tasks.get(e.task());
        var open = (Task.Open) task.state();
        var question = task.asked().orElseThrow();
        var next =
                task.withAnswer(
                        new Answer(
                                question.number(),
                                question.question(),
                                e.answer(),
                                e.by(),
                                e.at()));
        endDelivery(task);
        if (open.delivery() instanceof Delivery.Parked(var _, var lease, var left, var _)) {
            var again =
                    new Lease(lease.token(), lease.worker(), lease.attempt(), e.at().plus(left));
            var leased =
                    new Delivery.Leased(nextId(0), again, new Alarm(nextId(1), again.timeout()));
            atWork(next.with(new Task.Open(leased, open.failed(), open.lostBy())), leased, e.at());
        } else {
            queue(next, task.attempts() + 1, open.failed(), open.lostBy(), e.at(), 0, e.at());
        }
    }

    /// A worker that waited for an answer is gone; its question waits on.
    ///
    /// @return whether the task was such a one
    private boolean deserted(Task task) {
        if (!(task.state() instanceof Task.Open(Delivery.Parked parked, int failed, var lostBy))) {
            return false;
        }
        ended.add(Effects.ofParked(task, parked));
        leased--;
        put(
                task.with(
                        new Task.Open(
                                new Delivery.Unanswered(parked.lease(), parked.question()),
                                failed,
                                lostBy)));
        return true;
    }

    private void begin(HedgeBegun e) {
        var task = tasks.get(e.task());
        var attempt = task.attempts() + 1;
        var queued = new Delivery.Queued(attempt, nextId(0), e.at(), Optional.empty());
        hedge(task.withAttempts(attempt), Optional.of(new Hedge.Second(queued)));
    }

    private void dropped(AttemptDropped e) {
        var task = tasks.get(e.task());
        var isFirst = !Hedge.lease(task).orElseThrow().token().equals(e.token());
        if (e.again().isEmpty()) {
            // It may have done all or some of it, whatever the other one comes to.
            undo = undo.complete(task.strand());
        }
        var next = endHedge(isFirst ? task.turnedRound() : task, e.lingers());
        hedge(
                next,
                e.again()
                        .filter(_ -> isActive())
                        .map(at -> new Hedge.Due(new Alarm(nextId(0), at))));
    }

    /// Puts `task` with another second attempt, whose effects are noted.
    private void hedge(Task task, Optional<Hedge> next) {
        ended.addAll(Effects.ofHedge(task, spec()));
        var hedged = task.withHedge(next);
        put(hedged);
        asked.addAll(Effects.ofHedge(hedged, spec()));
    }

    /// A task without its second attempt.
    private Task endHedge(Task task, boolean lingers) {
        ended.addAll(Effects.ofHedge(task, spec()));
        var held = Hedge.lease(task);
        var alone = task.withHedge(Optional.empty());
        if (held.isEmpty()) {
            return alone;
        }
        leased--;
        return lingers ? revoke(alone, held.get(), 2 * REVOKE_ORDINALS) : alone;
    }

    private void attemptFailed(AttemptFailed e) {
        var task = tasks.get(e.task());
        if (task.state() instanceof Task.Doubtful doubt) {
            endDelivery(task);
            queue(
                    task.withFailureOn(doubt.lease().worker()),
                    task.attempts() + 1,
                    doubt.failed() + 1,
                    doubt.lostBy(),
                    e.retryAt(),
                    0,
                    e.at());
            return;
        }
        var open = (Task.Open) task.state();
        if (open.delivery() instanceof Delivery.Unanswered) {
            endDelivery(task);
            queue(
                    task,
                    task.attempts() + 1,
                    open.failed() + 1,
                    open.lostBy(),
                    e.retryAt(),
                    0,
                    e.at());
            return;
        }
        var worker = ((Delivery.Held) open.delivery()).lease().worker();
        var next = endLease(task, e.lingers()).withFailureOn(worker);
        queue(next, task.attempts() + 1, open.failed() + 1, open.lostBy(), e.retryAt(), 0, e.at());
    }

    private void lost(LeaseLost e) {
        var task = tasks.get(e.task());
        if (deserted(task)) {
            undo = undo.complete(task.strand());
            return;
        }
        var open = (Task.Open) task.state();
        var lostBy = new ArrayList<WorkerId>(open.lostBy());
        lostBy.add(((Delivery.Leased) open.delivery()).lease().worker());
        var next = endLease(task, false);
        undo = undo.complete(task.strand());
        queue(next, task.attempts() + 1, open.failed(), lostBy, e.at(), 0, e.at());
    }

    private void returned(LeaseReturned e) {
        var task = tasks.get(e.task());
        if (deserted(task)) {
            return;
        }
        var open = (Task.Open) task.state();
        var next = endLease(task, false);
        queue(
                next,
                open.delivery().attempt(),
                open.failed(),
                open.lostBy(),
                e.retryAt(),
                0,
                e.at());
    }

    private void released(LeaseReleased e) {
        var task = tasks.get(e.task());
        var left = new ArrayList<Task.Revoked>();
        for (var revoked : task.lingering()) {
            if (revoked.lease().token().equals(e.token())) {
                ended.add(Effects.ofRevoked(task, revoked));
                lingering--;
            } else {
                left.add(revoked);
            }
        }
        put(task.withLingering(left));
    }

    private void succeeded(TaskSucceeded e) {
        var found = tasks.get(e.task());
        var isSecond = Hedge.lease(found).filter(it -> it.token().equals(e.token())).isPresent();
        var task = isSecond ? found.turnedRound() : found;
        var lease = ((Delivery.Held) ((Task.Open) task.state()).delivery()).lease();
        var next = endLease(task, false);
        put(
                next.with(
                        new Task.Succeeded(
                                e.token(), lease.worker(), lease.attempt(), e.status(), e.data())));
        var strand = strands.get(task.strand());
        if (strand.doing() instanceof Strand.AwaitingTask) {
            data = data.merge(JobData.ofResult(e.data()));
        }
        undo = undo.complete(task.strand());
        count(task.strand(), true, e.at());
    }

    private void reused(TaskReused e) {
        var task = tasks.get(e.task());
        var result = e.result();
        endDelivery(task);
        put(
                task.with(
                        new Task.Succeeded(
                                REUSED, result.worker(), 1, result.status(), result.data())));
        if (strands.get(task.strand()).doing() instanceof Strand.AwaitingTask) {
            data = data.merge(JobData.ofResult(result.data()));
        }
        var left = new ArrayList<>(recorded);
        left.remove(result);
        recorded = List.copyOf(left);
        if (task.state() instanceof Task.Planned) {
            countUnstarted(task.strand());
        } else {
            count(task.strand(), true, e.at());
        }
    }

    private void failed(TaskFailed e) {
        var task = tasks.get(e.task());
        if (Doubting.isUnknown(e.error())) {
            undo = undo.complete(task.strand());
        }
        if (task.state() instanceof Task.Open(Delivery.Held _, int _, var _)) {
            put(endLease(task, e.lingers()).with(new Task.Failed(e.error())));
        } else {
            settle(task, new Task.Failed(e.error()));
        }
        count(task.strand(), false, e.at());
    }

    private void unknown(OutcomeUnknown e) {
        var task = tasks.get(e.task());
        var open = (Task.Open) task.state();
        var lease = ((Delivery.Held) open.delivery()).lease();
        var doubt = new Task.Doubtful(nextId(0), lease, open.failed(), open.lostBy(), e.reason());
        put(endLease(task, e.lingers()).with(doubt));
        if (isActive()) {
            asked.add(Effects.ofDoubtful(task, doubt));
        }
    }

    private void resolved(OutcomeResolved e) {
        var task = tasks.get(e.task());
        var doubt = (Task.Doubtful) task.state();
        var lease = doubt.lease();
        endDelivery(task);
        switch (e.resolution()) {
            case Resolution.Happened(var status, var result) -> {
                put(
                        task.with(
                                new Task.Succeeded(
                                        lease.token(),
                                        lease.worker(),
                                        lease.attempt(),
                                        status,
                                        result)));
                if (strands.get(task.strand()).doing() instanceof Strand.AwaitingTask) {
                    data = data.merge(JobData.ofResult(result));
                }
                undo = undo.complete(task.strand());
                count(task.strand(), true, e.at());
            }
            case Resolution.DidNotHappen _ ->
                    queue(
                            task,
                            task.attempts() + 1,
                            doubt.failed(),
                            doubt.lostBy(),
                            e.at(),
                            0,
                            e.at());
            case Resolution.Failed failed -> {
                put(task.with(new Task.Failed(Doubting.error(failed, e.by()))));
                count(task.strand(), false, e.at());
            }
        }
    }

    /// Notes the end of one of several tasks, and opens the next one in the window.
    private void count(int strandId, boolean success, Instant at) {
        var strand = strands.get(strandId);
        if (!(strand.doing() instanceof Strand.AwaitingTasks(var group))) {
            return;
        }
        var counted = success ? group.afterSuccess() : group.afterFailure();
        var verdictIsOpen = counted.verdict() == JoinPolicy.Verdict.WAIT;
        if (verdictIsOpen && counted.hasMoreToStart()) {
            var next = nextPlanned(counted);
            counted = counted.afterStart(next.id());
            queue(next, 1, 0, List.of(), at, 2, at);
        }
        become(strand.with(new Strand.AwaitingTasks(counted)));
    }

    private Task nextPlanned(Gathering group) {
        var next = tasks.get(group.first() + group.next());
        while (!(next.state() instanceof Task.Planned)) {
            next = tasks.get(next.id() + 1);
        }
        return next;
    }

    /// A task has its result before its place in the window has come.
    private void countUnstarted(int strandId) {
        var strand = strands.get(strandId);
        if (strand.doing() instanceof Strand.AwaitingTasks(var group)) {
            become(strand.with(new Strand.AwaitingTasks(group.afterReuse().afterSuccess())));
        }
    }

    private void withdrawTasksOf(int strandId) {
        switch (strands.get(strandId).doing()) {
            case Strand.AwaitingTask(int task, var _) -> withdrawIfUnsettled(task);
            case Strand.AwaitingTasks(var group) -> {
                for (var i = group.first(); i < group.first() + group.count(); i++) {
                    withdrawIfUnsettled(i);
                }
            }
            case Strand.AwaitingChild(int child, var _) -> family.unwant(child, version, spec());
            case Strand.Stepping _,
                    Strand.BackingOff _,
                    Strand.AwaitingBranches _,
                    Strand.Waiting _,
                    Strand.AwaitingSignal _,
                    Strand.AwaitingApproval _,
                    Strand.Over _,
                    Strand.Stopped _ -> {}
        }
    }

    private void withdrawIfUnsettled(int id) {
        var task = tasks.get(id);
        if (task.isUnsettled()) {
            withdraw(task);
        }
    }

    private void withdraw(Task task) {
        if (task.state() instanceof Task.Open(Delivery.Held held, int _, var _)) {
            linger(task, held, new Task.Cancelled());
        } else {
            settle(task, new Task.Cancelled());
        }
    }

    private void linger(Task task, Delivery.Held held, Task.State next) {
        put(endLease(task, true, held.lease()).with(next));
    }

    private void settle(Task task, Task.State next) {
        if (task.state() instanceof Task.Doubtful && next instanceof Task.Cancelled) {
            undo = undo.complete(task.strand());
        }
        endDelivery(task);
        put(task.with(next));
    }

    private Task endLease(Task task, boolean lingers) {
        var held = (Delivery.Held) ((Task.Open) task.state()).delivery();
        return endLease(task, lingers, held.lease());
    }

    private Task endLease(Task task, boolean lingers, Lease lease) {
        endDelivery(task);
        leased--;
        var alone = endHedge(task, true);
        return lingers ? revoke(alone, lease, REVOKE_ORDINALS) : alone;
    }

    private Task revoke(Task task, Lease lease, int ordinals) {
        undo = undo.complete(task.strand());
        // A stop of many tasks is one event: the task's number keeps the ids apart.
        var revoked = new Task.Revoked(nextId(ordinals + task.id()), lease);
        var more = new ArrayList<>(task.lingering());
        more.add(revoked);
        asked.add(Effects.ofRevoked(task, revoked));
        lingering++;
        return task.withLingering(more);
    }

    /// Under which nobody reports.
    private static final LeaseToken REUSED = new LeaseToken("reused");

    private static final int REVOKE_ORDINALS = 1 << 24;

    private void endDelivery(Task task) {
        if (isActive() && task.state() instanceof Task.Doubtful doubt) {
            ended.add(Effects.ofDoubtful(task, doubt));
        }
        if (task.state() instanceof Task.Open(var delivery, int _, var _)) {
            switch (delivery) {
                case Delivery.Queued queued when isActive() ->
                        ended.addAll(Effects.ofQueued(task, queued, submission().spec()));
                case Delivery.Queued _ -> {}
                case Delivery.Leased leased ->
                        ended.addAll(Effects.ofLeased(task, leased, submission().spec()));
                case Delivery.Parked parked -> ended.add(Effects.ofParked(task, parked));
                case Delivery.Unanswered _ -> {}
            }
            delivery.asked()
                    .ifPresent(
                            question -> ended.addAll(Effects.ofAsked(task, question, isActive())));
        }
    }

    private void queue(
            Task task,
            int attempt,
            int failed,
            List<WorkerId> lostBy,
            Instant notBefore,
            int ordinal,
            Instant at) {
        var from = notBefore.isAfter(at) ? notBefore : at;
        var alarmId = nextId(ordinal + 1);
        var deadline =
                task.spec()
                        .limits()
                        .dispatchDeadline()
                        .map(limit -> new Alarm(alarmId, from.plus(limit)));
        var queued = new Delivery.Queued(attempt, nextId(ordinal), notBefore, deadline);
        put(
                task.with(new Task.Open(queued, failed, lostBy))
                        .withAttempts(Math.max(attempt, task.attempts())));
        if (isActive()) {
            asked.addAll(Effects.ofQueued(task, queued, submission().spec()));
        }
    }

    private void put(Task task) {
        tasks = tasks.set(task.id(), task);
    }
}
