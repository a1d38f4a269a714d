package dev.artel.kernel.job;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Branch;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.JobCommand.Cancel;
import dev.artel.kernel.job.JobCommand.CompleteStep;
import dev.artel.kernel.job.JobCommand.ConfirmChild;
import dev.artel.kernel.job.JobCommand.ConfirmStop;
import dev.artel.kernel.job.JobCommand.ConfirmTelling;
import dev.artel.kernel.job.JobCommand.DecideApproval;
import dev.artel.kernel.job.JobCommand.EndChild;
import dev.artel.kernel.job.JobCommand.EndLease;
import dev.artel.kernel.job.JobCommand.FailStep;
import dev.artel.kernel.job.JobCommand.FireAlarm;
import dev.artel.kernel.job.JobCommand.Fork;
import dev.artel.kernel.job.JobCommand.Grant;
import dev.artel.kernel.job.JobCommand.Mend;
import dev.artel.kernel.job.JobCommand.RefuseChild;
import dev.artel.kernel.job.JobCommand.Report;
import dev.artel.kernel.job.JobCommand.ResolveTask;
import dev.artel.kernel.job.JobCommand.Rewind;
import dev.artel.kernel.job.JobCommand.Signal;
import dev.artel.kernel.job.JobCommand.Submit;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Decides one command; the rows of the table of [Jobs#decide].
///
/// Each event is applied to a draft at once, so that what follows from it is decided on what is then true.
final class Deciding {
    private final JobState before;
    private final Folding draft;
    private final List<JobEvent> events = new ArrayList<>();
    private final FamilyDeciding family = new FamilyDeciding(this);
    private final Undoing undoing = new Undoing(this);
    private final TaskDeciding tasks = new TaskDeciding(this);

    Deciding(JobState state) {
        before = state;
        draft = new Folding(state);
    }

    Decision on(JobCommand command) {
        record Row(JobState state, JobCommand command) {}
        return switch (new Row(before, command)) {
            case Row(JobState.Unsubmitted _, Submit c) -> submit(c);
            case Row(JobState.Unsubmitted _, Fork c) -> Forking.fork(this, c);
            case Row(JobState.Unsubmitted(var id), JobCommand _) ->
                    new Decision.Rejected(Reason.UNKNOWN_JOB, "there is no job " + id);
            case Row(Job job, Submit c) -> again(job, c);
            case Row(Job job, Fork c) -> again(job, new Submit(c.spec(), c.at()));
            case Row(Job job, CompleteStep c) ->
                    steppingBy(job, c.step())
                            .map(s -> complete(s, c))
                            .orElseGet(() -> staleStep(c.step()));
            case Row(Job job, FailStep c) ->
                    steppingBy(job, c.step())
                            .map(s -> fail(s, c))
                            .orElseGet(() -> staleStep(c.step()));
            case Row(Job job, Grant c) -> tasks.grant(job, c);
            case Row(Job job, Report c) -> tasks.report(job, c);
            case Row(Job job, EndLease c) -> tasks.endLease(job, c);
            case Row(Job job, FireAlarm c) -> fire(job, c);
            case Row(Job job, Signal c) -> Signalling.signal(this, job, c);
            case Row(Job job, ResolveTask c) -> Doubting.resolve(this, job, c);
            case Row(Job job, JobCommand.AskQuestion c) -> Questioning.ask(this, job, c);
            case Row(Job job, JobCommand.AnswerQuestion c) -> Questioning.answer(this, job, c);
            case Row(Job job, Rewind c) -> Workplace.rewind(this, job, c);
            case Row(Job job, Mend c) -> Workplace.mend(this, job, c);
            case Row(Job job, DecideApproval c) -> Approving.decide(this, job, c);
            case Row(Job job, JobCommand.SettleWebhook c) -> Notifying.settle(this, job, c);
            case Row(Job job, Cancel c) -> cancel(job, c);
            case Row(Job job, ConfirmChild c) -> family.confirm(job, c);
            case Row(Job job, RefuseChild c) -> family.refuse(job, c);
            case Row(Job job, EndChild c) -> family.end(job, c);
            case Row(Job job, ConfirmStop c) -> family.confirm(job, c);
            case Row(Job job, ConfirmTelling c) -> family.confirm(job, c);
        };
    }

    // Beginning

    private Decision submit(Submit c) {
        emit(new JobEvent.JobSubmitted(c.spec(), c.at()));
        enter(0, c.spec().start(), new StepCause.Started(), c.at());
        return accepted();
    }

    private Decision again(Job job, Submit c) {
        var first = job.spec().options().requestDigest();
        var lineage = job.spec().lineage();
        if (lineage.isPresent() && lineage.equals(c.spec().lineage())) {
            // Its parent starts it again after a crash, maybe in a newer version.
            return accepted();
        }
        var isTheSame =
                first.isPresent()
                        ? first.equals(c.spec().options().requestDigest())
                        : job.spec().equals(c.spec());
        return isTheSame
                ? accepted()
                : new Decision.Rejected(
                        Reason.KEY_REUSED,
                        "job "
                                + job.id()
                                + " was submitted under the same idempotency key with another"
                                + " request; use a new key");
    }

    // Steps

    private Optional<Strand> steppingBy(Job job, EffectId step) {
        if (!(job.phase() instanceof Job.Active)) {
            return Optional.empty();
        }
        for (var strand : job.strands()) {
            if (strand.doing() instanceof Strand.Stepping(var run, var _, int _)
                    && run.equals(step)) {
                return Optional.of(strand);
            }
        }
        return Optional.empty();
    }

    private Decision staleStep(EffectId step) {
        return new Decision.Rejected(
                Reason.STALE_EFFECT,
                "job "
                        + before.id()
                        + ": step "
                        + step
                        + " is no longer waited for; its result is dropped");
    }

    private Decision complete(Strand strand, CompleteStep c) {
        var id = strand.id();
        var changes =
                c.action() instanceof Action.ContinueAsNew ? JobData.EMPTY : c.action().changes();
        emit(new JobEvent.StepDone(id, c.step(), changes, c.passed(), c.at()));
        var from = c.passed().isEmpty() ? strand.state() : c.passed().getLast();
        perform(strand, from, c.action(), c);
        return accepted();
    }

    private void perform(Strand strand, String from, Action action, CompleteStep c) {
        var id = strand.id();
        switch (action) {
            case Action.Undoable(var waiting, var by) -> {
                if (!undoing.isRunning()) {
                    emit(new JobEvent.UndoDeclared(id, by, c.at()));
                }
                perform(strand, from, waiting, c);
            }
            case Action.TransitionTo(var state, var _) -> {
                if (strand.moves() >= Strand.MOST_MOVES) {
                    failStrand(id, Guarding.goesRound(strand, state), true, c.at());
                } else {
                    enter(id, state, new StepCause.Moved(from), c.at());
                }
            }
            case Action.ContinueAsNew(var state, var data) ->
                    continueAsNew(strand, from, state, data, c.at());
            case Action.DispatchTask(var task, var on, var _) -> open(id, task, on, c.at());
            case Action.DispatchParallel parallel -> open(id, parallel, c.at());
            case Action.Fork fork -> fork(id, fork, c.at());
            case Action.EndBranch(var failure, var _) -> endBranch(id, failure, false, c.at());
            case Action.RunBlueprint run -> family.run(id, run, c.at());
            case Action.RunBlueprints run -> family.runAll(id, run, c.at());
            case Action.Wait(var duration, var next, var _) ->
                    emit(new JobEvent.WaitBegun(id, c.at().plus(duration), next, c.at()));
            case Action.WaitUntil(var instant, var next, var _) ->
                    emit(new JobEvent.WaitBegun(id, instant, next, c.at()));
            case Action.AwaitSignal wait -> Signalling.await(this, id, wait, c.at());
            case Action.AwaitApproval wait -> Approving.request(this, id, c.step(), wait, c.at());
            case Action.Finish(var outcome, var _) -> end(id, outcome, c.at());
        }
    }

    private void continueAsNew(Strand strand, String from, String state, JobData data, Instant at) {
        if (strand.id() != 0) {
            failStrand(
                    strand.id(),
                    "state "
                            + from
                            + " wants the job to continue as new, and is in a branch; end the branch, and"
                            + " let the state behind the join do it",
                    false,
                    at);
        } else if (strand.moves() >= Strand.MOST_MOVES) {
            failStrand(0, Guarding.goesRound(strand, state), true, at);
        } else {
            emit(new JobEvent.JobContinued(from, state, data, at));
            enter(0, state, new StepCause.Moved(from), at);
        }
    }

    private void end(int strand, JobOutcome outcome, Instant at) {
        if (!undoing.isRunning()) {
            undoing.end(outcome, at);
        } else if (outcome instanceof JobOutcome.Finished) {
            endBranch(strand, Optional.empty(), false, at);
        } else {
            failStrand(strand, Undoing.reason(outcome), true, at);
        }
    }

    void open(int strand, TaskSpec task, Outcomes on, Instant at) {
        var affinities = new Affinities(job().tasks());
        var impossible =
                Guarding.tooManyTasks(job(), 1).or(() -> affinities.impossible(List.of(task)));
        if (impossible.isPresent()) {
            failStrand(strand, impossible.get(), false, at);
        } else {
            emit(new JobEvent.TaskOpened(strand, affinities.settle(task), on, at));
            Forking.reuse(this, strand, at);
        }
    }

    private void open(int strand, Action.DispatchParallel p, Instant at) {
        var affinities = new Affinities(job().tasks());
        var impossible =
                Guarding.tooManyTasks(job(), p.tasks().size())
                        .or(() -> affinities.impossible(p.tasks()));
        if (impossible.isPresent()) {
            failStrand(strand, impossible.get(), false, at);
            return;
        }
        var tasks = affinities.settle(p.tasks());
        var group =
                Gathering.of(
                        job().tasks().size(),
                        tasks.size(),
                        p.window(),
                        p.policy(),
                        p.join(),
                        p.otherwise());
        var opened =
                new JobEvent.TasksOpened(
                        strand, tasks, p.window(), p.policy(), p.join(), p.otherwise(), at);
        begin(strand, group, opened, new StepCause.TasksGathered(group.first(), 0), at);
    }

    void fork(int strand, Action.Fork f, Instant at) {
        var starts = f.branches().stream().map(Branch::start).toList();
        if (isTreeSpent(starts.size())) {
            failStrand(strand, FamilyDeciding.spent(job(), starts.toString()), true, at);
            return;
        }
        var tooMany = Guarding.tooMany(job(), strand, starts.size());
        if (tooMany.isPresent()) {
            failStrand(strand, tooMany.get(), false, at);
            return;
        }
        var group =
                Gathering.of(
                        job().strands().size(),
                        starts.size(),
                        starts.size(),
                        f.policy(),
                        f.join(),
                        f.otherwise());
        var forked = new JobEvent.Forked(strand, starts, f.policy(), f.join(), f.otherwise(), at);
        begin(strand, group, forked, new StepCause.BranchesGathered(group.first(), 0), at);
    }

    /// Nothing is started whose verdict is known before.
    void begin(int strand, Gathering group, JobEvent start, StepCause nothing, Instant at) {
        switch (group.verdict()) {
            case WAIT -> {
                emit(start);
                Forking.reuse(this, strand, at);
            }
            case JOINED -> enter(strand, group.join(), nothing, at);
            case FAILED ->
                    orElseFail(
                            strand,
                            group,
                            nothing,
                            group.policy()
                                    + " can never be met by "
                                    + group.count()
                                    + "; start more or require fewer",
                            false,
                            at);
        }
    }

    private Decision fail(Strand strand, FailStep c) {
        Guarding.handlerFailed(this, strand, c);
        return accepted();
    }

    void enter(int strand, String state, StepCause cause, Instant at) {
        if (isTreeSpent(1)) {
            failStrand(strand, FamilyDeciding.spent(job(), state), true, at);
        } else {
            emit(new JobEvent.StateEntered(strand, state, cause, at));
            Guarding.spent(job(), strand)
                    .or(() -> Guarding.tooManyNames(job(), cause))
                    .ifPresent(reason -> failStrand(strand, reason, false, at));
        }
    }

    private boolean isTreeSpent(int more) {
        if (undoing.isRunning()) {
            return false;
        }
        return job().isCountedAsTree() && job().steps() + more > job().stepsAllowed();
    }

    // Branches

    /// @param hopeless whether nothing that a person does could mend the failure
    private void endBranch(int strand, Optional<String> failure, boolean hopeless, Instant at) {
        if (undoing.isAt(strand)) {
            undoing.undone(failure, at);
            return;
        }
        if (strand == 0) {
            if (failure.isPresent()) {
                failStrand(0, failure.get(), true, at);
            } else {
                undoing.end(new JobOutcome.Finished(Payload.EMPTY), at);
            }
            return;
        }
        emit(new JobEvent.BranchEnded(strand, failure, hopeless, at));
        var parent = job().strands().get(job().strands().get(strand).parent());
        if (parent.doing() instanceof Strand.AwaitingBranches(var branches)) {
            gather(
                    parent.id(),
                    branches,
                    failure.orElseGet(() ->
                            branches.failed() + " of " + branches.count() + " branches failed"),
                    at);
        }
    }

    private void gather(int strand, Gathering branches, String failure, Instant at) {
        switch (branches.verdict()) {
            case WAIT -> {}
            case JOINED -> {
                stopTheRest(branches, new JobEvent.BranchesStopped(strand, at));
                enter(strand, branches.join(), gathered(branches), at);
            }
            case FAILED -> {
                stopTheRest(branches, new JobEvent.BranchesStopped(strand, at));
                orElseFail(
                        strand,
                        branches,
                        gathered(branches),
                        failure,
                        isHopeless(
                                branches,
                                i ->
                                        job().strands().get(i).doing() instanceof Strand.Over over
                                                && over.hopeless()),
                        at);
            }
        }
    }

    void stopTheRest(Gathering group, JobEvent event) {
        if (group.succeeded() + group.failed() < group.count()) {
            emit(event);
        }
    }

    private static StepCause gathered(Gathering branches) {
        return new StepCause.BranchesGathered(branches.first(), branches.count());
    }

    void orElseFail(
            int strand,
            Gathering group,
            StepCause cause,
            String failure,
            boolean hopeless,
            Instant at) {
        if (group.otherwise().isPresent()) {
            enter(strand, group.otherwise().get(), cause, at);
        } else {
            failStrand(strand, failure, hopeless, at);
        }
    }

    /// Whether the policy could not be met even if every member that may be mended had succeeded.
    static boolean isHopeless(Gathering group, IntPredicate isHopeless) {
        var lost =
                (int)
                        IntStream.range(group.first(), group.first() + group.count())
                                .filter(isHopeless)
                                .count();
        return JoinPolicy.judge(group.policy(), group.count(), group.count() - lost, lost)
                == JoinPolicy.Verdict.FAILED;
    }

    /// A strand cannot go on: a branch ends badly; for strand 0 the job fails, or waits for a person.
    void failStrand(int strand, String reason, boolean hopeless, Instant at) {
        if (undoing.isAt(strand)) {
            undoing.undone(Optional.of(reason), at);
            return;
        }
        if (strand != 0) {
            endBranch(strand, Optional.of(reason), hopeless, at);
        } else if (hopeless) {
            undoing.end(new JobOutcome.Failed(reason), at);
        } else if (!(job().phase() instanceof Job.Quarantined)) {
            emit(new JobEvent.JobQuarantined(reason, at));
        }
    }

    /// The last of those for whom a job waits before it ends may be gone.
    void left(Instant at) {
        if (job().lingering() > 0 || job().family().leaving() > 0) {
            return;
        }
        if (job().phase() instanceof Job.Cancelling(var reason, var _)) {
            finishCancel(reason, at);
        } else {
            undoing.left(at);
        }
    }

    // Time

    private Decision fire(Job job, FireAlarm c) {
        var fired =
                switch (c.waking()) {
                    case Waking.JobDeadline _ -> deadline(job, c);
                    case Waking.CancelGrace _ -> grace(job, c);
                    case Waking.StrandAlarm(int strand) -> strandAlarm(job, strand, c);
                    case Waking.TaskAlarm(int task) -> tasks.alarm(job, task, c);
                };
        return fired
                ? accepted()
                : new Decision.Rejected(
                        Reason.STALE_EFFECT,
                        "job " + job.id() + ": alarm " + c.alarm() + " is no longer set");
    }

    private boolean deadline(Job job, FireAlarm c) {
        if (job.deadline().isEmpty() || !job.deadline().get().id().equals(c.alarm())) {
            return false;
        }
        if (undoing.isRunning()) {
            undoing.outOfTime(c.at());
        } else {
            undoing.end(
                    new JobOutcome.Failed(
                            "the job's deadline " + job.deadline().get().at() + " has passed"),
                    c.at());
        }
        return true;
    }

    private boolean grace(Job job, FireAlarm c) {
        if (job.phase() instanceof Job.Cancelling(var reason, var grace)
                && grace.id().equals(c.alarm())) {
            finishCancel(reason, c.at());
            return true;
        }
        return undoing.grace(c.alarm(), c.at());
    }

    private boolean strandAlarm(Job job, int id, FireAlarm c) {
        if (!(job.phase() instanceof Job.Active) || id < 0 || id >= job.strands().size()) {
            return false;
        }
        switch (job.strands().get(id).doing()) {
            case Strand.BackingOff(var alarm, var _, int _) when alarm.id().equals(c.alarm()) ->
                    emit(new JobEvent.StepRetried(id, c.at()));
            case Strand.Waiting(var alarm, var next) when alarm.id().equals(c.alarm()) ->
                    enter(id, next, new StepCause.Moved(job.strands().get(id).state()), c.at());
            case Strand.AwaitingSignal(var _, var signal, var _, var alarm, var otherwise)
                    when isOf(alarm, c) ->
                    enter(id, otherwise.orElseThrow(), new StepCause.Overdue(signal), c.at());
            case Strand.AwaitingApproval(var _, var approval, var alarm) when isOf(alarm, c) ->
                    enter(
                            id,
                            approval.otherwise().orElseThrow(),
                            new StepCause.Overdue(Approving.DATA),
                            c.at());
            case Strand.BackingOff _,
                    Strand.Waiting _,
                    Strand.AwaitingSignal _,
                    Strand.AwaitingApproval _,
                    Strand.Stepping _,
                    Strand.AwaitingTask _,
                    Strand.AwaitingTasks _,
                    Strand.AwaitingBranches _,
                    Strand.AwaitingChild _,
                    Strand.AwaitingChildren _,
                    Strand.Over _,
                    Strand.Stopped _ -> {
                return false;
            }
        }
        return true;
    }

    private static boolean isOf(Optional<Alarm> alarm, FireAlarm c) {
        return alarm.filter(set -> set.id().equals(c.alarm())).isPresent();
    }

    // Ending

    private Decision cancel(Job job, Cancel c) {
        return switch (job.phase()) {
            case Job.Ended(var _, var at) ->
                    new Decision.Rejected(
                            Reason.FINAL,
                            "job "
                                    + job.id()
                                    + " is already "
                                    + job.status()
                                    + " since "
                                    + at
                                    + "; nothing to cancel");
            case Job.Cancelling _ -> accepted();
            case Job.Active _ when undoing.isRunning() && !undoing.isForGoingBack() -> accepted();
            case Job.Active _, Job.Quarantined _ -> {
                if (job.leased() + job.lingering() + job.family().leaving() == 0
                        && !job.family().isWaiting()
                        && cancelledState(job).isEmpty()) {
                    undoing.end(new JobOutcome.Cancelled(c.reason()), c.at());
                } else {
                    var grace = c.at().plus(job.spec().options().cancelGrace());
                    emit(new JobEvent.CancelRequested(c.reason(), grace, c.at()));
                    if (job().lingering() == 0 && job().family().leaving() == 0) {
                        finishCancel(c.reason(), c.at());
                    }
                }
                yield accepted();
            }
        };
    }

    void finishCancel(String reason, Instant at) {
        var next = cancelledState(job());
        if (next.isPresent()) {
            var task = ((Strand.AwaitingTask) job().strands().get(0).doing()).task();
            emit(new JobEvent.CancelHandled(at));
            enter(0, next.get(), new StepCause.TaskEnded(task, Outcomes.CANCELLED), at);
        } else {
            undoing.end(new JobOutcome.Cancelled(reason), at);
        }
    }

    /// A task that failed before, so that its job is quarantined, is not what is cancelled.
    private static Optional<String> cancelledState(Job job) {
        return job.strands().get(0).doing() instanceof Strand.AwaitingTask(int task, var on)
                        && !(job.tasks().get(task).state() instanceof Task.Failed)
                ? on.after(Outcomes.CANCELLED)
                : Optional.empty();
    }

    // The draft

    Undoing undoing() {
        return undoing;
    }

    TaskDeciding tasks() {
        return tasks;
    }

    Job job() {
        return draft.job();
    }

    void emit(JobEvent event) {
        events.add(event);
        draft.apply(event);
    }

    Decision accepted() {
        return new Decision.Accepted(events, draft.state(), draft.asked(), draft.ended());
    }
}
