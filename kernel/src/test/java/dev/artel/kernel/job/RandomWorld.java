package dev.artel.kernel.job;

import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.timer.TimerKind;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEventType;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Gives commands to a job, valid and invalid ones.
public final class RandomWorld {
    public static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final RandomGenerator random;
    private final RandomActions actions;
    private final int cancelsInHundred;
    private int tokens;
    private Instant now = BEGIN;

    RandomWorld(long seed) {
        var source = new SplittableRandom(seed);
        random = source;
        actions = new RandomActions(source.split());
        // Some jobs are left alone, or few would become old.
        cancelsInHundred = random.nextInt(3) * 3;
    }

    JobCommand next(CheckedJob job) {
        now = now.plusMillis(random.nextInt(2_000));
        var dice = random.nextInt(100);
        if (!(job.state() instanceof Job)) {
            return dice < 20 ? fork() : dice < 80 ? submit() : anything(job);
        }
        if (random.nextInt(100) < cancelsInHundred) {
            return new JobCommand.Cancel("somebody wants it", now);
        }
        if (random.nextInt(40) == 0) {
            return change();
        }
        if (random.nextInt(40) == 0) {
            return pause();
        }
        var active = job.job().phase() instanceof Job.Active;
        var planned = job.job().children().children().size() - 1;
        if (planned >= 0
                && job.job().children().children().get(planned).state() instanceof Child.Planned
                && random.nextInt(12) == 0) {
            return aboutChild(planned, startOf(job.job(), planned));
        }
        if (dice < (active ? 70 : 30) && !job.pending().isEmpty()) {
            return answer(one(job.pending()), job.job());
        }
        if (!active && dice < 60 && job.job().children().children().size() > 0) {
            var child = anyChild(job);
            return random.nextInt(3) == 0
                    ? new JobCommand.ConfirmStop(child, anyEffect(job), now)
                    : aboutChild(child, startOf(job.job(), child));
        }
        if (dice < 80) {
            return answer(one(job.everAsked()), job.job());
        }
        if (dice < 88) {
            return one(job.commands());
        }
        return anything(job);
    }

    private JobCommand anything(CheckedJob job) {
        return switch (random.nextInt(44)) {
            case 40 -> change();
            case 41 -> pause();
            case 43 -> extension(Spending.ofUsd("1"));
            case 42 -> new JobCommand.ResumeJob("client", now);
            case 20, 21, 22, 23 -> {
                var child = anyChild(job);
                yield aboutChild(
                        child,
                        job.state() instanceof Job it && random.nextInt(8) > 0
                                ? startOf(it, child)
                                : anyEffect(job));
            }
            case 24, 25, 26 -> new JobCommand.ConfirmStop(anyChild(job), anyEffect(job), now);
            case 27 -> new JobCommand.ConfirmParentNotified(anyEffect(job), now);
            case 28 -> settle(anyEffect(job));
            case 36, 37, 38 ->
                    new JobCommand.AskQuestion(
                            anyTask(job),
                            anyToken(job),
                            anyWorker(),
                            question(),
                            Optional.empty(),
                            now);
            case 39 -> answerTo(random.nextInt(40));
            case 29 -> fork();
            case 0 -> random.nextBoolean() ? submit() : fork();
            case 1 ->
                    new JobCommand.CompleteStep(anyEffect(job), actions.next(0, 0), List.of(), now);
            case 2 -> new JobCommand.FailStep(anyEffect(job), "no such step", true, chance(), now);
            case 3, 17, 18 -> grant(anyEffect(job), anyTask(job));
            case 4, 5, 19 ->
                    new JobCommand.Report(
                            anyTask(job),
                            anyToken(job),
                            anyWorker(),
                            report(),
                            cost(),
                            chance(),
                            now);
            case 6, 7 -> new JobCommand.EndLease(anyTask(job), anyToken(job), ending(), now);
            case 8 -> new JobCommand.Cancel("out of the blue", now);
            case 9, 10 -> signal(one(List.of("go", "stop")));
            case 11, 12 ->
                    decision(
                            random.nextBoolean()
                                    ? new Approver.TokenHolder("digest-" + random.nextInt(9))
                                    : new Approver.OfClient("client", random.nextInt(20)));
            case 13, 14, 15 -> resolution(anyTask(job));
            case 16, 30, 31 -> random.nextBoolean() ? resolve() : rewind(runOf(job));
            default -> new JobCommand.FireTimer(anyEffect(job), timerKind(job), chance(), now);
        };
    }

