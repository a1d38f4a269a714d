package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Pause;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.question.OpenQuestion;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.timer.Timer;
import dev.artel.kernel.timer.TimerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Reads the effects off the parts of a job's state: the state is the outbox.
public final class PendingEffects {
    private PendingEffects() {}

    /// What a branch asks for while its job is active.
    static List<Effect> ofBranch(Branch branch) {
        return switch (branch.doing()) {
            case Branch.Stepping(var run, var cause, int failures) ->
                    List.of(
                            new Effect.RunStep(
                                    run, branch.id(), branch.state(), cause, failures + 1));
            case Branch.BackingOff(var timer, var _, var _) -> List.of(wake(branch, timer));
            case Branch.Waiting(var timer, var _) -> List.of(wake(branch, timer));
            case Branch.AwaitingSignal(var wait, var signal, var _, var deadline, var _) ->
                    untilThen(branch, new Effect.AwaitSignal(wait, branch.id(), signal), deadline);
            case Branch.AwaitingApproval(var wait, var approval, var deadline) ->
                    untilThen(
                            branch,
                            new Effect.AwaitApproval(wait, branch.id(), approval),
                            deadline);
            case Branch.AwaitingTask _,
                    Branch.AwaitingTasks _,
                    Branch.AwaitingBranches _,
                    Branch.AwaitingChild _,
                    Branch.AwaitingChildren _,
                    Branch.Over _,
                    Branch.Stopped _ ->
                    List.of();
        };
    }

    /// Whether an effect of a branch is put off while its job is paused: handlers do not run, and timers do not go off. Who
    /// waits for a signal or a person waits on.
    static boolean isPutOff(Effect effect) {
        return effect instanceof Effect.RunStep || effect instanceof Effect.ScheduleTimer;
    }

    /// What is left of the effects of a branch while its job is paused.
    static List<Effect> inPause(List<Effect> effects) {
        return effects.stream().filter(effect -> !isPutOff(effect)).toList();
    }

    static Effect.AwaitResume ofPause(Pause pause) {
        return new Effect.AwaitResume(pause.effect(), pause.by());
    }

    static Effect.AwaitExtension ofAsking(BudgetLedger.Asking asking) {
        return new Effect.AwaitExtension(asking.effect(), asking.limit(), asking.needed());
    }

    private static List<Effect> untilThen(Branch branch, Effect wait, Optional<Timer> deadline) {
        return deadline.<List<Effect>>map(timer -> List.of(wait, wake(branch, timer)))
                .orElse(List.of(wait));
    }

    /// What a queued task asks for while its job goes on.
    static List<Effect> ofQueued(Task task, Attempt.Queued queued, JobSpec job) {
        if (queued.withheld()) {
            return queued.deadline()
                    .<List<Effect>>map(timer -> List.of(wake(task, timer)))
                    .orElse(List.of());
        }
        var offer =
                new Effect.Offer(
                        queued.offer(),
                        task.id(),
                        queued.attempt(),
                        TaskOutline.of(job.blueprint().group(), task.spec()),
                        job.options().priority(),
                        job.client(),
                        task.opened(),
                        queued.notBefore(),
                        failedOn(task));
        return queued.deadline()
                .<List<Effect>>map(timer -> List.of(offer, wake(task, timer)))
                .orElse(List.of(offer));
    }

    private static List<WorkerId> failedOn(Task task) {
        return task.spec().demand().preferences().exclusion() == Exclusion.NONE
                ? List.of()
                : task.failedOn();
    }

    /// What a leased task asks for until its job ends.
    static List<Effect> ofLeased(Task task, Attempt.Leased leased, JobSpec job) {
        return List.of(
                new Effect.HoldLease(
                        leased.hold(),
                        task.id(),
                        leased.lease(),
                        task.spec(),
                        job.blueprint().group(),
                        leased.priority(),
                        job.options().trace(),
                        task.answers()),
                wake(task, leased.timeout()));
    }

    static Effect.HoldParked ofParked(Task task, Attempt.Parked parked) {
        return new Effect.HoldParked(parked.hold(), task.id(), parked.lease());
    }

    /// What a question asks for.
    ///
    /// @param active whether its job is
    static List<Effect> ofAsked(Task task, OpenQuestion openQuestion, boolean active) {
        var effects = new ArrayList<Effect>();
        if (active) {
            effects.add(
                    new Effect.AwaitAnswer(
                            openQuestion.effect(), task.id(), openQuestion.question()));
        }
        openQuestion.deadline().ifPresent(timer -> effects.add(wake(task, timer)));
        return effects;
    }

