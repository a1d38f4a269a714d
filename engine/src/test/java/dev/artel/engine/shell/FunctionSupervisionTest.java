package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.DurableFunction;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.ValueType;
import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.blueprint.function.FunctionBlueprint.Setting;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Durable functions, whose code runs in threads of their own, are supervised as handlers are.
final class FunctionSupervisionTest {
    private static final Duration PATIENT = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final HandlerPlaces PLACES = new HandlerPlaces(16, 8, 2, 4);

    private final AtomicBoolean goOn = new AtomicBoolean();
    private final CountDownLatch released = new CountDownLatch(1);
    private final BlockingQueue<JobCommand> outcomes = new LinkedBlockingQueue<>();

    @AfterEach
    void release() {
        goOn.set(true);
        released.countDown();
    }

    private static Blueprint function(
            int room, Duration handlerTime, DurableFunction<JsonObject, JsonValue> code) {
        var type =
                new BlueprintType<>(
                        "trip", ValueType.of(JsonObject.class), ValueType.of(JsonValue.class));
        return FunctionBlueprint.of(
                        Blueprint.named("trip")
                                .guards(Guards.DEFAULTS.withHandlerTime(handlerTime)),
                        type,
                        code,
                        Setting.ofProcess().withRoom(room))
                .blueprint();
    }

    private static StepRunner runner(Blueprint blueprint, Queue<JobCommand> outcomes) {
        return StepRunnerTest.runner(Blueprints.of(blueprint), PLACES, PATIENT, outcomes);
    }

    private static JobId start(StepRunner runner, Blueprint blueprint, String name) {
        var job = StepRunnerTest.submitted(blueprint, name);
        runner.start(job, StepRunnerTest.stepOf(job));
        return job.id();
    }

    private @Nullable JobCommand next() throws InterruptedException {
        return outcomes.poll(Await.seconds(), TimeUnit.SECONDS);
    }

    private static HandlerLoad load(StepRunner runner) {
        return runner.loads().getFirst();
    }

    private void spin() {
        while (!goOn.get()) {
            Thread.onSpinWait();
        }
    }

    private static TaskCall<JsonValue> task() {
        return TaskCall.of("work", JsonObject.EMPTY);
    }

    /// Trap: the handler waits for the thread of its function, so that it seems to wait while that computes, and functions
    /// of one blueprint take all processors.
    @Test
    void functionsThatCompute_areCountedAsComputing_andMakeWayForAllElse() {
        var begun = new AtomicInteger();
        var threads = new LinkedBlockingQueue<Thread>();
        var spins =
                function(
                        200,
                        LONG,
                        (_, _) -> {
                            begun.incrementAndGet();
                            threads.add(Thread.currentThread());
                            spin();
                            return JsonObject.EMPTY;
                        });
        try (var runner = runner(spins, outcomes)) {
            for (var i = 0; i < 8; i++) {
                start(runner, spins, "j" + i);
            }

            await().until(() ->
                    threads.size() == 2
                            && threads.stream()
                                    .allMatch(it -> it.getPriority() == Thread.MIN_PRIORITY));
            assertThat(begun).hasValue(2);
            assertThat(load(runner).computing()).isEqualTo(2);
            release();
            await().until(() -> begun.get() == 8);
        }
    }

    /// Trap: a function that waits for the result of a task keeps a place, or counts as computing.
    @Test
    void aFunctionThatIsParked_takesNoPlace() throws Exception {
        var calls = function(200, LONG, (run, _) -> run.call(task()));
        try (var runner = runner(calls, outcomes)) {
            for (var i = 0; i < 20; i++) {
                start(runner, calls, "j" + i);
                assertThat(next()).isInstanceOf(JobCommand.CompleteStep.class);
            }

            await().until(() -> load(runner).running() == 0);
            assertThat(load(runner).computing()).isZero();
            assertThat(runner.handlers().running()).isEmpty();
        }
    }