    private JobCommand answer(Effect effect, Job job) {
        return switch (effect) {
            case Effect.RunStep step -> step(step, job);
            case Effect.Offer offer -> grant(offer.id(), offer.task());
            case Effect.HoldLease held when random.nextInt(6) == 0 ->
                    question(held.task(), held.lease());
            case Effect.HoldLease held -> endOf(held.task(), held.lease());
            case Effect.HoldParked parked ->
                    switch (random.nextInt(4)) {
                        case 0 -> question(parked.task(), parked.lease());
                        case 1 -> aboutUnanswered(parked.task(), parked.lease());
                        default -> endOfLease(parked.task(), parked.lease().token());
                    };
            case Effect.AwaitAnswer wait ->
                    // A job that has continued as new since has other tasks.
                    wait.task() < job.tasks().size()
                                    && job.tasks().get(wait.task()).state()
                                            instanceof
                                            Task.Open(
                                                    Attempt.Unanswered(var last, var _),
                                                    int _,
                                                    var _)
                                    && random.nextInt(3) > 0
                            ? aboutUnanswered(wait.task(), last)
                            : answerTo(wait.number());
            case Effect.Revoke revoke -> endOf(revoke.task(), revoke.lease());
            // Timers go off more rarely than workers answer, or nothing would ever be done in time.
            case Effect.ScheduleTimer timer
                    when timer.timerKind() instanceof TimerKind.JobDeadline
                            && random.nextInt(10) > 0 ->
                    submit();
            case Effect.ScheduleTimer timer ->
                    new JobCommand.FireTimer(timer.id(), timer.timerKind(), chance(), now);
            case Effect.AwaitResolution wait when random.nextBoolean() -> resolution(wait.task());
            case Effect.AwaitResolution wait -> lateReport(job, wait.task());
            case Effect.AwaitSignal wait -> signal(wait.signal());
            case Effect.AwaitApproval wait -> decision(approver(wait));
            case Effect.StartChild start -> aboutChild(start.parentLink().child(), start.id());
            case Effect.AwaitChild await -> aboutChild(await.child(), startOf(job, await.child()));
            case Effect.StopChild stop ->
                    random.nextInt(3) > 0
                            ? new JobCommand.ConfirmStop(stop.child(), stop.id(), now)
                            : aboutChild(stop.child(), startOf(job, stop.child()));
            case Effect.NotifyParent notification ->
                    new JobCommand.ConfirmParentNotified(notification.id(), now);
            case Effect.CallWebhook call -> settle(call.id());
            case Effect.AwaitResume _ -> new JobCommand.ResumeJob("client", now);
            case Effect.AwaitExtension wait ->
                    random.nextInt(4) == 0
                            ? extension(Spending.NONE.with(wait.limit(), 1))
                            : extension(wait.needed());
            case Effect.AwaitOperator _ when random.nextBoolean() ->
                    random.nextInt(4) == 0 ? rewind(job.guardBaseline().run()) : resolve();
            case Effect.AwaitOperator _ when random.nextInt(8) == 0 ->
                    new JobCommand.Cancel("a person has looked at it", now);
            case Effect.AwaitOperator person ->
                    new JobCommand.FireTimer(
                            person.id(), new TimerKind.CancelGrace(), chance(), now);
        };
    }

    private JobCommand extension(Spending more) {
        return new JobCommand.ExtendBudget(more, "client", now);
    }

    private Optional<Budget> budget() {
        if (random.nextInt(3) > 0) {
            return Optional.empty();
        }
        var money = Budget.ofUsd("" + random.nextInt(8));
        var calls = random.nextInt(3) == 0 ? money.withCalls(1 + random.nextInt(8)) : money;
        var tokens = random.nextInt(3) == 0 ? calls.withTokens(random.nextInt(500)) : calls;
        return Optional.of(random.nextBoolean() ? tokens : tokens.requestingExtension());
    }

