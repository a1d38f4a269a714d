package dev.artel.simulation.judges;

import dev.artel.engine.core.Definitions;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The part of the [Ledger] that judges whether an event may follow what came before it.
final class EventInvariants {
    private final World world;
    private final Definitions definitions;
    private final WorldHistory worldHistory;
    private final Tasks tasks;
    private final ChildInvariants childInvariants;
    private final HedgeInvariants hedgeInvariants;
    private final WebhookInvariants webhookInvariants;
    private final Set<LeaseToken> granted = new HashSet<>();
    private final Map<Payload, JobId> named = new HashMap<>();

    /// The durable tasks of all jobs.
    interface Tasks {
        /// Those with the number `task`, of this run of the job and of those before.
        List<Task> of(JobId job, int task);
    }

    EventInvariants(
            World world,
            Definitions definitions,
            WorldHistory worldHistory,
            Tasks tasks,
            ChildInvariants childInvariants,
            WebhookInvariants webhookInvariants) {
        this.world = world;
        this.definitions = definitions;
        this.worldHistory = worldHistory;
        this.tasks = tasks;
        this.childInvariants = childInvariants;
        this.webhookInvariants = webhookInvariants;
        hedgeInvariants = new HedgeInvariants(world);
    }

    /// Whether the grant of `token` is durable.
    boolean isGranted(LeaseToken token) {
        return granted.contains(token);
    }

    private boolean isAtEnd(JobState fold, int branch) {
        return fold instanceof Job job
                && definitions
                        .outcomeIn(job.spec().blueprint(), job.branches().get(branch).state())
                        .isPresent();
    }

