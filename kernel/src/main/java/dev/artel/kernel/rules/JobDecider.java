package dev.artel.kernel.rules;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.BranchSpec;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobCommand.Cancel;
import dev.artel.kernel.job.JobCommand.CompleteStep;
import dev.artel.kernel.job.JobCommand.ConfirmChild;
import dev.artel.kernel.job.JobCommand.ConfirmParentNotified;
import dev.artel.kernel.job.JobCommand.ConfirmStop;
import dev.artel.kernel.job.JobCommand.DecideApproval;
import dev.artel.kernel.job.JobCommand.EndChild;
import dev.artel.kernel.job.JobCommand.EndLease;
import dev.artel.kernel.job.JobCommand.FailStep;
import dev.artel.kernel.job.JobCommand.FireTimer;
import dev.artel.kernel.job.JobCommand.Fork;
import dev.artel.kernel.job.JobCommand.Grant;
import dev.artel.kernel.job.JobCommand.RefuseChild;
import dev.artel.kernel.job.JobCommand.Report;
import dev.artel.kernel.job.JobCommand.ResolveQuarantine;
import dev.artel.kernel.job.JobCommand.ResolveTask;
import dev.artel.kernel.job.JobCommand.Rewind;
import dev.artel.kernel.job.JobCommand.Signal;
import dev.artel.kernel.job.JobCommand.Submit;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.Timer;
import dev.artel.kernel.timer.TimerKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Decides one command; the rows of the table of [Jobs#decide].
///
/// Each event is applied to a draft at once, so that what follows from it is decided on what is then true.
public final class JobDecider {
    private final JobState before;
    private final JobFold draft;
    private final List<JobEvent> events = new ArrayList<>();
    private final ChildDecider children = new ChildDecider(this);
    private final CompensationDecider compensationDecider = new CompensationDecider(this);
    private final TaskDecider tasks = new TaskDecider(this);

    public JobDecider(JobState state) {
        before = state;
        draft = new JobFold(state);
    }

    public Decision on(JobCommand command) {
        record Row(JobState state, JobCommand command) {}
        return switch (new Row(before, command)) {
            case Row(JobState.Unsubmitted _, Submit c) -> submit(c);
            case Row(JobState.Unsubmitted _, Fork c) -> ForkDecider.fork(this, c);
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
            case Row(Job job, FireTimer c) -> fire(job, c);
            case Row(Job job, Signal c) -> SignalDecider.signal(this, job, c);
            case Row(Job job, ResolveTask c) -> UnknownOutcomeDecider.resolve(this, job, c);
            case Row(Job job, JobCommand.AskQuestion c) -> QuestionDecider.ask(this, job, c);
            case Row(Job job, JobCommand.AnswerQuestion c) -> QuestionDecider.answer(this, job, c);
            case Row(Job job, Rewind c) -> QuarantineDecider.rewind(this, job, c);
            case Row(Job job, ResolveQuarantine c) -> QuarantineDecider.resolve(this, job, c);
            case Row(Job job, DecideApproval c) -> ApprovalDecider.decide(this, job, c);
            case Row(Job job, JobCommand.SettleWebhook c) -> WebhookDecider.settle(this, job, c);
            case Row(Job job, Cancel c) -> cancel(job, c);
            case Row(Job job, JobCommand.ChangeJob c) -> ClientDecider.change(this, job, c);
            case Row(Job job, JobCommand.PauseJob c) -> ClientDecider.pause(this, job, c);
            case Row(Job job, JobCommand.ResumeJob c) -> ClientDecider.resume(this, job, c);
            case Row(Job job, ConfirmChild c) -> children.confirm(job, c);
            case Row(Job job, RefuseChild c) -> children.refuse(job, c);
            case Row(Job job, EndChild c) -> children.end(job, c);
            case Row(Job job, ConfirmStop c) -> children.confirm(job, c);
            case Row(Job job, ConfirmParentNotified c) -> children.confirm(job, c);
        };
    }

    // Beginning

    private Decision submit(Submit c) {
        emit(new JobEvent.JobSubmitted(c.spec(), c.at()));
        enter(0, c.spec().start(), new StepCause.Started(), c.at());
        if (c.pause().isPresent() && !job().isFinal()) {
            var pause = c.pause().get();
            emit(new JobEvent.JobPaused(pause.reason(), pause.by(), pause.at()));
        }
        // One that fails at once, for instance of what it was submitted with, hears nothing.
        return c.signal()
                .filter(_ -> !job().isFinal())
                .map(signal -> SignalDecider.signal(this, job(), signal))
                .orElseGet(this::accepted);
    }

    private Decision again(Job job, Submit c) {
        var first = job.spec().options().requestDigest();
        var parentLink = job.spec().parentLink();
        if (parentLink.isPresent() && parentLink.equals(c.spec().parentLink())) {
            // Its parent starts it again after a crash, maybe in a newer version.
            return accepted();
        }
        var isTheSame =
                first.isPresent()
                        ? first.equals(c.spec().options().requestDigest())
                        : job.spec().equals(c.spec());
        return isTheSame
                ? c.signal()
                        .map(signal -> SignalDecider.signal(this, job, signal))
                        .orElseGet(this::accepted)
                : new Decision.Rejected(
                        Reason.KEY_REUSED,
                        "job "
                                + job.id()
                                + " was submitted under the same idempotency key with another"
                                + " request; use a new key");
    }

    // Steps

    private Optional<Branch> steppingBy(Job job, EffectId step) {
        if (!job.goesOn()) {
            return Optional.empty();
        }
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.Stepping(var run, var _, int _)
                    && run.equals(step)) {
                return Optional.of(branch);
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

    private Decision complete(Branch branch, CompleteStep c) {
        var id = branch.id();
        var changes =
                c.action() instanceof Action.ContinueAsNew ? JobData.EMPTY : c.action().changes();
        emit(new JobEvent.StepDone(id, c.step(), changes, c.passed(), c.at()));
        var from = c.passed().isEmpty() ? branch.state() : c.passed().getLast();
        perform(branch, from, c.action(), c);
        return accepted();
    }

    private void perform(Branch branch, String from, Action action, CompleteStep c) {
        var id = branch.id();
        switch (action) {
            case Action.Compensable(var waiting, var by) -> {
                if (!compensationDecider.isRunning()) {
                    emit(new JobEvent.CompensationRegistered(id, by, c.at()));
                }
                perform(branch, from, waiting, c);
            }
            case Action.TransitionTo(var state, var _) -> {
                if (branch.moves() >= Branch.MOST_MOVES) {
                    failBranch(id, GuardDecider.goesRound(branch, state), true, c.at());
                } else {
                    enter(id, state, new StepCause.Moved(from), c.at());
                }
            }
            case Action.ContinueAsNew(var state, var data) ->
                    continueAsNew(branch, from, state, data, c.at());
            case Action.DispatchTask(var task, var on, var _) -> open(id, task, on, c.at());
            case Action.DispatchParallel parallel -> open(id, parallel, c.at());
            case Action.Fork fork -> fork(id, fork, c.at());
            case Action.EndBranch(var failure, var _) -> endBranch(id, failure, false, c.at());
            case Action.RunBlueprint run -> children.run(id, run, c.at());
            case Action.RunBlueprints run -> children.runAll(id, run, c.at());
            case Action.Wait(var duration, var next, var _) ->
                    emit(new JobEvent.WaitBegun(id, c.at().plus(duration), next, c.at()));
            case Action.WaitUntil(var instant, var next, var _) ->
                    emit(new JobEvent.WaitBegun(id, instant, next, c.at()));
            case Action.AwaitSignal wait -> SignalDecider.await(this, id, wait, c.at());
            case Action.AwaitApproval wait ->
                    ApprovalDecider.request(this, id, c.step(), wait, c.at());
            case Action.Finish(var outcome, var _) -> end(id, outcome, c.at());
        }
    }

    private void continueAsNew(Branch branch, String from, String state, JobData data, Instant at) {
        if (branch.id() != 0) {
            failBranch(
                    branch.id(),
                    "state "
                            + from
                            + " wants the job to continue as new, and is in a branch; end the branch, and"
                            + " let the state behind the join do it",
                    false,
                    at);
        } else if (branch.moves() >= Branch.MOST_MOVES) {
            failBranch(0, GuardDecider.goesRound(branch, state), true, at);
        } else {
            emit(new JobEvent.JobContinued(from, state, data, at));
            enter(0, state, new StepCause.Moved(from), at);
        }
    }

    private void end(int branch, JobOutcome outcome, Instant at) {
        if (!compensationDecider.isRunning()) {
            compensationDecider.end(outcome, at);
        } else if (outcome instanceof JobOutcome.Finished) {
            endBranch(branch, Optional.empty(), false, at);
        } else {
            failBranch(branch, CompensationDecider.reason(outcome), true, at);
        }
    }

    void open(int branch, TaskSpec task, Outcomes on, Instant at) {
        var affinities = new Affinities(job().tasks());
        var impossible =
                GuardDecider.tooManyTasks(job(), 1).or(() -> affinities.impossible(List.of(task)));
        if (impossible.isPresent()) {
            failBranch(branch, impossible.get(), false, at);
        } else {
            emit(new JobEvent.TaskOpened(branch, affinities.settle(task), on, at));
            ForkDecider.reuse(this, branch, at);
        }
    }

    private void open(int branch, Action.DispatchParallel p, Instant at) {
        var affinities = new Affinities(job().tasks());
        var impossible =
                GuardDecider.tooManyTasks(job(), p.tasks().size())
                        .or(() -> affinities.impossible(p.tasks()));
        if (impossible.isPresent()) {
            failBranch(branch, impossible.get(), false, at);
            return;
        }
        var tasks = affinities.settle(p.tasks());
        var group =
                JoinState.of(
                        job().tasks().size(),
                        tasks.size(),
                        p.window(),
                        p.policy(),
                        p.join(),
                        p.otherwise());
        var opened =
                new JobEvent.TasksOpened(
                        branch, tasks, p.window(), p.policy(), p.join(), p.otherwise(), at);
        begin(branch, group, opened, new StepCause.TasksJoined(group.first(), 0), at);
    }

    void fork(int branch, Action.Fork f, Instant at) {
        var starts = f.branchSpecs().stream().map(BranchSpec::start).toList();
        if (isTreeSpent(starts.size())) {
            failBranch(branch, ChildDecider.spent(job(), starts.toString()), true, at);
            return;
        }
        var tooMany = GuardDecider.tooMany(job(), branch, starts.size());
        if (tooMany.isPresent()) {
            failBranch(branch, tooMany.get(), false, at);
            return;
        }
        var group =
                JoinState.of(
                        job().branches().size(),
                        starts.size(),
                        starts.size(),
                        f.policy(),
                        f.join(),
                        f.otherwise());
        var forked = new JobEvent.Forked(branch, starts, f.policy(), f.join(), f.otherwise(), at);
        begin(branch, group, forked, new StepCause.BranchesJoined(group.first(), 0), at);
    }

    /// Nothing is started whose outcome is known before.
    void begin(int branch, JoinState group, JobEvent start, StepCause nothing, Instant at) {
        switch (group.progress()) {
            case WAIT -> {
                emit(start);
                ForkDecider.reuse(this, branch, at);
            }
            case JOINED -> enter(branch, group.join(), nothing, at);
            case FAILED ->
                    orElseFail(
                            branch,
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

    private Decision fail(Branch branch, FailStep c) {
        GuardDecider.handlerFailed(this, branch, c);
        return accepted();
    }

    void enter(int branch, String state, StepCause cause, Instant at) {
        if (isTreeSpent(1)) {
            failBranch(branch, ChildDecider.spent(job(), state), true, at);
        } else {
            emit(new JobEvent.StateEntered(branch, state, cause, at));
            GuardDecider.spent(job(), branch)
                    .or(() -> GuardDecider.tooManyNames(job(), cause))
                    .ifPresent(reason -> failBranch(branch, reason, false, at));
        }
    }

    private boolean isTreeSpent(int more) {
        if (compensationDecider.isRunning()) {
            return false;
        }
        return job().isCountedAsTree() && job().steps() + more > job().stepsAllowed();
    }

    // Branches

    /// @param hopeless whether nothing that a person does could recover the failure
    private void endBranch(int branch, Optional<String> failure, boolean hopeless, Instant at) {
        if (compensationDecider.isAt(branch)) {
            compensationDecider.compensated(failure, at);
            return;
        }
        if (branch == 0) {
            if (failure.isPresent()) {
                failBranch(0, failure.get(), true, at);
            } else {
                compensationDecider.end(new JobOutcome.Finished(Payload.EMPTY), at);
            }
            return;
        }
        emit(new JobEvent.BranchEnded(branch, failure, hopeless, at));
        var parent = job().branches().get(job().branches().get(branch).parent());
        if (parent.doing() instanceof Branch.AwaitingBranches(var branches)) {
            join(
                    parent.id(),
                    branches,
                    failure.orElseGet(() ->
                            branches.failed() + " of " + branches.count() + " branches failed"),
                    at);
        }
    }

    private void join(int branch, JoinState branches, String failure, Instant at) {
        switch (branches.progress()) {
            case WAIT -> {}
            case JOINED -> {
                stopTheRest(branches, new JobEvent.BranchesStopped(branch, at));
                enter(branch, branches.join(), joined(branches), at);
            }
            case FAILED -> {
                stopTheRest(branches, new JobEvent.BranchesStopped(branch, at));
                orElseFail(
                        branch,
                        branches,
                        joined(branches),
                        failure,
                        isHopeless(
                                branches,
                                i ->
                                        job().branches().get(i).doing() instanceof Branch.Over over
                                                && over.hopeless()),
                        at);
            }
        }
    }

    void stopTheRest(JoinState group, JobEvent event) {
        if (group.succeeded() + group.failed() < group.count()) {
            emit(event);
        }
    }

    private static StepCause joined(JoinState branches) {
        return new StepCause.BranchesJoined(branches.first(), branches.count());
    }

    void orElseFail(
            int branch,
            JoinState group,
            StepCause cause,
            String failure,
            boolean hopeless,
            Instant at) {
        if (group.otherwise().isPresent()) {
            enter(branch, group.otherwise().get(), cause, at);
        } else {
            failBranch(branch, failure, hopeless, at);
        }
    }

    /// Whether the policy could not be met even if every member that may be recovered had succeeded.
    static boolean isHopeless(JoinState group, IntPredicate isHopeless) {
        var lost =
                (int)
                        IntStream.range(group.first(), group.first() + group.count())
                                .filter(isHopeless)
                                .count();
        return JoinPolicy.judge(group.policy(), group.count(), group.count() - lost, lost)
                == JoinPolicy.Progress.FAILED;
    }

    /// A branch cannot go on: a branch ends badly; for branch 0 the job fails, or waits for a person.
    void failBranch(int branch, String reason, boolean hopeless, Instant at) {
        if (compensationDecider.isAt(branch)) {
            compensationDecider.compensated(Optional.of(reason), at);
            return;
        }
        if (branch != 0) {
            endBranch(branch, Optional.of(reason), hopeless, at);
        } else if (hopeless) {
            compensationDecider.end(new JobOutcome.Failed(reason), at);
        } else if (!(job().phase() instanceof Job.Quarantined)) {
            emit(new JobEvent.JobQuarantined(reason, at));
        }
    }

    /// The last of those for whom a job waits before it ends may be gone.
    void left(Instant at) {
        if (job().lingering() > 0 || job().children().leaving() > 0) {
            return;
        }
        if (job().phase() instanceof Job.Cancelling(var reason, var _, var _)) {
            finishCancel(reason, at);
        } else {
            compensationDecider.left(at);
        }
    }

    // Time

    private Decision fire(Job job, FireTimer c) {
        var fired =
                switch (c.timerKind()) {
                    case TimerKind.JobDeadline _ -> deadline(job, c);
                    case TimerKind.CancelGrace _ -> grace(job, c);
                    case TimerKind.BranchTimer(int branch) -> branchTimer(job, branch, c);
                    case TimerKind.TaskTimer(int task) -> tasks.timer(job, task, c);
                };
        return fired
                ? accepted()
                : new Decision.Rejected(
                        Reason.STALE_EFFECT,
                        "job " + job.id() + ": timer " + c.timer() + " is no longer set");
    }

    private boolean deadline(Job job, FireTimer c) {
        if (job.deadline().isEmpty() || !job.deadline().get().id().equals(c.timer())) {
            return false;
        }
        if (compensationDecider.isRunning()) {
            compensationDecider.outOfTime(c.at());
        } else {
            compensationDecider.end(
                    new JobOutcome.Failed(
                            "the job's deadline " + job.deadline().get().at() + " has passed"),
                    c.at());
        }
        return true;
    }

    private boolean grace(Job job, FireTimer c) {
        if (job.phase() instanceof Job.Cancelling(var reason, var grace, var _)
                && grace.id().equals(c.timer())) {
            finishCancel(reason, c.at());
            return true;
        }
        return compensationDecider.grace(c.timer(), c.at());
    }

    private boolean branchTimer(Job job, int id, FireTimer c) {
        if (!job.goesOn() || id < 0 || id >= job.branches().size()) {
            return false;
        }
        switch (job.branches().get(id).doing()) {
            case Branch.BackingOff(var timer, var _, int _) when timer.id().equals(c.timer()) ->
                    emit(new JobEvent.StepRetried(id, c.at()));
            case Branch.Waiting(var timer, var next) when timer.id().equals(c.timer()) ->
                    enter(id, next, new StepCause.Moved(job.branches().get(id).state()), c.at());
            case Branch.AwaitingSignal(var _, var signal, var _, var timer, var otherwise)
                    when isOf(timer, c) ->
                    enter(id, otherwise.orElseThrow(), new StepCause.Overdue(signal), c.at());
            case Branch.AwaitingApproval(var _, var approval, var timer) when isOf(timer, c) ->
                    enter(
                            id,
                            approval.otherwise().orElseThrow(),
                            new StepCause.Overdue(ApprovalDecider.DATA),
                            c.at());
            case Branch.BackingOff _,
                    Branch.Waiting _,
                    Branch.AwaitingSignal _,
                    Branch.AwaitingApproval _,
                    Branch.Stepping _,
                    Branch.AwaitingTask _,
                    Branch.AwaitingTasks _,
                    Branch.AwaitingBranches _,
                    Branch.AwaitingChild _,
                    Branch.AwaitingChildren _,
                    Branch.Over _,
                    Branch.Stopped _ -> {
                return false;
            }
        }
        return true;
    }

    private static boolean isOf(Optional<Timer> timer, FireTimer c) {
        return timer.filter(set -> set.id().equals(c.timer())).isPresent();
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
            case Job.Active _
                    when compensationDecider.isRunning() && !compensationDecider.isForGoingBack() ->
                    accepted();
            case Job.Active _, Job.Quarantined _ -> {
                var next = cancelState(job);
                if (job.leased() + job.lingering() + job.children().leaving() == 0
                        && !job.children().isWaiting()
                        && cancelledState(job).isEmpty()
                        && next.isEmpty()) {
                    compensationDecider.end(new JobOutcome.Cancelled(c.reason()), c.at());
                } else {
                    var grace = c.at().plus(job.spec().options().cancelGrace());
                    emit(new JobEvent.CancelRequested(c.reason(), grace, next, c.at()));
                    if (job().lingering() == 0 && job().children().leaving() == 0) {
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
            var task = ((Branch.AwaitingTask) job().branches().get(0).doing()).task();
            emit(new JobEvent.CancelHandled(at));
            enter(0, next.get(), new StepCause.TaskEnded(task, Outcomes.CANCELLED), at);
        } else if (job().phase() instanceof Job.Cancelling(var _, var _, var state)
                && state.isPresent()) {
            emit(new JobEvent.CancelHandled(at));
            enter(0, state.get(), new StepCause.Cancelled(reason), at);
        } else {
            compensationDecider.end(new JobOutcome.Cancelled(reason), at);
        }
    }

    /// The state that handles a cancel of `job`, as its blueprint says. A job that could not go on does not go on to be cancelled.
    private Optional<String> cancelState(Job job) {
        return job.phase() instanceof Job.Active(boolean cancelHandled)
                        && !cancelHandled
                        && !compensationDecider.isRunning()
                ? job.spec().cancelState()
                : Optional.empty();
    }

    /// A task that failed before, so that its job is quarantined, is not what is cancelled.
    private static Optional<String> cancelledState(Job job) {
        return job.branches().get(0).doing() instanceof Branch.AwaitingTask(int task, var on)
                        && !(job.tasks().get(task).state() instanceof Task.Failed)
                ? on.after(Outcomes.CANCELLED)
                : Optional.empty();
    }

    // The draft

    CompensationDecider compensation() {
        return compensationDecider;
    }

    TaskDecider tasks() {
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