    private ReportedCost cost() {
        return switch (random.nextInt(4)) {
            case 0 -> ReportedCost.NONE;
            case 1 -> ReportedCost.ofUsd("0.5").withTokens(random.nextInt(100));
            case 2 -> ReportedCost.NONE.withTokens(random.nextInt(300));
            default -> ReportedCost.ofUsd("" + random.nextInt(3));
        };
    }

    private JobCommand pause() {
        return new JobCommand.PauseJob(
                random.nextBoolean() ? Optional.of("not now") : Optional.empty(), "client", now);
    }

    private JobCommand change() {
        var labels = new LinkedHashMap<String, String>();
        if (random.nextInt(3) == 0) {
            labels.put("label-" + random.nextInt(3), "value-" + random.nextInt(3));
        }
        return new JobCommand.ChangeJob(
                new JobPatch(
                        random.nextInt(4) > 0
                                ? Optional.of((double) random.nextInt(3))
                                : Optional.empty(),
                        labels,
                        random.nextInt(3) == 0 ? List.of("label-" + random.nextInt(3)) : List.of()),
                "client",
                now);
    }

    private JobCommand settle(EffectId call) {
        return new JobCommand.SettleWebhook(
                call,
                1 + random.nextInt(3),
                random.nextInt(3) == 0 ? Optional.of("nobody answers") : Optional.empty(),
                now);
    }

    private List<Webhook> webhooks() {
        return switch (random.nextInt(3)) {
            case 0 -> List.of();
            case 1 -> List.of(Webhook.of("https://example.com/hook"));
            default ->
                    List.of(
                            Webhook.of("https://example.com/hook"),
                            Webhook.subscription(
                                    "wh-1",
                                    List.of(
                                            WebhookEventType.QUARANTINED,
                                            WebhookEventType.CANCELLED)));
        };
    }

    private JobCommand question(int task, Lease lease) {
        return new JobCommand.AskQuestion(
                task,
                lease.token(),
                lease.worker(),
                question(),
                random.nextInt(3) == 0 ? Optional.of(Duration.ofSeconds(5)) : Optional.empty(),
                now);
    }

    private Question question() {
        return new Question(
                "question-" + random.nextInt(3),
                "which way?",
                random.nextBoolean() ? List.of("left", "right") : List.of());
    }

    /// Words of a worker that is gone.
    private JobCommand aboutUnanswered(int task, Lease last) {
        return switch (random.nextInt(5)) {
            case 0 -> question(task, last);
            case 1 -> resolution(task);
            case 2 -> grant(new EffectId(1, 0), task);
            case 3 -> endOf(task, last);
            default -> endOfLease(task, last.token());
        };
    }

    private JobCommand endOfLease(int task, LeaseToken token) {
        return new JobCommand.EndLease(task, token, ending(), now);
    }

    private JobCommand answerTo(long number) {
        return new JobCommand.AnswerQuestion(
                number, one(List.of("left", "left", "right", "straight on")), "client", now);
    }

    private JobCommand signal(String name) {
        return new JobCommand.Signal(name, "id-" + random.nextInt(60), payload(), "client", now);
    }

    private JobCommand fork() {
        var worker = new WorkerId("old");
        return new JobCommand.Fork(
                submit().spec(),
                new JobId("other"),
                JobData.of(RandomActions.numbered(3)),
                List.of(
                        new RecordedResult(0, "work", Payload.EMPTY, worker, "success", payload()),
                        new RecordedResult(1, "play", Payload.EMPTY, worker, "success", payload()),
                        new RecordedResult(2, "work", Payload.EMPTY, worker, "strange", payload())),
                "client",
                now);
    }

    private static int runOf(CheckedJob job) {
        return job.state() instanceof Job begun ? begun.guardBaseline().run() : 0;
    }

    private JobCommand rewind(int run) {
        var data = JobData.of(RandomActions.numbered(random.nextInt(5)));
        return new JobCommand.Rewind(
                new StateVisit(
                        "start",
                        data,
                        random.nextInt(4) - 1,
                        random.nextInt(3),
                        random.nextInt(5) == 0 ? 0 : run),
                "client",
                now);
    }

