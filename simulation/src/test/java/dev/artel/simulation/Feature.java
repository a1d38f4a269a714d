package dev.artel.simulation;

import static dev.artel.simulation.ScriptedAnswer.computed;
import static dev.artel.simulation.ScriptedAnswer.failure;
import static dev.artel.simulation.ScriptedAnswer.permanentFailure;
import static dev.artel.simulation.ScriptedAnswer.silence;
import static dev.artel.simulation.ScriptedAnswer.success;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEventType;
import dev.artel.simulation.function.FunctionFeature;
import dev.artel.store.codec.JsonEventCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// A job for each feature, which always takes the same way.
@SuppressWarnings("ImmutableEnumChecker") // a simulation is immutable, and so is what makes it
enum Feature {
    TASK(() -> simulate(working("task").build())),
    PURE_STATES(() ->
            simulate(
                    Blueprint.named("pure")
                            .start("begin", _ -> Action.transitionTo("work").with(data("begun")))
                            .leadingTo("work")
                            .pure()
                            .state(
                                    "work",
                                    _ -> Action.dispatch(work(), Outcomes.on("success", "sum")))
                            .leadingTo("sum")
                            .pure()
                            .state("sum", _ -> Action.transitionTo("done").with(data("summed")))
                            .leadingTo("done")
                            .pure()
                            .end("done")
                            .build())),
    RETRY(() ->
            ArtelSimulation.of(working("retry").build())
                    .workers(
                            FakeWorker.named("worker")
                                    .doing(
                                            "work",
                                            failure("no luck"),
                                            failure("again"),
                                            success(data("made"))))),
    HANDLER_RETRY(() ->
            simulate(
                    Blueprint.named("handler-retry")
                            .start(
                                    "begin",
                                    step -> {
                                        if (step.attempt() < 3) {
                                            throw new IllegalStateException("no luck");
                                        }
                                        return Action.transitionTo("done").with(data("begun"));
                                    })
                            .leadingTo("done")
                            .end("done")
                            .build())),
    NEW_RUN(() ->
            simulate(
                    Blueprint.named("new-run")
                            .start(
                                    "begin",
                                    _ -> Action.dispatch(work(), Outcomes.on("success", "again")))
                            .leadingTo("again")
                            .state(
                                    "again",
                                    step ->
                                            step.data().has("last")
                                                    ? Action.transitionTo("done")
                                                    : Action.continueAsNew("begin", data("last")))
                            .leadingTo("begin", "done")
                            .end("done")
                            .build())),
    FAN_OUT(() ->
            simulate(
                    Blueprint.named("fan-out")
                            .start(
                                    "split",
                                    _ -> Action.dispatchParallel(tasks(5), "join").withWindow(2))
                            .leadingTo("join")
                            .state(
                                    "join",
                                    step ->
                                            Action.transitionTo("done")
                                                    .with(joined(step.results().size())))
                            .leadingTo("done")
                            .end("done")
                            .build())),
    JOIN(() ->
            simulate(
                    Blueprint.named("join")
                            .start(
                                    "split",
                                    _ ->
                                            Action.fork(List.of("left", "right"), "join")
                                                    .withPolicy(JoinPolicy.ALL))
                            .leadingTo("left", "right", "join")
                            .state(
                                    "left",
                                    _ -> Action.dispatch(work(), Outcomes.on("success", "ended")))
                            .leadingTo("ended")
                            .state("right", _ -> Action.waitFor(Duration.ofSeconds(3), "ended"))
                            .leadingTo("ended")
                            .state("ended", _ -> Action.endBranch())
                            .state("join", _ -> Action.transitionTo("done").with(data("joined")))
                            .leadingTo("done")
                            .end("done")
                            .build())),
    CONDITION(() ->
            simulate(
                    Blueprint.named("condition")
                            .start(
                                    "begin",
                                    _ -> Action.dispatch(work(), Outcomes.on("success", "choose")))
                            .leadingTo("choose")
                            .state(
                                    "choose",
                                    step ->
                                            Action.transitionTo(
                                                    step.data().get("made").isPresent()
                                                            ? "good"
                                                            : "bad"))
                            .leadingTo("good", "bad")
                            .state(
                                    "good",
                                    _ -> Action.dispatch(work(), Outcomes.on("success", "done")))
                            .leadingTo("done")
                            .end("done")
                            .failedEnd("bad")
                            .build())),
    WAIT(() ->
            simulate(
                    Blueprint.named("wait")
                            .start("begin", _ -> Action.waitFor(Duration.ofSeconds(30), "later"))
                            .leadingTo("later")
                            .state(
                                    "later",
                                    _ ->
                                            Action.waitUntil(
                                                    Instant.parse("2030-01-01T00:02:00Z"), "done"))
                            .leadingTo("done")
                            .end("done")
                            .build())),
    SIGNAL(() ->
            simulate(
                            Blueprint.named("signal")
                                    .start("begin", _ -> Action.awaitSignal("early", "next"))
                                    .leadingTo("next")
                                    .state("next", _ -> Action.awaitSignal("late", "done"))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .at(Duration.ofSeconds(1), ScriptedEvent.signal("early", JsonValue.of("a")))
                    .at(Duration.ofSeconds(20), ScriptedEvent.signal("late", JsonValue.of("b")))),
    APPROVAL(() ->
            simulate(asking("approval", Duration.ofHours(1)))
                    .at(Duration.ofSeconds(10), ScriptedEvent.decision("yes"))),
    QUESTION(() ->
            ArtelSimulation.of(working("question").build())
                    .workers(
                            FakeWorker.named("curious")
                                    .doing(
                                            "work",
                                            ScriptedAnswer.asking(
                                                    "Which way?",
                                                    List.of("left", "right"),
                                                    way -> success(data(way)))))
                    .at(Duration.ofSeconds(10), ScriptedEvent.answer("left"))),
    APPROVAL_OVERDUE(() -> simulate(asking("overdue", Duration.ofMinutes(1)))),
    CHILD_WAITED_FOR(() ->
            simulate(
                            Blueprint.named("parent")
                                    .start(
                                            "run",
                                            _ ->
                                                    Action.runBlueprint(
                                                                    "child",
                                                                    data("given"),
                                                                    Outcomes.on(
                                                                            Outcomes.FINISHED,
                                                                            "done"))
                                                            .as("child"))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .child(working("child").build())),
    CHILD_STARTED(() ->
            simulate(
                            Blueprint.named("starter")
                                    .start(
                                            "run",
                                            _ ->
                                                    Action.startBlueprint(
                                                            "child", JsonObject.EMPTY, "done"))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .child(working("child").build())),
    CHILD_CANCELLED(() ->
            simulate(
                            Blueprint.named("parent-of-cancelled")
                                    .start(
                                            "run",
                                            _ ->
                                                    Action.runBlueprint(
                                                            "slow",
                                                            JsonObject.EMPTY,
                                                            Outcomes.on(Outcomes.FINISHED, "done")))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .child(
                            Blueprint.named("slow")
                                    .start(
                                            "begin",
                                            _ -> Action.waitFor(Duration.ofHours(1), "done"))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .at(Duration.ofSeconds(20), ScriptedEvent.cancel("not wanted"))),
    COMPENSATION(() ->
            simulate(
                    Blueprint.named("compensation")
                            .start(
                                    "pay",
                                    _ ->
                                            Action.dispatch(work(), Outcomes.on("success", "send"))
                                                    .compensatedBy(
                                                            TaskSpec.of("work", data("back"))))
                            .leadingTo("send")
                            .state(
                                    "send",
                                    _ ->
                                            Action.dispatch(work(), Outcomes.on("success", "break"))
                                                    .compensatedBy("unsend"))
                            .leadingTo("break", "unsend")
                            .state("break", _ -> Action.fail("it broke"))
                            .state(
                                    "unsend",
                                    _ -> Action.dispatch(work(), Outcomes.on("success", "unsent")))
                            .leadingTo("unsent")
                            .state("unsent", _ -> Action.endBranch())
                            .build())),
    UNKNOWN_OUTCOME_BY_NAME(() ->
            simulateSilence(
                    onceOnly(
                            "unknown",
                            Outcomes.on("success", "done").and(Outcomes.UNKNOWN, "done")))),
    UNKNOWN_OUTCOME_HAPPENED(() ->
            simulateSilence(onceOnly("happened", Outcomes.on("success", "done")))
                    .at(Duration.ofMinutes(2), ScriptedEvent.itHappened("success", data("known")))),
    UNKNOWN_OUTCOME_DID_NOT_HAPPEN(() ->
            ArtelSimulation.of(onceOnly("did-not", Outcomes.on("success", "done")))
                    .workers(
                            FakeWorker.named("worker")
                                    .doing("work", silence(), success(data("made"))))
                    .at(Duration.ofMinutes(2), ScriptedEvent.itDidNotHappen())
                    // A hand-out that a crash has swallowed may have been done, as far as anybody
                    // knows.
                    .at(Duration.ofMinutes(10), ScriptedEvent.itDidNotHappen())),
    UNKNOWN_OUTCOME_FAILED(() ->
            simulateSilence(onceOnly("failed", Outcomes.on("success", "done")))
                    .at(Duration.ofMinutes(2), ScriptedEvent.itFailed("nobody got it"))),
    QUARANTINE_RELEASED(() ->
            ArtelSimulation.of(fragile("released"))
                    .workers(
                            FakeWorker.named("worker")
                                    .doing("work", failure("no luck"), success(data("made"))))
                    .at(Duration.ofMinutes(1), ScriptedEvent.release())),
    QUARANTINE_RETRIED(() ->
            simulate(needy("retried"))
                    .at(Duration.ofMinutes(10), ScriptedEvent.retry(data("missing")))),
    QUARANTINE_SKIPPED(() ->
            ArtelSimulation.of(fragile("skipped"))
                    .workers(FakeWorker.named("worker").doing("work", failure("no luck")))
                    .at(Duration.ofMinutes(1), ScriptedEvent.skip("success", data("given")))),
    QUARANTINE_DISCARDED(() ->
            ArtelSimulation.of(fragile("discarded"))
                    .workers(FakeWorker.named("worker").doing("work", failure("no luck")))
                    .at(Duration.ofMinutes(1), ScriptedEvent.discard("enough"))),
    REWIND(() ->
            simulate(
                            Blueprint.named("rewind")
                                    .start(
                                            "begin",
                                            _ ->
                                                    Action.dispatch(
                                                            work(), Outcomes.on("success", "ask")))
                                    .leadingTo("ask")
                                    .state("ask", _ -> Action.awaitSignal("go", "done"))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .at(Duration.ofSeconds(10), ScriptedEvent.rewind("ask", "begin"))
                    .at(Duration.ofSeconds(60), ScriptedEvent.signal("go", JsonValue.of("on")))),
    PAUSE_OF_TASKS(() ->
            simulate(
                            Blueprint.named("pause-of-tasks")
                                    .start(
                                            "split",
                                            _ ->
                                                    Action.dispatchParallel(tasks(5), "join")
                                                            .withWindow(1))
                                    .leadingTo("join")
                                    .state(
                                            "join",
                                            step ->
                                                    Action.transitionTo("done")
                                                            .with(joined(step.results().size())))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .at(
                            Duration.ofMillis(1_500),
                            ScriptedEvent.pause("split", Duration.ofSeconds(20)))),
    PAUSE_OF_A_TIMER(() ->
            simulate(
                            Blueprint.named("pause-of-a-timer")
                                    .start(
                                            "begin",
                                            _ -> Action.waitFor(Duration.ofSeconds(30), "done"))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .at(
                            Duration.ofSeconds(10),
                            ScriptedEvent.pause("begin", Duration.ofMinutes(1)))),
    FORK_OF_A_JOB(() ->
            simulate(
                            Blueprint.named("forked")
                                    .start(
                                            "begin",
                                            _ ->
                                                    Action.dispatch(
                                                            work(), Outcomes.on("success", "ask")))
                                    .leadingTo("ask")
                                    .state(
                                            "ask",
                                            _ -> Action.waitFor(Duration.ofMinutes(1), "done"))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .at(Duration.ofSeconds(10), ScriptedEvent.fork("ask", "begin"))),
    CANCEL_WHILE_A_WORKER_WORKS(() ->
            ArtelSimulation.of(working("cancelled").build())
                    .workers(FakeWorker.named("worker").doing("work", silence()))
                    .at(Duration.ofSeconds(30), ScriptedEvent.cancel("not wanted"))),
    LARGE_VALUES(() ->
            ArtelSimulation.of(
                            Blueprint.named("large")
                                    .start(
                                            "begin",
                                            step ->
                                                    Action.dispatch(
                                                            TaskSpec.of("copy", step.initialData()),
                                                            Outcomes.on("success", "done")))
                                    .leadingTo("done")
                                    .state("done", step -> Action.finish(step.data()))
                                    .build())
                    .workers(FakeWorker.named("worker").doing("copy", computed(params -> params)))
                    .initialData(JsonObject.of("large", JsonValue.of("x".repeat(70_000))))),
    JOB_DEADLINE(() ->
            ArtelSimulation.of(working("deadline").build())
                    .workers(FakeWorker.named("worker").doing("work", silence()))
                    .options(deadline(Instant.parse("2030-01-01T00:01:00Z")))),
    DISPATCH_DEADLINE(() ->
            ArtelSimulation.of(
                    Blueprint.named("dispatch-deadline")
                            .start(
                                    "begin",
                                    _ ->
                                            Action.dispatch(
                                                    work().withDispatchDeadline(
                                                                    Duration.ofMinutes(1)),
                                                    Outcomes.on("success", "done")
                                                            .and(Outcomes.TIMEOUT, "late")))
                            .leadingTo("done", "late")
                            .state("late", _ -> Action.transitionTo("done").with(data("late")))
                            .leadingTo("done")
                            .end("done")
                            .build())),
    EXECUTION_TIMEOUT(() ->
            ArtelSimulation.of(
                            Blueprint.named("timeout")
                                    .start(
                                            "begin",
                                            _ ->
                                                    Action.dispatch(
                                                            work().withExecutionTimeout(
                                                                            Duration.ofSeconds(20)),
                                                            Outcomes.on("success", "done")))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .workers(
                            FakeWorker.named("worker")
                                    .doing("work", silence(), success(data("made"))))),
    PERMANENT_FAILURE(() ->
            ArtelSimulation.of(
                            Blueprint.named("permanent")
                                    .start(
                                            "begin",
                                            _ ->
                                                    Action.dispatch(
                                                            work(),
                                                            Outcomes.on("success", "done")
                                                                    .and(Outcomes.FAILED, "bad")))
                                    .leadingTo("done", "bad")
                                    .end("done")
                                    .failedEnd("bad")
                                    .build())
                    .workers(FakeWorker.named("worker").doing("work", permanentFailure("cannot")))),
    HEDGING(() ->
            ArtelSimulation.of(
                            Blueprint.named("hedging")
                                    .start(
                                            "begin",
                                            _ ->
                                                    Action.dispatch(
                                                            work().hedgedAfter(
                                                                            Duration.ofSeconds(20)),
                                                            Outcomes.on("success", "done")))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .workers(
                            FakeWorker.named("cheap").costing(1).doing("work", silence()),
                            FakeWorker.named("dear")
                                    .costing(2)
                                    .doing("work", success(data("made"))))),
    WEBHOOKS(() ->
            simulate(working("webhooks").build())
                    .options(
                            JobOptions.DEFAULTS.withWebhooks(
                                    List.of(
                                            Webhook.of("https://example.com/hook"),
                                            Webhook.subscription(
                                                    "wh-1", List.of(WebhookEventType.FINISHED)))))),
    REWIND_THAT_COMPENSATES(() ->
            simulate(
                            Blueprint.named("rewind-that-compensates")
                                    .start(
                                            "begin",
                                            _ ->
                                                    Action.dispatch(
                                                                    work(),
                                                                    Outcomes.on("success", "ask"))
                                                            .compensatedBy(
                                                                    TaskSpec.of(
                                                                            "work", data("back"))))
                                    .leadingTo("ask")
                                    .state("ask", _ -> Action.awaitSignal("go", "done"))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .at(Duration.ofSeconds(10), ScriptedEvent.rewind("ask", "begin"))
                    .at(Duration.ofMinutes(5), ScriptedEvent.signal("go", JsonValue.of("on")))),
    FAN_OUT_RELEASED(() ->
            ArtelSimulation.of(joining("fan-out-released"))
                    .workers(
                            FakeWorker.named("worker")
                                    .doing("work", success(data("made")))
                                    .doing(
                                            "fragile",
                                            failure("no luck"),
                                            success(data("resolved"))))
                    .at(Duration.ofMinutes(5), ScriptedEvent.release())),
    FAN_OUT_SKIPPED(() ->
            ArtelSimulation.of(joining("fan-out-skipped"))
                    .workers(
                            FakeWorker.named("worker")
                                    .doing("work", success(data("made")))
                                    .doing("fragile", failure("no luck")))
                    .at(Duration.ofMinutes(5), ScriptedEvent.skip("success", JsonObject.EMPTY))),
    FORK_RELEASED(() ->
            ArtelSimulation.of(
                            Blueprint.named("fork-released")
                                    .start(
                                            "split",
                                            _ ->
                                                    Action.fork(List.of("left", "right"), "join")
                                                            .withPolicy(JoinPolicy.ALL))
                                    .leadingTo("left", "right", "join")
                                    .state(
                                            "left",
                                            _ -> Action.waitFor(Duration.ofMinutes(1), "later"))
                                    .leadingTo("later")
                                    .state(
                                            "later",
                                            _ ->
                                                    Action.dispatch(
                                                            work(),
                                                            Outcomes.on("success", "ended")))
                                    .leadingTo("ended")
                                    .state(
                                            "right",
                                            _ ->
                                                    Action.dispatch(
                                                            fragile(),
                                                            Outcomes.on("success", "ended")))
                                    .leadingTo("ended")
                                    .state("ended", _ -> Action.endBranch())
                                    .state(
                                            "join",
                                            _ -> Action.transitionTo("done").with(data("joined")))
                                    .leadingTo("done")
                                    .end("done")
                                    .build())
                    .workers(
                            FakeWorker.named("worker")
                                    .doing("work", success(data("made")))
                                    .doing(
                                            "fragile",
                                            failure("no luck"),
                                            success(data("resolved"))))
                    .at(Duration.ofMinutes(5), ScriptedEvent.release())),
    DURABLE_FUNCTION(() -> FunctionFeature.simulation(100)),
    DURABLE_FUNCTION_THAT_IS_RUN_AGAIN(() -> FunctionFeature.simulation(0)),
    GUARDS(() ->
            simulate(
                            Blueprint.named("guards")
                                    .guards(Guards.DEFAULTS.withTransitions(5))
                                    .start("begin", _ -> Action.transitionTo("check"))
                                    .leadingTo("check")
                                    .state(
                                            "check",
                                            _ ->
                                                    Action.dispatch(
                                                            work(), Outcomes.on("success", "fix")))
                                    .leadingTo("fix")
                                    .state("fix", _ -> Action.transitionTo("check"))
                                    .leadingTo("check")
                                    .build())
                    .at(Duration.ofMinutes(5), ScriptedEvent.release())
                    .at(Duration.ofMinutes(10), ScriptedEvent.discard("enough")));

    private final Supplier<ArtelSimulation> simulation;

    Feature(Supplier<ArtelSimulation> simulation) {
        this.simulation = simulation;
    }

    ArtelSimulation simulation() {
        return simulation.get().codec(new JsonEventCodec());
    }

    private static ArtelSimulation simulate(Blueprint blueprint) {
        return ArtelSimulation.of(blueprint)
                .workers(FakeWorker.named("worker").doing("work", success(data("made"))));
    }

    private static ArtelSimulation simulateSilence(Blueprint blueprint) {
        return ArtelSimulation.of(blueprint)
                .workers(FakeWorker.named("worker").doing("work", silence()));
    }

    private static Blueprint.Builder working(String name) {
        return Blueprint.named(name)
                .start("begin", _ -> Action.dispatch(work(), Outcomes.on("success", "done")))
                .leadingTo("done")
                .end("done");
    }

    /// Quarantined when its task fails once.
    private static Blueprint fragile(String name) {
        return Blueprint.named(name)
                .start(
                        "begin",
                        _ ->
                                Action.dispatch(
                                        work().withRetry(RetryPolicy.NEVER),
                                        Outcomes.on("success", "done")))
                .leadingTo("done")
                .end("done")
                .build();
    }

    /// Quarantined until its data has what it needs.
    private static Blueprint needy(String name) {
        return Blueprint.named(name)
                .start(
                        "begin",
                        step -> {
                            if (step.data().get("missing").isEmpty()) {
                                throw new IllegalStateException("something is missing");
                            }
                            return Action.transitionTo("done");
                        })
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Blueprint onceOnly(String name, Outcomes on) {
        return Blueprint.named(name)
                .start(
                        "begin",
                        _ ->
                                Action.dispatch(
                                        work().notIdempotent()
                                                .withExecutionTimeout(Duration.ofSeconds(20)),
                                        on))
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Blueprint asking(String name, Duration limit) {
        return Blueprint.named(name)
                .start(
                        "ask",
                        _ ->
                                Action.awaitApproval(
                                                "may it be?",
                                                Outcomes.on("yes", "good").and("no", "bad"))
                                        .within(limit, "bad"))
                .leadingTo("good", "bad")
                .end("good")
                .failedEnd("bad")
                .build();
    }

    private static JobOptions deadline(Instant at) {
        return new JobOptions(
                0,
                Optional.of(at),
                new LinkedHashMap<>(),
                Optional.empty(),
                Duration.ofSeconds(10));
    }

    /// Quarantined when one of its three tasks fails once; two succeed.
    private static Blueprint joining(String name) {
        return Blueprint.named(name)
                .start(
                        "split",
                        _ -> {
                            var all = new ArrayList<>(tasks(2));
                            all.add(1, fragile());
                            return Action.dispatchParallel(all, "join").withPolicy(JoinPolicy.ALL);
                        })
                .leadingTo("join")
                .state(
                        "join",
                        step -> Action.transitionTo("done").with(joined(step.results().size())))
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static TaskSpec fragile() {
        return TaskSpec.of("fragile", JsonObject.EMPTY).withRetry(RetryPolicy.NEVER);
    }

    private static TaskSpec work() {
        return TaskSpec.of("work", JsonObject.EMPTY);
    }

    private static List<TaskSpec> tasks(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> TaskSpec.of("work", JsonObject.of("number", JsonValue.of((long) i))))
                .toList();
    }

    private static JsonObject data(String what) {
        return JsonObject.of(what, JsonValue.of(true));
    }

    private static JsonObject joined(int count) {
        return JsonObject.of("joined", JsonValue.of((long) count));
    }
}