    /// `event` becomes durable in `account`, which does not have it yet.
    void judge(JobAccount account, JobEvent event) {
        if (account.fold instanceof Job job && job.isFinal() && !answersAFinalJob(event)) {
            throw world.failure("job " + job.id() + " is final, and then comes " + event);
        }
        if (account.fold instanceof Job job && job.pause().isPresent() && goesOn(event)) {
            throw world.failure("job " + job.id() + " is paused, and then comes " + event);
        }
        switch (event) {
            case JobEvent.StepDone(int branch, var step, var _, var _, var _) -> {
                var job = account.fold.id();
                if (!worldHistory.hasRun(job, step) && !isAtEnd(account.fold, branch)) {
                    throw world.failure("step " + step + " of " + job + " is done and never ran");
                }
                if (!account.stepsDone.add(step)) {
                    throw world.failure("step " + step + " of " + job + " is done twice");
                }
            }
            case JobEvent.LeaseGranted granting -> {
                var lease = granting.lease();
                var task = granting.task();
                if (!granted.add(lease.token())) {
                    throw world.failure("lease " + lease.token() + " is granted twice");
                }
                hedgeInvariants.granted(account.task(task), granting);
            }
            case JobEvent.HedgeBegun begun ->
                    hedgeInvariants.begun(account.task(begun.task()), begun);
            case JobEvent.AttemptDropped dropped -> {
                hedgeInvariants.dropped(account.task(dropped.task()), dropped);
                if (HedgeInvariants.wasReported(dropped)) {
                    requireReport(account, dropped.task(), dropped.token(), event);
                }
            }
            case JobEvent.TaskSucceeded(int task, var token, var _, var _, var _) -> {
                settle(account, task, event);
                if (!HedgeInvariants.isLive(account.task(task), token)) {
                    throw world.failure("another lease is held, and " + event + " is applied");
                }
                requireReport(account, task, token, event);
            }
            case JobEvent.TaskFailed(int task, var _, boolean _, var _) ->
                    settle(account, task, event);
            case JobEvent.AttemptFailed(
                            int task,
                            var token,
                            var _,
                            boolean lingers,
                            var _,
                            var _) -> {
                var state = account.task(task).state();
                if (state instanceof Task.Open(Attempt.Unanswered(var last, var _), int _, var _)
                        && last.token().equals(token)) {
                    return;
                }
                var doubtful =
                        state instanceof Task.Doubtful doubt && doubt.lease().token().equals(token);
                if (!doubtful) {
                    hedgeInvariants.ended(account.task(task), token, event);
                    requireRepeatable(account, task, lingers, event);
                }
                if (!lingers) {
                    requireReport(account, task, token, event);
                }
            }
            case JobEvent.JobSubmitted(var spec, var _) -> {
                var key = spec.initialData().get(ScriptedNames.KEY);
                if (world.has(Trait.KEYS)
                        && key.isPresent()
                        && !account.fold.id().value().startsWith(ScriptedNames.FORK)
                        && !account.fold
                                .id()
                                .equals(named.computeIfAbsent(key.get(), _ -> account.fold.id()))) {
                    throw world.failure(
                            "one key gave two jobs, " + named.get(key.get()) + " and " + event);
                }
                childInvariants.begun(account.fold.id(), spec);
            }
            case JobEvent.SignalReceived(var _, var id, var _, var _, var _) -> {
                if (!worldHistory.hasSent(account.fold.id(), id)) {
                    throw world.failure("nobody has sent " + event);
                }
                if (!account.signals.add(id)) {
                    throw world.failure("it came before: " + event);
                }
            }
            case JobEvent.StateEntered(
                            int branch,
                            var _,
                            StepCause.SignalTaken(var signal, var id),
                            var _) -> {
                if (!(doing(account, branch) instanceof Branch.AwaitingSignal wait)
                        || !wait.signal().equals(signal)) {
                    throw world.failure("the job does not wait for it: " + event);
                }
                if (!account.signals.contains(id) || !account.signalsTaken.add(id)) {
                    throw world.failure("it never came, or was taken before: " + event);
                }
            }
            case JobEvent.ApprovalDecided(int branch, var choice, var _, var _, var _) -> {
                if (!(doing(account, branch) instanceof Branch.AwaitingApproval wait)
                        || wait.approval().choices().after(choice).isEmpty()) {
                    throw world.failure("the job does not wait for it: " + event);
                }
            }
            case JobEvent.StateEntered(
                            int branch,
                            var state,
                            StepCause.ChildrenJoined joined,
                            var _) ->
                    childInvariants.joined((Job) account.fold, branch, state, joined);
            case JobEvent.ChildRefused(int child, var _, var _) ->
                    childInvariants.refused((Job) account.fold, child);
            case JobEvent.ChildStarted(int child, var _) ->
                    childInvariants.started((Job) account.fold, child);
            case JobEvent.ChildEnded ended -> childInvariants.ended((Job) account.fold, ended);
            case JobEvent.ParentNotified _ -> childInvariants.informed((Job) account.fold);
            case JobEvent.WebhookDelivered(var call, int _, var _) ->
                    webhookInvariants.delivered(account.fold.id(), call);
            case JobEvent.WebhookGivenUp(var call, int _, var _, var _) ->
                    webhookInvariants.givenUp(account.fold.id(), call);
            case JobEvent.CancelRequested _ -> childInvariants.cancelRequested(account.fold.id());
            case JobEvent.ChildStopped(int child, var _) ->
                    childInvariants.stopped((Job) account.fold, child);
            case JobEvent.JobForked(var from, var _, var recordedResult, var _, var _) -> {
                childInvariants.checkTrace(account.fold.id(), ((Job) account.fold).spec(), from);
                for (var result : recordedResult) {
                    if (tasks.of(from, result.task()).stream().noneMatch(it -> isOf(it, result))) {
                        throw world.failure(result + " never came of job " + from);
                    }
                }
            }
            case JobEvent.TaskReused(int task, var result, var _) -> {
                settle(account, task, event);
                var job = (Job) account.fold;
                var spec = job.tasks().get(task).spec();
                var isOwn =
                        result.task() < job.tasks().size()
                                && isOf(job.tasks().get(result.task()), result);
                if (!(isOwn || job.recordedResult().contains(result))
                        || !spec.type().equals(result.type())
                        || !Payload.areSame(spec.params(), result.params())) {
                    throw world.failure("it does not fit " + spec + ": " + event);
                }
            }
            case JobEvent.QuarantineResolved _ -> {
                if (!(((Job) account.fold).phase() instanceof Job.Quarantined)) {
                    throw world.failure("it is not quarantined: " + event);
                }
            }
            case JobEvent.LeaseLost(int task, var token, var _, var _) -> {
                hedgeInvariants.ended(account.task(task), token, event);
                requireRepeatable(account, task, true, event);
            }
            case JobEvent.LeaseReturned(int task, var token, var _, var _, var _) -> {
                hedgeInvariants.ended(account.task(task), token, event);
                requireRepeatable(account, task, worldHistory.hasBegun(token), event);
            }
            case JobEvent.OutcomeUnknown(int task, var token, var _, boolean _, var _) -> {
                hedgeInvariants.ended(account.task(task), token, event);
            }
            case JobEvent.QuestionAsked(int task, var token, var question, var _, var _) -> {
                hedgeInvariants.ended(account.task(task), token, event);
                var worker = HedgeInvariants.leases(account.task(task)).getFirst().worker();
                if (!worldHistory.hasAsked(worker, token, question.id())) {
                    throw world.failure("nobody asked: " + event);
                }
            }
            case JobEvent.QuestionAnswered(int task, var answer, var _, var _) -> {
                var openQuestion = account.task(task).asked();
                if (openQuestion.isEmpty()
                        || !openQuestion.get().question().takes(answer)
                        || !worldHistory.hasAnswered(
                                account.fold.id(), openQuestion.get().number(), answer)) {
                    throw world.failure(
                            "nobody answered so what is asked, " + openQuestion + ": " + event);
                }
            }
            case JobEvent.OutcomeResolved(int task, var resolution, var _, var _) -> {
                if (!(account.task(task).state() instanceof Task.Doubtful)) {
                    throw world.failure("nobody waits to know: " + event);
                }
                if (!(resolution instanceof Resolution.DidNotHappen)) {
                    settle(account, task, event);
                }
            }
            case JobEvent.StepFailed(int _, var step, var _, int _, var _, var _) -> {
                if (!worldHistory.hasRun(account.fold.id(), step)) {
                    throw world.failure("it never ran: " + event);
                }
            }
            case JobEvent.JobContinued(var _, var _, var data, var _) -> {
                if (!worldHistory.hasWantedRun(account.fold.id(), data)) {
                    throw world.failure("no handler returned that: " + event);
                }
            }
            case JobEvent.StateEntered _,
                    JobEvent.DefinitionReplaced _,
                    JobEvent.StepRetried _,
                    JobEvent.TaskOpened _,
                    JobEvent.TasksOpened _,
                    JobEvent.LeaseReleased _,
                    JobEvent.TasksWithdrawn _,
                    JobEvent.Forked _,
                    JobEvent.BranchEnded _,
                    JobEvent.BranchesStopped _,
                    JobEvent.WaitBegun _,
                    JobEvent.SignalAwaited _,
                    JobEvent.ApprovalRequested _,
                    JobEvent.ChildRequested _,
                    JobEvent.ChildrenRequested _,
                    JobEvent.ChildrenWithdrawn _,
                    JobEvent.CompensationRegistered _,
                    JobEvent.CompensationStarted _,
                    JobEvent.CompensationCompleted _,
                    JobEvent.CancelHandled _,
                    JobEvent.JobChanged _,
                    JobEvent.JobPaused _,
                    JobEvent.JobResumed _,
                    JobEvent.AttemptSettled _,
                    JobEvent.AttemptWithheld _,
                    JobEvent.TasksAdmitted _,
                    JobEvent.BudgetWarned _,
                    JobEvent.BudgetExhausted _,
                    JobEvent.BudgetExtended _,
                    JobEvent.JobQuarantined _,
                    JobEvent.JobRewound _,
                    JobEvent.JobEnded _ -> {}
        }
    }

