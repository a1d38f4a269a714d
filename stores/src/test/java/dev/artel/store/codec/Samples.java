package dev.artel.store.codec;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approval;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Replacement;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.OnExhausted;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobPatch;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.placement.Strategy;
import dev.artel.kernel.placement.UnmetRequirement;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEventType;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// What the golden files hold: each type at its plainest and with all that it can have.
final class Samples {
    private static final Instant AT = Instant.ofEpochMilli(1_767_225_600_000L);
    private static final Instant LATER = AT.plusSeconds(30);
    private static final EffectId EFFECT = new EffectId(17, 2);
    private static final LeaseToken TOKEN = new LeaseToken("job-1.0.1.z9");
    private static final WorkerId WORKER = new WorkerId("worker-1");
    private static final Payload INLINE =
            Payload.of(JsonObject.of("width", JsonValue.of(640), "name", JsonValue.of("Zürich")));
    private static final Payload.Slice SLICE =
            new Payload.Slice("ab".repeat(32), 1, 87, "cd".repeat(32));
    private static final Payload REF = new Payload.Ref("ab".repeat(32), 70_000);
    private static final JobData DATA = dataOf("photo", INLINE, "scan", REF);
    private static final Outcomes ON = Outcomes.on("success", "done").and("failed", "sorry");
    private static final TaskSpec PLAIN_TASK = new TaskSpec("resize", INLINE, TaskLimits.DEFAULTS);
    private static final TaskSpec FULL_TASK =
            new TaskSpec(
                    "describe",
                    REF,
                    new TaskLimits(
                            new RetryPolicy(7, Duration.ofMillis(250), 1.5, Duration.ofHours(1), 0),
                            5,
                            Optional.of(Duration.ofMinutes(10)),
                            Duration.ofSeconds(90)));
    private static final TaskError ERROR =
            new TaskError(ErrorClass.TRANSIENT, "no-memory", "the worker has \"no\" memory");
    private static final WorkerInstance PROCESS = new WorkerInstance("host-1/4711");
    private static final Lease LEASE = new Lease(TOKEN, WORKER, 2, LATER);
    private static final Placement PLACEMENT =
            new Placement(
                    WORKER,
                    WorkerProfile.HTTP,
                    "it is warm",
                    List.of(
                            new Placement.Candidate(
                                    WORKER,
                                    WorkerProfile.HTTP,
                                    List.of(
                                            new Placement.Figure("cold", 0),
                                            new Placement.Figure("cost", 1.5))),
                            new Placement.Candidate(
                                    new WorkerId("worker-2"),
                                    WorkerProfile.HTTP,
                                    List.of(
                                            new Placement.Figure("cold", 1),
                                            new Placement.Figure(
                                                    "cost", Double.POSITIVE_INFINITY)))),
                    refused(),
                    List.of(
                            new UnmetRequirement(
                                    new WorkerId("worker-3"),
                                    WorkerProfile.HTTP,
                                    Refusal.RESOURCE,
                                    "ram_gb",
                                    JsonValue.of(16),
                                    JsonValue.of(24.5)),
                            new UnmetRequirement(
                                    new WorkerId("worker-4"),
                                    WorkerProfile.HTTP,
                                    Refusal.LABEL,
                                    "zone",
                                    JsonNull.NULL,
                                    JsonValue.of("eu"))),
                    99);
    private static final Placement PLAIN_PLACEMENT =
            new Placement(WORKER, "it is free", List.of(), new LinkedHashMap<>(), 1);
    private static final RecordedResult RECORDED =
            new RecordedResult(2, "resize", INLINE, WORKER, "success", REF);
    private static final Approval PLAIN_APPROVAL =
            new Approval(
                    EFFECT,
                    "ship it?",
                    Approvers.ANYBODY,
                    Outcomes.on("yes", "ship"),
                    Optional.empty(),
                    Optional.empty());
    private static final Question QUESTION =
            new Question("account", "Which account?", List.of("savings", "current"));
    private static final Approval FULL_APPROVAL =
            new Approval(
                    EFFECT,
                    "Zürich \"now\"?",
                    new Approvers(List.of("ada", "grace"), List.of("managers"), false),
                    Outcomes.on("yes", "ship").and("no", "drop"),
                    Optional.of("cd".repeat(32)),
                    Optional.of("late"));
    private static final String TRACE_PARENT =
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final JobSpec PLAIN_SPEC =
            new JobSpec(
                    new BlueprintRef("album", "1.0", "sha-1"),
                    "start",
                    "alice",
                    JobData.EMPTY,
                    JobOptions.DEFAULTS,
                    1);
    private static final JobSpec FULL_SPEC =
            new JobSpec(
                    new BlueprintRef("album", "1.0", "sha-1"),
                    "start",
                    "alice",
                    DATA,
                    new JobOptions(
                            2.5,
                            Optional.of(LATER),
                            labels(),
                            Optional.of("digest"),
                            Duration.ofSeconds(20)),
                    1);