    /// Trap: what the thread of a function allocates is nobody's, and when memory runs out its job is not named.
    @Test
    void whatAFunctionAllocates_isThatOfItsJob() {
        var takes =
                function(
                        200,
                        LONG,
                        (_, _) -> {
                            var bytes = new byte[64 << 20];
                            released.await();
                            return JsonValue.of(bytes.length);
                        });
        try (var runner = runner(takes, outcomes)) {
            var job = start(runner, takes, "greedy");

            await().untilAsserted(() ->
                    assertThat(runner.handlers().greediest())
                            .hasValueSatisfying(greediest -> {
                                assertThat(greediest.job()).isEqualTo(job);
                                assertThat(greediest.allocated()).isGreaterThan(64 << 20);
                            }));
            assertThat(runner.handlers().running())
                    .singleElement()
                    .satisfies(one -> assertThat(one.allocated()).isGreaterThan(64 << 20));
        }
    }

    /// Trap: a function that has used up all memory is tried again, and takes it from all others once more.
    @Test
    void aFunctionThatHasTakenAllMemory_isNotTriedAgain() throws Exception {
        var takes =
                function(
                        200,
                        LONG,
                        (_, _) -> {
                            var bytes = 0L;
                            while (bytes < Runtime.getRuntime().maxMemory() / 2) {
                                bytes += new byte[1 << 20].length;
                            }
                            throw new OutOfMemoryError("after " + bytes);
                        });
        try (var runner = runner(takes, outcomes)) {
            start(runner, takes, "greedy");

            assertThat(next())
                    .isInstanceOfSatisfying(
                            JobCommand.FailStep.class,
                            failed -> {
                                assertThat(failed.message())
                                        .startsWith("the handler ran out of memory");
                                assertThat(failed.retryable()).isFalse();
                            });
        }
    }

    /// Trap: only the handler is interrupted, or is free again while its function goes on.
    @Test
    void aFunctionThatIgnoresItsInterrupt_isAbandoned_andItsBlueprintGetsNoMoreOfThose()
            throws Exception {
        var begun = new AtomicInteger();
        var deaf =
                function(
                        200,
                        Duration.ofMillis(10),
                        (_, _) -> {
                            begun.incrementAndGet();
                            spin();
                            return JsonObject.EMPTY;
                        });
        try (var runner = runner(deaf, outcomes)) {
            for (var i = 0; i < 8; i++) {
                start(runner, deaf, "j" + i);
            }

            assertThat(next()).isInstanceOf(JobCommand.FailStep.class);
            await().until(() -> runner.abandoned() >= 2);
            await().until(() -> load(runner).computing() >= 2);
            assertThat(begun).hasValueLessThan(5);
            var last = StepRunnerTest.submitted(deaf, "j7");
            await().untilAsserted(() ->
                    assertThat(runner.whyNotBegun(last.id(), StepRunnerTest.stepOf(last).id()))
                            .hasValueSatisfying(why ->
                                    assertThat(why)
                                            .contains(
                                                    "although their time is over and they were interrupted")));
            release();
            await().until(() -> runner.abandoned() == 0);
        }
    }

    /// Trap: a function that is no longer in memory goes on forever where nobody waits for it, as code that catches everything
    /// does.
    @Test
    void aFunctionThatDoesNotEnd_whenItLeavesMemory_isAbandoned() throws Exception {
        var threads = new LinkedBlockingQueue<Thread>();
        var stays =
                function(
                        0,
                        LONG,
                        (run, _) -> {
                            try {
                                return run.call(task());
                            } finally {
                                threads.add(Thread.currentThread());
                                spin();
                            }
                        });
        try (var runner = runner(stays, outcomes)) {
            var job = start(runner, stays, "stays");
            assertThat(next()).isInstanceOf(JobCommand.CompleteStep.class);

            await().until(() -> runner.abandoned() == 1);
            assertThat(load(runner).computing()).isOne();
            assertThat(load(runner).running()).isZero();
            assertThat(runner.handlers().running())
                    .singleElement()
                    .satisfies(one -> assertThat(one.job()).isEqualTo(job));
            // After a standstill both come after it was abandoned.
            await().untilAsserted(() ->
                    assertThat(threads)
                            .hasSize(1)
                            .allMatch(it -> it.getPriority() == Thread.MIN_PRIORITY)
                            .allMatch(Thread::isInterrupted));

            release();
            await().until(() -> runner.abandoned() == 0);
            assertThat(load(runner).computing()).isZero();
        }
    }
}