    /// What must not be done twice is not given to anybody else when its worker may have begun.
    private void requireRepeatable(
            JobAccount account, int task, boolean mayBeDone, JobEvent event) {
        if (mayBeDone && !account.task(task).spec().idempotent()) {
            throw world.failure("it may have been done and is done again: " + event);
        }
    }

    private static Branch.Doing doing(JobAccount account, int branch) {
        return ((Job) account.fold).branches().get(branch).doing();
    }

    private void requireReport(JobAccount account, int task, LeaseToken token, JobEvent event) {
        var reporter = worldHistory.reporter(token);
        var isReported =
                heldOrDoubted(account.task(task)).stream()
                        .filter(lease -> lease.token().equals(token))
                        .anyMatch(lease -> reporter.equals(Optional.of(lease.worker())));
        if (!isReported) {
            throw world.failure("no worker reported under " + token + ": " + event);
        }
    }

    private void settle(JobAccount account, int task, JobEvent event) {
        if (!account.settled.add(task)) {
            throw world.failure(
                    "task "
                            + task
                            + " of "
                            + account.fold.id()
                            + " has its outcome, and then comes "
                            + event);
        }
    }

    /// What only a job that is not paused does.
    private static boolean goesOn(JobEvent event) {
        return event instanceof JobEvent.LeaseGranted
                || event instanceof JobEvent.StepDone
                || event instanceof JobEvent.StepRetried
                || event instanceof JobEvent.JobPaused
                || (event instanceof JobEvent.StateEntered entered
                        && entered.cause() instanceof StepCause.Overdue);
    }

    /// What a final job still takes.
    private static boolean answersAFinalJob(JobEvent event) {
        return event instanceof JobEvent.LeaseReleased
                || event instanceof JobEvent.AttemptSettled
                || event instanceof JobEvent.ChildStarted
                || event instanceof JobEvent.ChildRefused
                || event instanceof JobEvent.ChildEnded
                || event instanceof JobEvent.ChildStopped
                || event instanceof JobEvent.ParentNotified
                || event instanceof JobEvent.WebhookDelivered
                || event instanceof JobEvent.WebhookGivenUp;
    }

    private static List<Lease> heldOrDoubted(Task task) {
        return task.state() instanceof Task.Doubtful doubt
                ? List.of(doubt.lease())
                : HedgeInvariants.leases(task);
    }

    private static boolean isOf(Task task, RecordedResult result) {
        return task.state() instanceof Task.Succeeded done
                && task.spec().type().equals(result.type())
                && Payload.areSame(task.spec().params(), result.params())
                && done.status().equals(result.status())
                && done.data().equals(result.data());
    }
}