    private static final ChildSpec PLAIN_CHILD =
            new ChildSpec(
                    "stage",
                    Optional.empty(),
                    JobData.EMPTY,
                    new LinkedHashMap<>(),
                    Optional.empty(),
                    ChildMode.AWAITED,
                    "stage");
    private static final ChildSpec FULL_CHILD =
            new ChildSpec(
                    "stage",
                    Optional.of("2"),
                    DATA,
                    labels(),
                    Optional.of(LATER),
                    ChildMode.AWAITED_UNLESS_QUARANTINED,
                    "first");
    private static final ChildReport PLAIN_REPORT =
            new ChildReport("finished", INLINE, 7, Optional.empty());
    private static final ChildReport FULL_REPORT =
            new ChildReport("failed", REF, 7, Optional.of("no luck"));

    private static final Spending SPENDING = new Spending(1_500_000_000, 2_000, 30, 4);
    private static final Budget BUDGET = new Budget(SPENDING, 0.5, OnExhausted.REQUEST_EXTENSION);

    /// With what events may have since their golden file was written.
    static final List<JobEvent> LATER_EVENTS =
            List.of(
                    new JobEvent.StateEntered(
                            0, "paid", new StepCause.SignalTaken("paid", "s-1"), AT),
                    new JobEvent.StateEntered(
                            0, "ship", new StepCause.Decided("yes", "client alice"), AT),
                    new JobEvent.StateEntered(0, "late", new StepCause.Overdue("paid"), AT),
                    new JobEvent.JobSubmitted(
                            new JobSpec(
                                    new BlueprintRef("album", "1.0", "sha-1"),
                                    "start",
                                    "alice",
                                    JobData.EMPTY,
                                    JobOptions.DEFAULTS,
                                    1,
                                    new ClientPlan(
                                            "gold", JsonObject.of("region", JsonValue.of("eu")))),
                            AT),
                    new JobEvent.TaskOpened(0, demandingTask(), ON, AT),
                    new JobEvent.TaskOpened(0, PLAIN_TASK.notIdempotent(), ON, AT),
                    new JobEvent.TasksOpened(
                            0,
                            List.of(demandingTask(), PLAIN_TASK),
                            10,
                            JoinPolicy.ALL,
                            "done",
                            Optional.empty(),
                            AT),
                    new JobEvent.StateEntered(0, "d", new StepCause.ChildEnded(2, "failed"), AT),
                    new JobEvent.JobSubmitted(
                            PLAIN_SPEC
                                    .withGuards(
                                            new Guards(
                                                    100,
                                                    RetryPolicy.DEFAULTS.withMaxAttempts(2),
                                                    Duration.ofSeconds(20),
                                                    5_000,
                                                    200,
                                                    3,
                                                    Duration.ofHours(1)))
                                    .bornOf(
                                            new ParentLink(
                                                    new JobId("parent"),
                                                    EFFECT,
                                                    2,
                                                    new JobId("root"),
                                                    List.of("tour", "stage"),
                                                    40,
                                                    3,
                                                    ChildMode.DETACHED)),
                            AT),
                    new JobEvent.StateEntered(
                            0, "again", new StepCause.Resolved("retried", "client alice"), AT),
                    new JobEvent.StateEntered(0, "e", new StepCause.Compensation(2), AT),
                    new JobEvent.JobSubmitted(
                            PLAIN_SPEC.withGuards(
                                    Guards.DEFAULTS.withCompensationTimeout(Duration.ofMinutes(5))),
                            AT),
                    new JobEvent.TaskOpened(
                            0, PLAIN_TASK.hedgedAfter(Duration.ofSeconds(90)), ON, AT),
                    new JobEvent.JobSubmitted(
                            new JobSpec(
                                    new BlueprintRef("album", "1.0", "sha-1"),
                                    "start",
                                    "alice",
                                    JobData.EMPTY,
                                    JobOptions.DEFAULTS.withWebhooks(
                                            List.of(
                                                    Webhook.of("https://example.com/hook"),
                                                    Webhook.subscription(
                                                            "wh-1",
                                                            List.of(WebhookEventType.FAILED)))),
                                    1),
                            AT),
                    new JobEvent.JobSubmitted(
                            new JobSpec(
                                    new BlueprintRef("album", "1.0", "sha-1"),
                                    "start",
                                    "alice",
                                    JobData.EMPTY,
                                    JobOptions.DEFAULTS.withTrace(
                                            TraceContext.read(TRACE_PARENT, "vendor=t61rc")),
                                    1),
                            AT),
                    new JobEvent.JobSubmitted(
                            PLAIN_SPEC.withOptions(
                                    JobOptions.DEFAULTS.withTrace(
                                            TraceContext.read(TRACE_PARENT, ""))),
                            AT),
                    new JobEvent.TasksOpened(
                            0,
                            List.of(
                                    PLAIN_TASK.withParams(SLICE),
                                    PLAIN_TASK.withParams(
                                            new Payload.Slice(
                                                    SLICE.whole(), 90, 80, "ef".repeat(32)))),
                            10,
                            JoinPolicy.ALL,
                            "done",
                            Optional.empty(),
                            AT),
                    new JobEvent.StateEntered(0, "f", new StepCause.ChildrenJoined(2, 5), AT),
                    new JobEvent.CancelRequested("not needed", LATER, Optional.of("tidy"), AT),
                    new JobEvent.StateEntered(0, "tidy", new StepCause.Cancelled("not needed"), AT),
                    new JobEvent.JobSubmitted(PLAIN_SPEC.withCancelState(Optional.of("tidy")), AT),
                    new JobEvent.TaskOpened(0, limitedTask(), ON, AT),
                    new JobEvent.TasksOpened(
                            0,
                            List.of(limitedTask(), PLAIN_TASK),
                            10,
                            JoinPolicy.ALL,
                            "done",
                            Optional.empty(),
                            AT),
                    new JobEvent.TaskSucceeded(3, TOKEN, "success", members(), AT),
                    new JobEvent.ChildrenRequested(
                            1,
                            FULL_CHILD,
                            List.of(DATA, JobData.EMPTY, new JobData(referred())),
                            0,
                            7,
                            JoinPolicy.atLeast(2),
                            "join",
                            Optional.of("otherwise"),
                            AT),
                    new JobEvent.CompensationRegistered(
                            1, new Compensation.ByState("refund", Optional.of("3")), AT),
                    new JobEvent.LeaseGranted(0, LEASE, pushed(), AT),
                    new JobEvent.JobSubmitted(PLAIN_SPEC.withBudget(Optional.of(BUDGET)), AT),
                    new JobEvent.JobSubmitted(
                            PLAIN_SPEC.withBudget(Optional.of(Budget.UNLIMITED.withCalls(0))), AT),
                    new JobEvent.TaskOpened(0, PLAIN_TASK.withCost(SPENDING), ON, AT),
                    new JobEvent.TaskOpened(0, PLAIN_TASK.withCost(Spending.NONE), ON, AT),
                    new JobEvent.LeaseGranted(
                            3,
                            new Lease(TOKEN, WORKER, WorkerInstance.UNKNOWN, 2, LATER, SPENDING),
                            PLAIN_PLACEMENT,
                            AT),
                    new JobEvent.ChildRequested(
                            0,
                            new ChildSpec(
                                    "album",
                                    Optional.empty(),
                                    JobData.EMPTY,
                                    new LinkedHashMap<>(),
                                    Optional.empty(),
                                    ChildMode.AWAITED,
                                    "album",
                                    Optional.of(BUDGET)),
                            3,
                            ON,
                            AT),
                    new JobEvent.ChildEnded(
                            0,
                            new ChildReport("finished", INLINE, 7, Optional.empty(), SPENDING),
                            AT),
                    new JobEvent.LeaseGranted(
                            3,
                            new Lease(TOKEN, WORKER, PROCESS, 2, LATER, Spending.NONE),
                            PLAIN_PLACEMENT,
                            AT),
                    new JobEvent.JobSubmitted(
                            PLAIN_SPEC.withOptions(
                                    JobOptions.DEFAULTS.requestedAlsoBy(
                                            List.of("client bob", "client carol"))),
                            AT));

