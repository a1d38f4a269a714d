package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.NoKeyValueStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// Steps that run before what asks for them is durable.
final class StepRunnerTest {
    private static final Duration PATIENT = Duration.ofMinutes(1);
    private static final PayloadStore SMALL =
            new PayloadStore() {
                @Override
                public Payload keep(JsonValue value) {
                    return Payload.of(value);
                }

                @Override
                public JsonValue resolve(Payload payload) {
                    throw new IllegalStateException("nothing here is large");
                }
            };

    @Test
    void aPureStep_saysWhatCameOfIt() throws Exception {
        assertThat(outcomeOf(PATIENT, _ -> Action.finish(JsonObject.EMPTY)))
                .containsInstanceOf(JobCommand.CompleteStep.class);
    }

    @Test
    void aPureStepThatTakesLong_isNotWaitedFor() throws Exception {
        var never = new CountDownLatch(1);
        try {
            assertThat(
                            outcomeOf(
                                    Duration.ofMillis(1),
                                    _ -> {
                                        never.await();
                                        return Action.finish(JsonObject.EMPTY);
                                    }))
                    .isEmpty();
        } finally {
            never.countDown();
        }
    }

    /// Trap: a handler that calls itself for ever takes its thread along, and its job hangs.
    @Test
    void aHandlerThatOverflowsItsStack_hasFailed() throws Exception {
        assertThat(outcomeOf(PATIENT, StepRunnerTest::callsItself))
                .containsInstanceOf(JobCommand.FailStep.class);
    }

    /// Trap: a handler throws an error that nobody thought of, as Kotlin's TODO() does, and its job waits for ever.
    @Test
    void aHandlerThatThrowsAnyError_hasFailed() throws Exception {
        assertThat(
                        outcomeOf(
                                PATIENT,
                                _ -> {
                                    throw new Error("not implemented");
                                }))
                .hasValueSatisfying(outcome ->
                        assertThat(outcome)
                                .isInstanceOfSatisfying(
                                        JobCommand.FailStep.class,
                                        failed -> {
                                            assertThat(failed.retryable()).isTrue();
                                            assertThat(failed.message())
                                                    .isEqualTo("java.lang.Error: not implemented");
                                        }));
    }

    /// Trap: a handler puts all that it has read into its exception, and its job keeps that with each attempt.
    @Test
    void aFailureThatSaysTooMuch_isShortened() throws Exception {
        assertThat(
                        outcomeOf(
                                PATIENT,
                                _ -> {
                                    throw new IllegalStateException("x".repeat(1_000_000));
                                }))
                .hasValueSatisfying(outcome ->
                        assertThat(((JobCommand.FailStep) outcome).message())
                                .startsWith("java.lang.IllegalStateException: xxx")
                                .endsWith("...")
                                .hasSizeLessThan(10_100));
    }

    private static Action callsItself(Step step) {
        return callsTheOther(step);
    }

    private static Action callsTheOther(Step step) {
        return callsItself(step);
    }

    @Test
    void aPureStep_mayUseNoDataStore() throws Exception {
        assertThat(
                        outcomeOf(
                                PATIENT,
                                step -> {
                                    step.store("seen").get("key");
                                    return Action.finish(JsonObject.EMPTY);
                                }))
                .hasValueSatisfying(outcome ->
                        assertThat(outcome)
                                .isInstanceOfSatisfying(
                                        JobCommand.FailStep.class,
                                        failed ->
                                                assertThat(failed.toString())
                                                        .contains("take pure from the state")));
    }

    /// Trap: a handler that waits for something that never comes keeps its job and its thread for ever.
    @Test
    void aHandlerThatTakesTooLong_isInterrupted_andHasFailed() throws Exception {
        var interrupted = new CountDownLatch(1);

        var said =
                ranFor(
                        Duration.ofMillis(50),
                        _ -> {
                            try {
                                new CountDownLatch(1).await();
                            } finally {
                                interrupted.countDown();
                            }
                            return Action.finish(JsonObject.EMPTY);
                        });

        assertThat(said)
                .singleElement()
                .isInstanceOfSatisfying(
                        JobCommand.FailStep.class,
                        failed -> {
                            assertThat(failed.retryable()).isTrue();
                            assertThat(failed.message())
                                    .startsWith(
                                            "the handler of state 'start' took longer than PT0.05S and"
                                                    + " was interrupted");
                        });
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /// Trap: what a handler says after it was given up is taken for its outcome; or it keeps its place, and after some of
    /// them no handler runs any more.
    @Test
    void aHandlerThatPaysNoHeed_leavesItsPlace_andIsNotListenedToAnyMore() throws Exception {
        var goOn = new AtomicBoolean();
        var says = new LinkedBlockingQueue<JobCommand>();
        var deaf =
                Blueprint.named("deaf")
                        .start(
                                "start",
                                _ -> {
                                    while (!goOn.get()) {
                                        LockSupport.parkNanos(1_000_000);
                                    }
                                    return Action.finish(JsonObject.EMPTY);
                                })
                        .handlerTime(Duration.ofMillis(50))
                        .build();
        var quick =
                Blueprint.named("quick")
                        .start("start", _ -> Action.finish(JsonObject.EMPTY))
                        .build();
        try (var runner = runner(Blueprints.of(deaf, quick), PATIENT, says)) {
            start(runner, deaf);
            assertThat(says.poll(60, TimeUnit.SECONDS)).isInstanceOf(JobCommand.FailStep.class);
            start(runner, quick);
            assertThat(says.poll(60, TimeUnit.SECONDS)).isInstanceOf(JobCommand.CompleteStep.class);
            assertThat(runner.abandoned()).isOne();
            assertThat(runner.overran()).isOne();

            goOn.set(true);

            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> runner.abandoned() == 0);
            assertThat(says).isEmpty();
        }
    }