    private JobCommand resolve() {
        var how =
                switch (random.nextInt(6)) {
                    case 0, 1 -> new QuarantineAction.Release();
                    case 2 -> new QuarantineAction.Retry(JobData.of(RandomActions.numbered(7)));
                    case 3, 4 ->
                            new QuarantineAction.Skip(
                                    random.nextInt(4) == 0 ? "strange" : "success", payload());
                    default -> new QuarantineAction.Discard("of no use");
                };
        return new JobCommand.ResolveQuarantine(how, "client", now);
    }

    private JobCommand resolution(int task) {
        var resolution =
                switch (random.nextInt(3)) {
                    case 0 -> new Resolution.Happened("success", payload());
                    case 1 -> new Resolution.DidNotHappen();
                    default -> new Resolution.Failed("it went wrong");
                };
        return new JobCommand.ResolveTask(task, resolution, "client", now);
    }

    private JobCommand lateReport(Job job, int task) {
        return task < job.tasks().size()
                        && job.tasks().get(task).state() instanceof Task.Doubtful doubt
                ? new JobCommand.Report(
                        task,
                        doubt.lease().token(),
                        doubt.lease().worker(),
                        report(),
                        cost(),
                        chance(),
                        now)
                : resolution(task);
    }

    private Approver approver(Effect.AwaitApproval wait) {
        return wait.approval().tokenDigest().isPresent() && random.nextBoolean()
                ? new Approver.TokenHolder(wait.approval().tokenDigest().get())
                : new Approver.OfClient(
                        one(List.of("client", "somebody")),
                        one(List.of(List.of(), List.of("managers"))),
                        wait.number());
    }

    private JobCommand decision(Approver by) {
        return new JobCommand.DecideApproval(
                by,
                one(List.of("yes", "yes", "no", "perhaps")),
                random.nextBoolean() ? Optional.of("so be it") : Optional.empty(),
                now);
    }

    private static EffectId startOf(Job job, int child) {
        return child >= 0 && child < job.children().children().size()
                ? job.children().children().get(child).start()
                : new EffectId(1, 1);
    }