    /// A choice between workers on several wires.
    private static Placement pushed() {
        return new Placement(
                WORKER,
                "websocket",
                "it is warm",
                List.of(
                        new Placement.Candidate(
                                WORKER, "websocket", List.of(new Placement.Figure("cold", 0))),
                        new Placement.Candidate(
                                new WorkerId("worker-2"),
                                WorkerProfile.HTTP,
                                List.of(new Placement.Figure("cold", 1)))),
                refused(),
                List.of(
                        new UnmetRequirement(
                                new WorkerId("worker-3"),
                                "zeromq",
                                Refusal.RESOURCE,
                                "ram_gb",
                                JsonValue.of(16),
                                JsonValue.of(24.5))),
                99);
    }

    private static TaskSpec limitedTask() {
        return PLAIN_TASK
                .limitedBy("tenant:42")
                .limitedBy("licence", 3)
                .limitedBy("mail", Rate.of(10, Duration.ofMinutes(1)))
                .limitedBy(
                        SharedLimit.concurrent("printer", 2)
                                .withRate(Rate.of(1, Duration.ofSeconds(5))));
    }

    private static SequencedMap<String, Payload> referred() {
        var members = new LinkedHashMap<String, Payload>();
        members.put("count", INLINE);
        members.put("image", REF);
        return members;
    }