    /// What the second attempt of a task asks for.
    static List<Effect> ofHedge(Task task, JobSpec job) {
        if (task.hedge().isEmpty()) {
            return List.of();
        }
        return switch (task.hedge().get()) {
            case Hedge.Due(var timer) -> List.of(wake(task, timer));
            case Hedge.Second(Attempt.Leased leased) -> ofLeased(task, leased, job);
            case Hedge.Second(Attempt.Parked _), Hedge.Second(Attempt.Unanswered _) ->
                    throw new IllegalStateException("a second attempt asks nothing: " + task);
            case Hedge.Second(Attempt.Queued queued) ->
                    List.of(
                            new Effect.Offer(
                                    queued.offer(),
                                    task.id(),
                                    queued.attempt(),
                                    TaskOutline.of(
                                            job.blueprint().group(),
                                            task.spec()
                                                    .demanding(demand ->
                                                            demand.afterFailure(
                                                                    Exclusion.NEVER_AGAIN))),
                                    job.options().priority(),
                                    job.client(),
                                    task.opened(),
                                    queued.notBefore(),
                                    notAgain(task)));
        };
    }

    /// Not the worker that has the first attempt, nor any on which it has failed if it is never to go there again.
    private static List<WorkerId> notAgain(Task task) {
        var workers = new ArrayList<WorkerId>();
        if (task.spec().demand().preferences().exclusion() == Exclusion.NEVER_AGAIN) {
            workers.addAll(task.failedOn());
        }
        task.worker().filter(worker -> !workers.contains(worker)).ifPresent(workers::add);
        return workers;
    }

    /// What a task in doubt asks for while its job is active.
    static Effect.AwaitResolution ofDoubtful(Task task, Task.Doubtful doubt) {
        return new Effect.AwaitResolution(doubt.effect(), task.id(), doubt.reason());
    }

    static Effect.Revoke ofRevoked(Task task, Task.Revoked revoked, JobSpec job) {
        return new Effect.Revoke(
                revoked.revoke(), task.id(), revoked.lease(), task.spec(), job.blueprint().group());
    }

    static Effect.ScheduleTimer ofDeadline(Timer timer) {
        return new Effect.ScheduleTimer(timer.id(), timer.at(), new TimerKind.JobDeadline());
    }

    static Effect.ScheduleTimer ofGrace(Timer timer) {
        return new Effect.ScheduleTimer(timer.id(), timer.at(), new TimerKind.CancelGrace());
    }

    static Optional<Effect> ofPhase(Job.Phase phase) {
        return switch (phase) {
            case Job.Cancelling(var _, var grace, var _) ->
                    Optional.of(
                            new Effect.ScheduleTimer(
                                    grace.id(), grace.at(), new TimerKind.CancelGrace()));
            case Job.Quarantined(var reason, var person) ->
                    Optional.of(new Effect.AwaitOperator(person, reason));
            case Job.Active _, Job.Ended _ -> Optional.empty();
        };
    }

    /// Hands all that `job` asks for to `sink`, in a defined order.
    public static void pending(Job job, Consumer<Effect> sink) {
        var active = job.phase() instanceof Job.Active;
        var goesOn = job.goesOn();
        ofPhase(job.phase()).ifPresent(sink);
        job.pause().map(PendingEffects::ofPause).ifPresent(sink);
        job.deadline().map(PendingEffects::ofDeadline).ifPresent(sink);
        job.budget().flatMap(BudgetLedger::asking).map(PendingEffects::ofAsking).ifPresent(sink);
        job.compensationLog()
                .running()
                .flatMap(CompensationLog.Running::grace)
                .map(PendingEffects::ofGrace)
                .ifPresent(sink);
        if (active) {
            job.branches()
                    .forEach(branch -> {
                        var effects = ofBranch(branch);
                        (goesOn ? effects : inPause(effects)).forEach(sink);
                    });
        }
        for (var task : job.tasks()) {
            if (task.state() instanceof Task.Open(var attempt, int _, var _)) {
                switch (attempt) {
                    case Attempt.Queued queued when goesOn ->
                            ofQueued(task, queued, job.spec()).forEach(sink);
                    case Attempt.Queued _ -> {}
                    case Attempt.Leased leased -> ofLeased(task, leased, job.spec()).forEach(sink);
                    case Attempt.Parked parked -> sink.accept(ofParked(task, parked));
                    case Attempt.Unanswered _ -> {}
                }
                attempt.asked()
                        .ifPresent(
                                openQuestion -> ofAsked(task, openQuestion, active).forEach(sink));
            }
            ofHedge(task, job.spec()).forEach(sink);
            if (active && task.state() instanceof Task.Doubtful doubt) {
                sink.accept(ofDoubtful(task, doubt));
            }
            task.lingering().forEach(revoked -> sink.accept(ofRevoked(task, revoked, job.spec())));
        }
        ChildEffects.pending(job, sink);
        job.webhookEvents()
                .pending()
                .forEach(webhookEvent ->
                        sink.accept(new Effect.CallWebhook(webhookEvent.id(), webhookEvent)));
    }

    private static Effect.ScheduleTimer wake(Branch branch, Timer timer) {
        return new Effect.ScheduleTimer(
                timer.id(), timer.at(), new TimerKind.BranchTimer(branch.id()));
    }

    private static Effect.ScheduleTimer wake(Task task, Timer timer) {
        return new Effect.ScheduleTimer(timer.id(), timer.at(), new TimerKind.TaskTimer(task.id()));
    }
}