    private JobCommand aboutChild(int child, EffectId start) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> new JobCommand.RefuseChild(child, start, "nobody knows it", now);
            case 2, 3, 4 -> new JobCommand.ConfirmChild(child, start, now);
            default ->
                    new JobCommand.EndChild(
                            child,
                            start,
                            report(
                                    one(
                                            List.of(
                                                    Outcomes.FINISHED,
                                                    Outcomes.FINISHED,
                                                    Outcomes.FAILED,
                                                    Outcomes.CANCELLED,
                                                    ChildReport.QUARANTINED))),
                            now);
        };
    }

    static ChildReport report(String outcome) {
        return new ChildReport(
                outcome,
                Payload.of(RandomActions.numbered(3)),
                1,
                outcome.equals(Outcomes.FINISHED)
                        ? Optional.empty()
                        : Optional.of("no luck down there"),
                outcome.equals(Outcomes.FAILED) ? Spending.NONE : Spending.ofUsd("0.5"));
    }

    private Guards guards() {
        var guards = Guards.DEFAULTS.withTreeSteps(100);
        if (random.nextInt(6) == 0) {
            guards = guards.withTransitions(1 + random.nextInt(20));
        }
        return random.nextInt(8) == 0 ? guards.withHistory(1 + random.nextInt(80)) : guards;
    }

    private JobCommand step(Effect.RunStep step, Job job) {
        if (random.nextInt(8) == 0) {
            return new JobCommand.FailStep(
                    step.id(), "it broke", random.nextInt(4) > 0, chance(), now);
        }
        var size = job.tasks().size() + job.branches().size();
        return new JobCommand.CompleteStep(
                step.id(),
                actions.next(step.branch(), size),
                random.nextInt(10) == 0 ? List.of("passed") : List.of(),
                now);
    }

    private JobCommand endOf(int task, Lease lease) {
        return random.nextInt(4) == 0
                ? endOfLease(task, lease.token())
                : new JobCommand.Report(
                        task,
                        lease.token(),
                        random.nextInt(10) == 0 ? anyWorker() : lease.worker(),
                        report(),
                        cost(),
                        chance(),
                        now);
    }

    private JobCommand.Grant grant(EffectId offer, int task) {
        var worker = anyWorker();
        return new JobCommand.Grant(
                offer,
                task,
                new LeaseToken("token-" + tokens++),
                worker,
                new Placement(worker, "it was free", List.of(), new LinkedHashMap<>(), 1),
                now);
    }

    private Optional<TraceContext> trace() {
        return random.nextBoolean()
                ? Optional.empty()
                : TraceContext.read(
                        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "rojo=1");
    }

    private JobCommand.Submit submit() {
        var options =
                new JobOptions(
                        random.nextInt(3),
                        random.nextInt(3) == 0
                                ? Optional.of(now.plusSeconds(60))
                                : Optional.empty(),
                        new LinkedHashMap<>(),
                        random.nextBoolean() ? Optional.of("digest") : Optional.empty(),
                        Duration.ofSeconds(10),
                        webhooks(),
                        trace());
        var spec =
                new JobSpec(
                                new BlueprintRef("any", "1", "digest"),
                                "start",
                                "client",
                                JobData.EMPTY,
                                options,
                                JobSpec.CURRENT_RULES)
                        .withGuards(guards())
                        .withBudget(budget())
                        .withCancelState(
                                random.nextInt(6) == 0 ? Optional.of("tidy") : Optional.empty());
        return new JobCommand.Submit(
                        random.nextInt(3) > 0
                                ? spec
                                : spec.bornOf(
                                        new ParentLink(
                                                new JobId("parent"),
                                                new EffectId(7, 0),
                                                0,
                                                new JobId("root"),
                                                List.of("above", "below"),
                                                5 + random.nextInt(40),
                                                2 + random.nextInt(2),
                                                one(List.of(ChildMode.values())))),
                        now)
                .paused(
                        random.nextInt(9) == 0
                                ? Optional.of((JobCommand.PauseJob) pause())
                                : Optional.empty());
    }

    private TaskReport report() {
        return switch (random.nextInt(8)) {
            case 0 -> new TaskReport.Cancelled();
            case 1, 2 -> failed(ErrorClass.TRANSIENT);
            case 3 ->
                    failed(random.nextBoolean() ? ErrorClass.PERMANENT : ErrorClass.INVALID_INPUT);
            default ->
                    new TaskReport.Succeeded(
                            random.nextInt(12) == 0 ? "strange" : "success", payload());
        };
    }

    private Payload payload() {
        return random.nextBoolean()
                ? Payload.EMPTY
                : Payload.of(RandomActions.numbered(random.nextInt(5)));
    }

    private static TaskReport failed(ErrorClass kind) {
        return new TaskReport.Failed(new TaskError(kind, kind.name(), "it did not work"));
    }

    private LeaseEnd ending() {
        return random.nextBoolean()
                ? one(List.of(LeaseEnd.Lost.values()))
                : one(List.of(LeaseEnd.Returned.values()));
    }

    private TimerKind timerKind(CheckedJob job) {
        return switch (random.nextInt(8)) {
            case 0 -> new TimerKind.JobDeadline();
            case 1 -> new TimerKind.CancelGrace();
            case 2, 3 ->
                    new TimerKind.BranchTimer(
                            job.state() instanceof Job it
                                    ? random.nextInt(it.branches().size() + 1)
                                    : 0);
            default -> new TimerKind.TaskTimer(anyTask(job));
        };
    }

    private EffectId anyEffect(CheckedJob job) {
        return job.everAsked().isEmpty() || random.nextInt(10) == 0
                ? new EffectId(random.nextInt(40), random.nextInt(3))
                : one(job.everAsked()).id();
    }

    private int anyTask(CheckedJob job) {
        var size = job.state() instanceof Job it ? it.tasks().size() : 0;
        return random.nextInt(10) == 0
                ? size + random.nextInt(-2 - size, 3)
                : random.nextInt(size + 1);
    }

    private int anyChild(CheckedJob job) {
        var size = job.state() instanceof Job it ? it.children().children().size() : 0;
        return random.nextInt(size + 1);
    }

    private LeaseToken anyToken(CheckedJob job) {
        return new LeaseToken(
                "token-" + (job.commands().isEmpty() ? 7 : random.nextInt(tokens + 1)));
    }

    private WorkerId anyWorker() {
        return new WorkerId("worker-" + random.nextInt(3));
    }

    private double chance() {
        return random.nextDouble();
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