    /// A large object, of which the large members are kept apart.
    private static Payload members() {
        return new Payload.Members(referred());
    }

    private static TaskSpec demandingTask() {
        return PLAIN_TASK.demanding(demand ->
                demand.amount("ram_gb", 24.5)
                        .gpu("A100", 40)
                        .model("llama")
                        .label("zone", "eu")
                        .label(Selector.absent("spot"))
                        .atMost(0.5)
                        .inCategory("gpu")
                        .by(Strategy.BEST_VALUE)
                        .preferWarmFor(Duration.ofSeconds(5))
                        .with(new Affinity(3, true, Optional.of(WORKER)))
                        .afterFailure(Exclusion.NEVER_AGAIN));
    }

    static final List<JobEvent> EVENTS =
            List.of(
                    new JobEvent.JobSubmitted(PLAIN_SPEC, AT),
                    new JobEvent.JobSubmitted(FULL_SPEC, AT),
                    new JobEvent.StateEntered(0, "start", new StepCause.Started(), AT),
                    new JobEvent.StateEntered(1, "next", new StepCause.Moved("start"), AT),
                    new JobEvent.StateEntered(0, "a", new StepCause.TaskEnded(3, "success"), AT),
                    new JobEvent.StateEntered(0, "b", new StepCause.TasksJoined(3, 10), AT),
                    new JobEvent.StateEntered(0, "c", new StepCause.BranchesJoined(1, 2), AT),
                    new JobEvent.StepDone(0, EFFECT, JobData.EMPTY, List.of(), AT),
                    new JobEvent.StepDone(0, EFFECT, DATA, List.of("x", "y"), AT),
                    new JobEvent.StepFailed(0, EFFECT, "broken", 2, Optional.empty(), AT),
                    new JobEvent.StepFailed(0, EFFECT, "broken", 1, Optional.of(LATER), AT),
                    new JobEvent.StepRetried(0, AT),
                    new JobEvent.TaskOpened(0, PLAIN_TASK, Outcomes.NONE, AT),
                    new JobEvent.TaskOpened(0, FULL_TASK, ON, AT),
                    new JobEvent.TasksOpened(
                            0,
                            List.of(PLAIN_TASK, FULL_TASK),
                            500,
                            JoinPolicy.ALL,
                            "join",
                            Optional.empty(),
                            AT),
                    new JobEvent.TasksOpened(
                            0,
                            List.of(PLAIN_TASK),
                            1,
                            JoinPolicy.SETTLED,
                            "join",
                            Optional.of("other"),
                            AT),
                    new JobEvent.LeaseGranted(3, LEASE, PLAIN_PLACEMENT, AT),
                    new JobEvent.LeaseGranted(3, LEASE, PLACEMENT, AT),
                    new JobEvent.AttemptFailed(3, TOKEN, ERROR, false, LATER, AT),
                    new JobEvent.AttemptFailed(3, TOKEN, ERROR, true, LATER, AT),
                    new JobEvent.HedgeBegun(3, AT),
                    new JobEvent.AttemptDropped(
                            3, TOKEN, "worker b took longer than PT5M", true, Optional.empty(), AT),
                    new JobEvent.AttemptDropped(
                            3, TOKEN, "given back unstarted", false, Optional.of(LATER), AT),
                    new JobEvent.LeaseLost(3, TOKEN, LeaseEnd.Lost.WORKER_GONE, AT),
                    new JobEvent.LeaseReturned(3, TOKEN, LeaseEnd.Returned.RELEASED, LATER, AT),
                    new JobEvent.LeaseReleased(3, TOKEN, AT),
                    new JobEvent.TaskSucceeded(3, TOKEN, "success", INLINE, AT),
                    new JobEvent.TaskSucceeded(3, TOKEN, "success", REF, AT),
                    new JobEvent.TaskFailed(3, ERROR, false, AT),
                    new JobEvent.TaskFailed(3, ERROR, true, AT),
                    new JobEvent.OutcomeUnknown(3, TOKEN, "the worker is gone", false, AT),
                    new JobEvent.OutcomeUnknown(3, TOKEN, "it took too long", true, AT),
                    new JobEvent.OutcomeResolved(
                            3, new Resolution.Happened("success", INLINE), "client alice", AT),
                    new JobEvent.OutcomeResolved(
                            3, new Resolution.DidNotHappen(), "client alice", AT),
                    new JobEvent.OutcomeResolved(
                            3, new Resolution.Failed("refused"), "worker w1", AT),
                    new JobEvent.QuestionAsked(3, TOKEN, QUESTION, Optional.of(LATER), AT),
                    new JobEvent.QuestionAsked(
                            3,
                            TOKEN,
                            new Question("q2", "What next?", List.of()),
                            Optional.empty(),
                            AT),
                    new JobEvent.QuestionAnswered(3, "savings", "client alice", AT),
                    new JobEvent.TasksWithdrawn(0, AT),
                    new JobEvent.Forked(
                            0,
                            List.of("left", "right"),
                            JoinPolicy.FAIL_FAST,
                            "join",
                            Optional.empty(),
                            AT),
                    new JobEvent.Forked(
                            0,
                            List.of("left"),
                            JoinPolicy.atLeast(1),
                            "join",
                            Optional.of("other"),
                            AT),
                    new JobEvent.BranchEnded(1, Optional.empty(), false, AT),
                    new JobEvent.BranchEnded(1, Optional.of("broken"), false, AT),
                    new JobEvent.BranchEnded(1, Optional.of("no such street"), true, AT),
                    new JobEvent.BranchesStopped(0, AT),
                    new JobEvent.JobContinued("last", "first", DATA, AT),
                    new JobEvent.DefinitionReplaced(
                            new BlueprintRef("trip", "1.0", "abc"),
                            "plan",
                            new BlueprintRef("tour", "0.0.0-sha256.0123456789abcdef", "def"),
                            Guards.DEFAULTS.withTransitions(4_000),
                            Optional.of("tidy-up"),
                            AT),
                    new JobEvent.WaitBegun(0, LATER, "next", AT),
                    new JobEvent.SignalAwaited(
                            0, "paid", "next", Optional.empty(), Optional.empty(), AT),
                    new JobEvent.SignalAwaited(
                            0, "paid", "next", Optional.of(LATER), Optional.of("late"), AT),
                    new JobEvent.SignalReceived("paid", "s-1", INLINE, "shop", AT),
                    new JobEvent.ApprovalRequested(0, PLAIN_APPROVAL, Optional.empty(), AT),
                    new JobEvent.ApprovalRequested(0, FULL_APPROVAL, Optional.of(LATER), AT),
                    new JobEvent.ApprovalDecided(0, "yes", "token", Optional.empty(), AT),
                    new JobEvent.ApprovalDecided(
                            0, "no", "client alice", Optional.of("too \"dear\""), AT),
                    new JobEvent.ChildRequested(0, PLAIN_CHILD, 40, ON, AT),
                    new JobEvent.ChildRequested(0, FULL_CHILD, 0, ON, AT),
                    new JobEvent.ChildrenRequested(
                            0,
                            PLAIN_CHILD,
                            List.of(DATA),
                            9,
                            100,
                            JoinPolicy.ALL,
                            "join",
                            Optional.empty(),
                            AT),
                    new JobEvent.ChildrenWithdrawn(1, AT),
                    new JobEvent.ChildStarted(2, AT),
                    new JobEvent.ChildRefused(2, "nobody knows it", AT),
                    new JobEvent.ChildEnded(2, PLAIN_REPORT, AT),
                    new JobEvent.ChildEnded(2, FULL_REPORT, AT),
                    new JobEvent.ChildStopped(2, AT),
                    new JobEvent.ParentNotified(AT),
                    new JobEvent.CompensationRegistered(1, new Compensation.ByTask(PLAIN_TASK), AT),
                    new JobEvent.CompensationRegistered(
                            1, new Compensation.ByState("refund", Optional.empty()), AT),
                    new JobEvent.CompensationStarted(
                            new CompensationLog.End(new JobOutcome.Failed("broken")),
                            Optional.of(LATER),
                            LATER,
                            AT),
                    new JobEvent.CompensationStarted(
                            new CompensationLog.End(new JobOutcome.Cancelled("not needed")),
                            Optional.empty(),
                            LATER,
                            AT),
                    new JobEvent.CompensationStarted(
                            new CompensationLog.Back(
                                    new StateVisit("first", DATA, 2, 1), "client alice"),
                            Optional.empty(),
                            LATER,
                            AT),
                    new JobEvent.CompensationCompleted(Optional.empty(), AT),
                    new JobEvent.CompensationCompleted(Optional.of("it is gone"), AT),
                    new JobEvent.CancelRequested("not needed", LATER, Optional.empty(), AT),
                    new JobEvent.CancelHandled(AT),
                    new JobEvent.JobChanged(0, new LinkedHashMap<>(), "client alice", AT),
                    new JobEvent.JobChanged(
                            5.5, new LinkedHashMap<>(Map.of("team", "red")), "client alice", AT),
                    new JobEvent.AttemptSettled(3, TOKEN, SPENDING, Spending.ofUsd("0.25"), AT),
                    new JobEvent.AttemptWithheld(3, AT),
                    new JobEvent.TasksAdmitted(List.of(3, 4), AT),
                    new JobEvent.BudgetWarned(
                            BudgetLimit.MONEY, 4_000_000_000L, 5_000_000_000L, AT),
                    new JobEvent.BudgetExhausted(BudgetLimit.TOKENS, SPENDING, AT),
                    new JobEvent.BudgetExtended(Spending.ofUsd("5"), "client alice", AT),
                    new JobEvent.JobPaused(Optional.of("disk is full"), "client alice", AT),
                    new JobEvent.JobPaused(Optional.empty(), "client alice", AT),
                    new JobEvent.JobResumed("client alice", AT),
                    new JobEvent.JobQuarantined("broken", AT),
                    new JobEvent.QuarantineResolved(
                            new QuarantineAction.Release(), "client alice", AT),
                    new JobEvent.QuarantineResolved(
                            new QuarantineAction.Retry(DATA), "client alice", AT),
                    new JobEvent.QuarantineResolved(
                            new QuarantineAction.Skip("success", INLINE), "client alice", AT),
                    new JobEvent.QuarantineResolved(
                            new QuarantineAction.Discard("a test"), "client alice", AT),
                    new JobEvent.JobRewound(
                            "third", "first", JobData.EMPTY, List.of(), "client alice", AT),
                    new JobEvent.JobRewound(
                            "third", "first", DATA, List.of(2, 5), "client alice", AT),
                    new JobEvent.JobForked(
                            new JobId("job-7"), JobData.EMPTY, List.of(), "client alice", AT),
                    new JobEvent.JobForked(
                            new JobId("job-7"), DATA, List.of(RECORDED), "client alice", AT),
                    new JobEvent.TaskReused(3, RECORDED, AT),
                    new JobEvent.JobEnded(new JobOutcome.Finished(INLINE), AT),
                    new JobEvent.JobEnded(new JobOutcome.Failed("broken"), AT),
                    new JobEvent.JobEnded(new JobOutcome.Cancelled("not needed"), AT),
                    new JobEvent.WebhookDelivered(EFFECT, 3, AT),
                    new JobEvent.WebhookGivenUp(EFFECT, 20, "it answers 500", AT));