    @Test
    void anyNumberOfHandlersThatPayNoHeed_takesNoMoreThanTwiceTheirPlaces() throws Exception {
        var goOn = new AtomicBoolean();
        var begun = new AtomicInteger();
        var says = new LinkedBlockingQueue<JobCommand>();
        var deaf =
                Blueprint.named("deaf")
                        .start(
                                "start",
                                _ -> {
                                    begun.incrementAndGet();
                                    while (!goOn.get()) {
                                        LockSupport.parkNanos(1_000_000);
                                    }
                                    return Action.finish(JsonObject.EMPTY);
                                })
                        .handlerTime(Duration.ofMillis(10))
                        .build();
        try (var runner = runner(Blueprints.of(deaf), PATIENT, says)) {
            for (var i = 0; i < 5; i++) {
                runner.start(submitted(deaf, "j" + i), stepOf(submitted(deaf, "j" + i)));
            }
            says.poll(60, TimeUnit.SECONDS);
            says.poll(60, TimeUnit.SECONDS);

            assertThat(says.poll(1500, TimeUnit.MILLISECONDS)).isNull();
            assertThat(begun.get()).isEqualTo(2);
            goOn.set(true);
        }
    }

    private static List<JobCommand> ranFor(Duration most, StepHandler handler) throws Exception {
        var blueprint = Blueprint.named("b").start("start", handler).handlerTime(most).build();
        var says = new LinkedBlockingQueue<JobCommand>();
        try (var runner = runner(Blueprints.of(blueprint), PATIENT, says)) {
            start(runner, blueprint);
            var first = says.poll(60, TimeUnit.SECONDS);
            runner.drain(Duration.ofMinutes(1));
            return Stream.concat(Stream.ofNullable(first), says.stream()).toList();
        }
    }

    private static void start(StepRunner runner, Blueprint blueprint) {
        var job = submitted(blueprint, "j");
        runner.start(job, stepOf(job));
    }

    private static Effect.RunStep stepOf(Job job) {
        return (Effect.RunStep) Jobs.pending(job).getFirst();
    }

    /// With one place for handlers.
    private static StepRunner runner(
            Blueprints blueprints, Duration ahead, Queue<JobCommand> says) {
        var values = new LargeValues(SMALL);
        return new StepRunner(
                blueprints,
                new StepCalls(
                        values,
                        new StepView(values, new NoKeyValueStore()),
                        new ActionKeeping(values, new ApprovalTokens(new NoKeyValueStore()))),
                InstantSource.system(),
                1,
                ahead,
                (_, command) -> says.add(command));
    }

    private static Optional<JobCommand> outcomeOf(Duration ahead, StepHandler handler)
            throws Exception {
        var blueprint =
                Blueprint.named("b").dataStore("seen").start("start", handler).pure().build();
        var blueprints = Blueprints.of(blueprint);
        var values = new LargeValues(SMALL);
        var told = new CompletableFuture<Optional<JobCommand>>();
        try (var runner =
                new StepRunner(
                        blueprints,
                        new StepCalls(
                                values,
                                new StepView(values, new NoKeyValueStore()),
                                new ActionKeeping(
                                        values, new ApprovalTokens(new NoKeyValueStore()))),
                        InstantSource.system(),
                        1,
                        ahead,
                        (_, command) -> told.complete(Optional.of(command)))) {
            var job = submitted(blueprint, "j");
            var step = (Effect.RunStep) Jobs.pending(job).getFirst();
            runner.startAhead(job, step, told::complete);
            return told.get(60, TimeUnit.SECONDS);
        }
    }

    private static Job submitted(Blueprint blueprint, String name) {
        var id = new JobId(name);
        var now = InstantSource.system().instant();
        var spec =
                new JobSpec(
                        blueprint.ref(),
                        "start",
                        "client",
                        JobData.EMPTY,
                        JobOptions.DEFAULTS,
                        JobSpec.CURRENT_RULES);
        var submit = new JobCommand.Submit(spec, now);
        if (Jobs.decide(new JobState.Unsubmitted(id), submit)
                        instanceof dev.artel.kernel.job.Decision.Accepted accepted
                && accepted.after() instanceof Job job) {
            return job;
        }
        throw new AssertionError("the job was not accepted");
    }
}
