package dev.artel.kernel.job;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Branch;
import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
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
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Decides one command; the rows of the table of [Jobs#decide].
///
/// Each event is applied to a draft at once, so that what follows from it is decided on what is then true.
final class Deciding {
    private static final Duration RETURN_PAUSE = Duration.ofMillis(500);

    private final JobState before;
    private final Folding draft;
    private final List<JobEvent> events = new ArrayList<>();
    private final FamilyDeciding family = new FamilyDeciding(this);
    private final Undoing undoing = new Undoing(this);

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
            case Row(Job job, Grant c) -> grant(job, c);
            case Row(Job job, Report c) -> report(job, c);
            case Row(Job job, EndLease c) -> endLease(job, c);
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
        emit(new JobEvent.StepDone(id, c.step(), c.action().changes(), c.passed(), c.at()));
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
            case Action.DispatchTask(var task, var on, var _) -> open(id, task, on, c.at());
            case Action.DispatchParallel parallel -> open(id, parallel, c.at());
            case Action.Fork fork -> fork(id, fork, c.at());
            case Action.EndBranch(var failure, var _) -> endBranch(id, failure, false, c.at());
            case Action.RunBlueprint run -> family.run(id, run, c.at());
            case Action.Wait(var duration, var next, var _) ->
                    emit(new JobEvent.WaitBegun(id, c.at().plus(duration), next, c.at()));
            case Action.WaitUntil(var instant, var next, var _) ->
                    emit(new JobEvent.WaitBegun(id, instant, next, c.at()));
            case Action.AwaitSignal wait -> Signalling.await(this, id, wait, c.at());
            case Action.AwaitApproval wait -> Approving.request(this, id, c.step(), wait, c.at());
            case Action.Finish(var outcome, var _) -> end(id, outcome, c.at());
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
        var impossible = affinities.impossible(List.of(task));
        if (impossible.isPresent()) {
            failStrand(strand, impossible.get(), false, at);
        } else {
            emit(new JobEvent.TaskOpened(strand, affinities.settle(task), on, at));
            Forking.reuse(this, strand, at);
        }
    }

    private void open(int strand, Action.DispatchParallel p, Instant at) {
        var affinities = new Affinities(job().tasks());
        var impossible = affinities.impossible(p.tasks());
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
    private void begin(int strand, Gathering group, JobEvent start, StepCause nothing, Instant at) {
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
                    .ifPresent(reason -> failStrand(strand, reason, false, at));
        }
    }

    private boolean isTreeSpent(int more) {
        if (undoing.isRunning()) {
            return false;
        }
        var isOfATree = job().spec().lineage().isPresent() || job().family().children().size() > 0;
        return isOfATree && job().steps() + more > job().stepsAllowed();
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

    private void stopTheRest(Gathering group, JobEvent event) {
        if (group.succeeded() + group.failed() < group.count()) {
            emit(event);
        }
    }

    private static StepCause gathered(Gathering branches) {
        return new StepCause.BranchesGathered(branches.first(), branches.count());
    }

    private void orElseFail(
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
    private static boolean isHopeless(Gathering group, IntPredicate isHopeless) {
        var lost =
                (int)
                        IntStream.range(group.first(), group.first() + group.count())
                                .filter(isHopeless)
                                .count();
        return JoinPolicy.judge(group.policy(), group.count(), group.count() - lost, lost)
                == JoinPolicy.Verdict.FAILED;
    }

    /// Whether a failure of this kind stays one, whoever tries again.
    private static boolean isHopeless(ErrorClass kind) {
        return kind == ErrorClass.INVALID_INPUT || kind == ErrorClass.DISPATCH_TIMEOUT;
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

    // Delivery

    private Decision grant(Job job, Grant c) {
        var queued =
                c.task() >= 0 && c.task() < job.tasks().size() && job.phase() instanceof Job.Active
                        ? Hedging.queued(job.tasks().get(c.task()), c.offer())
                        : Optional.<Delivery.Queued>empty();
        if (queued.isPresent()) {
            var task = job.tasks().get(c.task());
            var timeout = c.at().plus(task.spec().limits().executionTimeout());
            var lease = new Lease(c.token(), c.worker(), queued.get().attempt(), timeout);
            emit(new JobEvent.LeaseGranted(c.task(), lease, c.placement(), c.at()));
            return accepted();
        }
        return new Decision.Rejected(
                Reason.STALE_EFFECT,
                "job "
                        + job.id()
                        + ": offer "
                        + c.offer()
                        + " of task "
                        + c.task()
                        + " is no longer open");
    }

    private Decision report(Job job, Report c) {
        if (c.task() < 0 || c.task() >= job.tasks().size()) {
            return unknownTask(job, c.task());
        }
        var task = job.tasks().get(c.task());
        var held = Hedging.held(task, lease -> isOf(lease, c));
        if (held.isPresent() && task.state() instanceof Task.Open open) {
            reported(task, held.get(), open.failed(), c);
            return accepted();
        }
        if (task.state() instanceof Task.Doubtful doubt && isOf(doubt.lease(), c)) {
            return Doubting.late(this, task, doubt, c);
        }
        if (task.lingering().stream().anyMatch(revoked -> isOf(revoked.lease(), c))) {
            release(task, c.token(), c.at());
            return accepted();
        }
        if (task.state() instanceof Task.Succeeded(var by, var worker, int _, var _, var _)
                && by.equals(c.token())
                && worker.equals(c.worker())) {
            return accepted();
        }
        return staleLease(job, task, c.token(), "report of worker " + c.worker() + " refused");
    }

    static boolean isOf(Lease lease, Report c) {
        return lease.token().equals(c.token()) && lease.worker().equals(c.worker());
    }

    private void reported(Task task, Delivery.Held leased, int failed, Report c) {
        switch (c.report()) {
            case TaskReport.Succeeded(var status, var data) -> {
                emit(new JobEvent.TaskSucceeded(task.id(), c.token(), status, data, c.at()));
                afterTask(task, status, Optional.empty(), c.at());
            }
            case TaskReport.Failed(var error)
                    when Hedging.drop(
                            this,
                            task,
                            c.token(),
                            "worker " + c.worker() + " failed: " + error.message(),
                            false,
                            Optional.empty(),
                            c.at()) -> {
                // The other attempt goes on.
            }
            case TaskReport.Cancelled _
                    when Hedging.drop(
                            this,
                            task,
                            c.token(),
                            "worker " + c.worker() + " gave it up unasked",
                            false,
                            Optional.empty(),
                            c.at()) -> {
                // The other attempt goes on.
            }
            case TaskReport.Failed(var error) ->
                    failAttempt(
                            task, leased.lease().token(), failed, error, false, c.random(), c.at());
            case TaskReport.Cancelled _ -> {
                // A worker that stops on its own calls its tasks cancelled; nobody asked for it.
                if (Doubting.leave(
                        this,
                        task,
                        leased.lease(),
                        "worker " + leased.lease().worker() + " gave it up unasked",
                        false,
                        c.at())) {
                    return;
                }
                var error =
                        new TaskError(
                                ErrorClass.TRANSIENT,
                                "CANCELLED_BY_WORKER",
                                "worker " + leased.lease().worker() + " gave the task up unasked");
                failAttempt(task, leased.lease().token(), failed, error, false, c.random(), c.at());
            }
        }
    }

    void failAttempt(
            Task task,
            LeaseToken token,
            int failed,
            TaskError error,
            boolean lingers,
            double random,
            Instant at) {
        var retry = task.spec().limits().retry();
        if (error.kind().isRetryable() && failed + 1 < retry.maxAttempts()) {
            var retryAt = at.plus(retry.delayAfter(failed + 1, random));
            emit(new JobEvent.AttemptFailed(task.id(), token, error, lingers, retryAt, at));
            return;
        }
        failTask(task, error, failed + 1, lingers, at);
    }

    private void failTask(Task task, TaskError error, int attempts, boolean lingers, Instant at) {
        emit(new JobEvent.TaskFailed(task.id(), error, lingers, at));
        afterTask(task, Outcomes.FAILED, Optional.of(new Failure(error, attempts)), at);
    }

    record Failure(TaskError error, int attempts) {
        String of(Task task) {
            var what = "task " + task.id() + " (" + task.spec().type() + ") ";
            var why = ": " + error.message() + " [" + error.code() + "]";
            return switch (error.kind()) {
                case TRANSIENT, EXECUTION_TIMEOUT ->
                        what
                                + "failed after "
                                + (attempts == 1 ? "1 attempt" : attempts + " attempts")
                                + why;
                case PERMANENT -> what + "failed with a permanent error" + why;
                case INVALID_INPUT -> what + "failed due to invalid input" + why;
                case DISPATCH_TIMEOUT, LOST -> what + error.message();
            };
        }
    }

    void afterTask(Task task, String outcome, Optional<Failure> failure, Instant at) {
        var strand = job().strands().get(task.strand());
        switch (strand.doing()) {
            case Strand.AwaitingTask(int _, var on) -> afterOnly(task, on, outcome, failure, at);
            case Strand.AwaitingTasks(var group) ->
                    afterOneOf(strand.id(), group, failure.map(f -> f.of(task)), at);
            case Strand.Stepping _,
                    Strand.BackingOff _,
                    Strand.AwaitingBranches _,
                    Strand.AwaitingChild _,
                    Strand.Waiting _,
                    Strand.AwaitingSignal _,
                    Strand.AwaitingApproval _,
                    Strand.Over _,
                    Strand.Stopped _ -> {}
        }
    }

    private void afterOnly(
            Task task, Outcomes on, String outcome, Optional<Failure> failure, Instant at) {
        if (undoing.isAt(task.strand())) {
            undoing.undone(failure.map(it -> it.of(task)), at);
            return;
        }
        var ranOutOfTime = failure.map(f -> f.error().kind().isTimeout()).orElse(false);
        var word =
                ranOutOfTime && on.after(Outcomes.TIMEOUT).isPresent() ? Outcomes.TIMEOUT : outcome;
        var next = on.after(word);
        if (next.isPresent()) {
            enter(task.strand(), next.get(), new StepCause.TaskEnded(task.id(), word), at);
        } else if (failure.isPresent()) {
            var hopeless = isHopeless(failure.get().error().kind());
            failStrand(task.strand(), failure.get().of(task), hopeless, at);
        } else {
            failStrand(
                    task.strand(),
                    "Worker returned unhandled status: "
                            + outcome
                            + " (task "
                            + task.id()
                            + ", expected one of "
                            + on.states().keySet()
                            + ")",
                    true,
                    at);
        }
    }

    private void afterOneOf(int strand, Gathering group, Optional<String> failure, Instant at) {
        var cause = new StepCause.TasksGathered(group.first(), group.count());
        switch (group.verdict()) {
            case WAIT -> {}
            case JOINED -> {
                stopTheRest(group, new JobEvent.TasksWithdrawn(strand, at));
                enter(strand, group.join(), cause, at);
            }
            case FAILED -> {
                stopTheRest(group, new JobEvent.TasksWithdrawn(strand, at));
                orElseFail(
                        strand,
                        group,
                        cause,
                        failure.orElseGet(() -> failureOf(group)),
                        isHopeless(
                                group,
                                i ->
                                        job().tasks().get(i).state()
                                                        instanceof Task.Failed(var error)
                                                && isHopeless(error.kind())),
                        at);
            }
        }
    }

    private String failureOf(Gathering group) {
        for (var i = group.first(); i < group.first() + group.count(); i++) {
            var task = job().tasks().get(i);
            if (task.state() instanceof Task.Failed(var error)) {
                return group.failed()
                        + " of "
                        + group.count()
                        + " tasks failed, the first is task "
                        + i
                        + " ("
                        + task.spec().type()
                        + "): "
                        + error.message()
                        + " ["
                        + error.code()
                        + "]";
            }
        }
        throw new IllegalStateException("no task of " + group + " has failed");
    }

    private Decision endLease(Job job, EndLease c) {
        if (c.task() < 0 || c.task() >= job.tasks().size()) {
            return unknownTask(job, c.task());
        }
        var task = job.tasks().get(c.task());
        var held = Hedging.held(task, lease -> lease.token().equals(c.token()));
        if (held.isPresent()
                && Hedging.drop(this, task, held.get().lease(), c.reason(), RETURN_PAUSE, c.at())) {
            return accepted();
        }
        if (held.isPresent() && task.state() instanceof Task.Open(var _, int _, var lostBy)) {
            var leased = held.get();
            switch (c.reason()) {
                case LeaseEnding.Returned reason
                        when leased instanceof Delivery.Parked
                                && Doubting.leave(
                                        this,
                                        task,
                                        leased.lease(),
                                        "worker "
                                                + leased.lease().worker()
                                                + " asked something and then gave it up: "
                                                + reason.text(),
                                        false,
                                        c.at()) -> {
                    // It waits for somebody who knows.
                }
                case LeaseEnding.Returned reason -> {
                    emit(
                            new JobEvent.LeaseReturned(
                                    task.id(),
                                    c.token(),
                                    reason,
                                    c.at().plus(RETURN_PAUSE),
                                    c.at()));
                    if (leased instanceof Delivery.Leased && Guarding.isGivenBackForEver(job())) {
                        failTask(task, Guarding.givenBackForEver(job()), 1, false, c.at());
                    }
                }
                case LeaseEnding.Lost reason
                        when Doubting.leave(
                                this,
                                task,
                                leased.lease(),
                                "worker "
                                        + leased.lease().worker()
                                        + " was lost with it: "
                                        + reason.text(),
                                false,
                                c.at()) -> {
                    // It waits for somebody who knows.
                }
                case LeaseEnding.Lost reason -> {
                    emit(new JobEvent.LeaseLost(task.id(), c.token(), reason, c.at()));
                    if (leased instanceof Delivery.Leased
                            && lostBy.size() + 1 >= task.spec().limits().maxLost()) {
                        giveUpLost(task, c.at());
                    }
                }
            }
            return accepted();
        }
        if (lingers(task, c.token())) {
            release(task, c.token(), c.at());
            return accepted();
        }
        return staleLease(job, task, c.token(), "the end of a lease is refused");
    }

    private void giveUpLost(Task task, Instant at) {
        var open = (Task.Open) job().tasks().get(task.id()).state();
        var workers =
                open.lostBy().stream().map(Object::toString).collect(Collectors.joining(", "));
        failTask(
                task,
                new TaskError(
                        ErrorClass.LOST,
                        "WORKERS_LOST",
                        "was lost with its worker "
                                + Counts.times(open.lostBy().size())
                                + ": "
                                + workers),
                open.lostBy().size(),
                false,
                at);
    }

    static boolean lingers(Task task, LeaseToken token) {
        return task.lingering().stream().anyMatch(revoked -> revoked.lease().token().equals(token));
    }

    private void release(Task task, LeaseToken token, Instant at) {
        emit(new JobEvent.LeaseReleased(task.id(), token, at));
        left(at);
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

    static Decision unknownTask(Job job, int task) {
        return new Decision.Rejected(
                Reason.UNKNOWN_TASK,
                "job " + job.id() + " has no task " + task + "; it has " + job.tasks().size());
    }

    static Decision staleLease(Job job, Task task, LeaseToken token, String what) {
        var now =
                switch (task.state()) {
                    case Task.Planned _ -> "it is over and the task has not been handed out";
                    case Task.Open(Delivery.Queued _, int _, var _) ->
                            "it is over and the task is queued again";
                    case Task.Open(Delivery.Held held, int _, var _) ->
                            held.lease().token().equals(token)
                                    ? "it belongs to worker " + held.lease().worker()
                                    : "it is over and worker "
                                            + held.lease().worker()
                                            + " holds another lease";
                    case Task.Open(Delivery.Unanswered _, int _, var _) ->
                            "it is over and the task waits for the answer to its question";
                    case Task.Doubtful _ ->
                            "it is over and the task waits for somebody who knows its outcome";
                    case Task.Succeeded _ -> "it is over and the task has its outcome";
                    case Task.Failed _ -> "it is over and the task has failed";
                    case Task.Cancelled _ -> "it is over and the task is no longer wanted";
                };
        return new Decision.Rejected(
                Reason.STALE_LEASE,
                "job "
                        + job.id()
                        + ", task "
                        + task.id()
                        + ": "
                        + what
                        + ", lease "
                        + token
                        + ": "
                        + now
                        + "; stop this attempt");
    }

    // Time

    private Decision fire(Job job, FireAlarm c) {
        var fired =
                switch (c.waking()) {
                    case Waking.JobDeadline _ -> deadline(job, c);
                    case Waking.CancelGrace _ -> grace(job, c);
                    case Waking.StrandAlarm(int strand) -> strandAlarm(job, strand, c);
                    case Waking.TaskAlarm(int task) -> taskAlarm(job, task, c);
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

    private boolean taskAlarm(Job job, int id, FireAlarm c) {
        if (id < 0 || id >= job.tasks().size()) {
            return false;
        }
        var task = job.tasks().get(id);
        if (!(task.state() instanceof Task.Open(var delivery, int failed, var _))) {
            return false;
        }
        switch (delivery) {
            case Delivery.Queued(int _, var _, var _, var alarm)
                    when job.phase() instanceof Job.Active
                            && alarm.isPresent()
                            && alarm.get().id().equals(c.alarm()) ->
                    failTask(
                            task,
                            new TaskError(
                                    ErrorClass.DISPATCH_TIMEOUT,
                                    "DISPATCH_TIMEOUT",
                                    "was not taken by a worker before its dispatch deadline "
                                            + alarm.get().at()),
                            failed,
                            false,
                            c.at());
            case Delivery.Leased leased when leased.timeout().id().equals(c.alarm()) ->
                    overran(task, leased.lease(), failed, c);
            case Delivery.Parked _, Delivery.Unanswered _ -> {
                return Questioning.alarm(this, task, failed, c);
            }
            case Delivery.Queued _, Delivery.Leased _ -> {
                return Hedging.alarm(this, task, c);
            }
        }
        return true;
    }

    private void overran(Task task, Lease lease, int failed, FireAlarm c) {
        var what =
                "worker "
                        + lease.worker()
                        + " took longer than "
                        + task.spec().limits().executionTimeout();
        if (!Hedging.overran(this, task, lease, c.at())
                && !Doubting.leave(this, task, lease, what, true, c.at())) {
            var error = new TaskError(ErrorClass.EXECUTION_TIMEOUT, "EXECUTION_TIMEOUT", what);
            failAttempt(task, lease.token(), failed, error, true, c.random(), c.at());
        }
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
                if (job.leased() + job.lingering() == 0
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