    static final List<JobCommand> COMMANDS =
            List.of(
                    new JobCommand.Submit(FULL_SPEC, AT),
                    new JobCommand.Submit(
                            PLAIN_SPEC,
                            Optional.of(new JobCommand.Signal("paid", "s-1", INLINE, "shop", AT)),
                            AT),
                    new JobCommand.Submit(PLAIN_SPEC, AT)
                            .paused(
                                    Optional.of(
                                            new JobCommand.PauseJob(
                                                    Optional.of("a repair"), "client alice", AT))),
                    completeStep(Action.transitionTo("next")),
                    completeStep(Action.dispatch(FULL_TASK, ON).with(DATA)),
                    completeStep(
                            Action.dispatchParallel(List.of(PLAIN_TASK, FULL_TASK), "join")
                                    .otherwise("other")),
                    completeStep(Action.fork(List.of("left", "right"), "join")),
                    completeStep(Action.endBranch()),
                    completeStep(Action.failBranch("broken")),
                    completeStep(Action.waitFor(Duration.ofSeconds(5), "next")),
                    completeStep(Action.finish(JsonObject.EMPTY)),
                    completeStep(Action.waitUntil(LATER, "next")),
                    completeStep(
                            Action.awaitSignal("paid", "next")
                                    .within(Duration.ofDays(400), "late")),
                    completeStep(
                            Action.awaitApproval(
                                            "ship it?",
                                            Outcomes.on("yes", "ship").and("no", "drop"))
                                    .by(Approvers.groups("managers").exceptTheSubmitter())
                                    .within(Duration.ofHours(2), "late")
                                    .withTokenDigest("cd".repeat(32))),
                    new JobCommand.FailStep(EFFECT, "broken", true, 0.25, AT),
                    new JobCommand.FailStep(
                            EFFECT,
                            "broken again",
                            true,
                            0.75,
                            Optional.of(RetryPolicy.DEFAULTS.withMaxAttempts(9)),
                            AT),
                    new JobCommand.Grant(EFFECT, 3, TOKEN, WORKER, PLACEMENT, AT),
                    new JobCommand.Grant(EFFECT, 3, TOKEN, WORKER, PROCESS, PLACEMENT, AT),
                    new JobCommand.Report(
                            3, TOKEN, WORKER, new TaskReport.Succeeded("success", INLINE), 0.5, AT),
                    new JobCommand.Report(3, TOKEN, WORKER, new TaskReport.Failed(ERROR), 0.5, AT),
                    new JobCommand.Report(3, TOKEN, WORKER, new TaskReport.Cancelled(), 0.5, AT),
                    new JobCommand.ExtendBudget(Spending.ofUsd("5"), "client alice", AT),
                    new JobCommand.EndLease(3, TOKEN, LeaseEnd.Lost.EXPIRED, AT),
                    new JobCommand.EndLease(3, TOKEN, LeaseEnd.Returned.DRAINED, AT),
                    new JobCommand.FireTimer(EFFECT, new TimerKind.JobDeadline(), 0, AT),
                    new JobCommand.FireTimer(EFFECT, new TimerKind.CancelGrace(), 0, AT),
                    new JobCommand.FireTimer(EFFECT, new TimerKind.BranchTimer(1), 0, AT),
                    new JobCommand.FireTimer(EFFECT, new TimerKind.TaskTimer(3), 0, AT),
                    new JobCommand.Signal("paid", "s-1", INLINE, "shop", AT),
                    new JobCommand.DecideApproval(
                            new Approver.TokenHolder("cd".repeat(32)),
                            "yes",
                            Optional.of("good"),
                            AT),
                    new JobCommand.DecideApproval(
                            new Approver.OfClient("alice", 17), "no", Optional.empty(), AT),
                    new JobCommand.DecideApproval(
                            new Approver.TokenHolder("cd".repeat(32), Optional.of("Ada")),
                            "yes",
                            Optional.empty(),
                            AT),
                    new JobCommand.DecideApproval(
                            new Approver.OfClient("alice", List.of("managers"), 17),
                            "no",
                            Optional.empty(),
                            AT),
                    new JobCommand.AskQuestion(
                            3, TOKEN, WORKER, QUESTION, Optional.of(Duration.ofHours(1)), AT),
                    new JobCommand.AskQuestion(3, TOKEN, WORKER, QUESTION, Optional.empty(), AT),
                    new JobCommand.AnswerQuestion(17, "savings", "client alice", AT),
                    new JobCommand.ResolveTask(
                            3, new Resolution.Happened("success", REF), "client alice", AT),
                    new JobCommand.ResolveTask(
                            3, new Resolution.DidNotHappen(), "client alice", AT),
                    new JobCommand.ResolveTask(
                            3, new Resolution.Failed("refused"), "client alice", AT),
                    new JobCommand.ResolveQuarantine(
                            new QuarantineAction.Release(), "client alice", AT),
                    new JobCommand.ResolveQuarantine(
                            new QuarantineAction.Retry(DATA), "client alice", AT),
                    new JobCommand.ResolveQuarantine(
                            new QuarantineAction.Skip("success", REF), "client alice", AT),
                    new JobCommand.ResolveQuarantine(
                            new QuarantineAction.Discard("a test"), "client alice", AT),
                    new JobCommand.Fork(
                            PLAIN_SPEC,
                            new JobId("job-7"),
                            DATA,
                            List.of(RECORDED),
                            "client alice",
                            AT),
                    new JobCommand.Rewind(new StateVisit("first", DATA, 2, 1), "client alice", AT),
                    new JobCommand.Rewind(
                            new StateVisit("first", DATA, 2, 1, 7), "client alice", AT),
                    new JobCommand.Cancel("not needed", AT),
                    new JobCommand.PauseJob(Optional.of("disk is full"), "client alice", AT),
                    new JobCommand.PauseJob(Optional.empty(), "client alice", AT),
                    new JobCommand.ResumeJob("client alice", AT),
                    new JobCommand.ChangeJob(
                            new JobPatch(
                                    Optional.of(5.5),
                                    new LinkedHashMap<>(Map.of("team", "red")),
                                    List.of("stage")),
                            "client alice",
                            AT),
                    new JobCommand.ChangeJob(
                            new JobPatch(Optional.empty(), new LinkedHashMap<>(), List.of()),
                            "client alice",
                            AT),
                    completeStep(
                            Action.runBlueprint("stage", JsonObject.EMPTY, ON.and("finished", "x"))
                                    .withVersion("2")
                                    .withLabel("team", "red")
                                    .within(Duration.ofHours(2))
                                    .withSteps(7)
                                    .as("first")
                                    .failingWhenQuarantined()
                                    .with(DATA)),
                    completeStep(Action.startBlueprint("stage", JsonObject.EMPTY, "next")),
                    completeStep(
                            Action.dispatch(PLAIN_TASK, ON).compensatedBy(FULL_TASK).with(DATA)),
                    new JobCommand.ConfirmChild(2, EFFECT, AT),
                    new JobCommand.RefuseChild(2, EFFECT, "nobody knows it", AT),
                    new JobCommand.EndChild(2, EFFECT, FULL_REPORT, AT),
                    new JobCommand.ConfirmStop(2, EFFECT, AT),
                    new JobCommand.ConfirmParentNotified(EFFECT, AT),
                    new JobCommand.SettleWebhook(EFFECT, 1, Optional.empty(), AT),
                    new JobCommand.SettleWebhook(EFFECT, 20, Optional.of("gone"), AT),
                    completeStep(
                            Action.runBlueprints(
                                            "stage",
                                            List.of(
                                                    JsonObject.EMPTY,
                                                    JsonObject.of("page", JsonValue.of(2))),
                                            "join")
                                    .withWindow(7)
                                    .withPolicy(JoinPolicy.FAIL_FAST)
                                    .otherwise("sorry")
                                    .each(run -> run.withVersion("2").withSteps(7))
                                    .with(DATA)),
                    completeStep(Action.dispatch(limitedTask(), ON)),
                    completeStep(Action.replaceDefinition("name: tour").with(DATA)),
                    completeStep(
                            new Action.ReplaceDefinition(
                                    new Replacement.Known(
                                            new BlueprintRef("tour", "2", "def"),
                                            "begin",
                                            Guards.DEFAULTS.withTransitions(4_000),
                                            Optional.of("tidy-up")),
                                    DATA)),
                    new JobCommand.Report(
                            3,
                            TOKEN,
                            WORKER,
                            new TaskReport.Succeeded("success", members()),
                            0.5,
                            AT),
                    new JobCommand.Report(
                            3,
                            TOKEN,
                            WORKER,
                            new TaskReport.Cancelled(),
                            ReportedCost.ofUsd("0.25").withTokens(90),
                            0.5,
                            AT));

    private Samples() {}

    private static JobCommand completeStep(Action action) {
        return new JobCommand.CompleteStep(EFFECT, action, List.of("passed"), AT);
    }

    private static JobData dataOf(String name1, Payload value1, String name2, Payload value2) {
        var values = new LinkedHashMap<String, Payload>();
        values.put(name1, value1);
        values.put(name2, value2);
        return new JobData(values);
    }

    private static SequencedMap<Refusal, Integer> refused() {
        var refused = new LinkedHashMap<Refusal, Integer>();
        refused.put(Refusal.BUSY, 3);
        refused.put(Refusal.TYPE, 12);
        return refused;
    }

    private static SequencedMap<String, String> labels() {
        var labels = new LinkedHashMap<String, String>();
        labels.put("team", "red");
        labels.put("run", "7");
        return labels;
    }
}
