package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static java.util.Objects.requireNonNull;
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
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Steps that run before what asks for them is durable.
final class StepRunnerTest {
    private static final Duration PATIENT = Duration.ofMinutes(1);
    private static final PayloadStore SMALL = new AllInline();

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

    /// Trap: a handler that calls itself forever takes its thread along, and its job hangs.
    @Test
    void aHandlerThatOverflowsItsStack_hasFailed() throws Exception {
        assertThat(outcomeOf(PATIENT, StepRunnerTest::callsItself))
                .containsInstanceOf(JobCommand.FailStep.class);
    }

    /// Trap: a handler throws an Error of its own, as Kotlin's TODO() does, and its job waits forever.
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
                                .endsWith("... (1000033 characters)")
                                .hasSizeLessThan(8_100));
    }

    /// Trap: a handler that has used up all memory is tried again, and takes it from all others once more.
    @Test
    void aHandlerThatHasTakenAllMemory_isNotTriedAgain() throws Exception {
        assertThat(outcomeOf(PATIENT, StepRunnerTest::takesMuch))
                .hasValueSatisfying(outcome ->
                        assertThat(outcome)
                                .isInstanceOfSatisfying(
                                        JobCommand.FailStep.class,
                                        failed -> {
                                            assertThat(failed.retryable()).isFalse();
                                            assertThat(failed.message())
                                                    .startsWith(
                                                            "the handler ran out of memory, of which")
                                                    .contains("MB");
                                        }));
    }

    /// Trap: one that needed next to nothing, when another had taken all, is blamed for it.
    @Test
    void aHandlerForWhichOthersHaveLeftNoMemory_isTriedAgain() throws Exception {
        assertThat(
                        outcomeOf(
                                PATIENT,
                                _ -> {
                                    throw new OutOfMemoryError("Java heap space");
                                }))
                .hasValueSatisfying(outcome ->
                        assertThat(((JobCommand.FailStep) outcome).retryable()).isTrue());
    }

    /// Trap: the author's code meets the refusal, and is tried again for it.
    @Test
    void aHandlerThatMakesMoreTasksThanMemoryAllows_isNotTriedAgain() throws Exception {
        assertThat(
                        outcomeOf(
                                PATIENT,
                                _ ->
                                        Action.dispatchParallel(
                                                Stream.generate(StepRunnerTest::largeTask).toList(),
                                                "start"),
                                InstantSource.system(),
                                new ParameterRoom(100 << 20, () -> false)))
                .hasValueSatisfying(outcome ->
                        assertThat(outcome)
                                .isInstanceOfSatisfying(
                                        JobCommand.FailStep.class,
                                        failed -> {
                                            assertThat(failed.retryable()).isFalse();
                                            assertThat(failed.message())
                                                    .contains("has made 26 tasks or children");
                                        }));
    }

    private static TaskSpec largeTask() {
        return TaskSpec.of("write", JsonObject.of("text", JsonValue.of("y".repeat(1 << 20))));
    }

    private static Action takesMuch(Step step) {
        var bytes = 0L;
        while (bytes < Runtime.getRuntime().maxMemory() / 2) {
            bytes += new byte[step.attempt() << 20].length;
        }
        throw new OutOfMemoryError("after " + bytes);
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

    /// Trap: a handler that waits for something that never comes keeps its job and its thread forever.
    @Test
    void aHandlerThatTakesTooLong_isInterrupted_andHasFailed() throws Exception {
        var interrupted = new CountDownLatch(1);

        var reason =
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

        assertThat(reason)
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
        assertThat(interrupted.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    /// Trap: what a handler returns after it was given up is taken for its outcome; or it keeps its place, and after some of
    /// them no handler runs any more.
    @Test
    void aHandlerThatIgnoresItsInterrupt_leavesItsPlace_andIsNotListenedToAnyMore()
            throws Exception {
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
            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(JobCommand.FailStep.class);
            start(runner, quick);
            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(JobCommand.CompleteStep.class);
            Await.await().until(() -> runner.abandoned() == 1);
            assertThat(runner.overran()).isOne();

            goOn.set(true);

            Await.await().until(() -> runner.abandoned() == 0);
            assertThat(says).isEmpty();
        }
    }

    /// Trap: each handler that ignores its interrupt is followed by another one that does, and there are more and more threads.
    @Test
    void aBlueprintWithTooManyHandlersThatIgnoreTheirInterrupt_getsNoMore_andItIsReportedWhy()
            throws Exception {
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
        var places = new HandlerPlaces(8, 2, 2, 3);
        try (var runner = runner(Blueprints.of(deaf), places, PATIENT, says)) {
            for (var i = 0; i < 9; i++) {
                runner.start(submitted(deaf, "j" + i), stepOf(submitted(deaf, "j" + i)));
            }
            Await.await().until(() -> runner.abandoned() == 3);
            var last = submitted(deaf, "j8");

            assertThat(runner.whyNotBegun(last.id(), stepOf(last).id()))
                    .hasValueSatisfying(why ->
                            assertThat(why)
                                    .contains("blueprint 'deaf' gets no further handlers: 3"));
            assertThat(runner.loads())
                    .singleElement()
                    .satisfies(load -> assertThat(load.abandoned()).isEqualTo(3));
            assertThat(begun.get()).isLessThanOrEqualTo(3 + 2);

            goOn.set(true);
            Await.await().until(() -> begun.get() == 9);
        }
    }

    /// Trap: handlers that ignore their interrupt and go on computing are reported as making way when their time is over.
    @Test
    void whyAHandlerWaits_distinguishesThoseThatComputeFromThoseThatIgnoreTheirInterrupt()
            throws Exception {
        var goOn = new AtomicBoolean();
        var patient = Blueprint.named("patient").start("start", _ -> spin(goOn)).build();
        var deaf =
                Blueprint.named("deaf")
                        .start("start", _ -> spin(goOn))
                        .handlerTime(Duration.ofMillis(10))
                        .build();
        var places = new HandlerPlaces(16, 8, 2, 4);
        try (var runner =
                runner(
                        Blueprints.of(patient, deaf),
                        places,
                        PATIENT,
                        new LinkedBlockingQueue<>())) {
            for (var blueprint : List.of(patient, deaf)) {
                for (var i = 0; i < 12; i++) {
                    var job = submitted(blueprint, blueprint.name() + i);
                    runner.start(job, stepOf(job));
                }
            }
            Await.await()
                    .untilAsserted(() -> {
                        assertThat(why(runner, submitted(patient, "patient11")))
                                .matches("\\d handlers of blueprint 'patient' compute, .*");
                        assertThat(why(runner, submitted(deaf, "deaf11")))
                                .matches(
                                        "blueprint 'deaf' gets no further handlers: \\d of its handlers (compute|go on) although"
                                                + " their time is over and they were interrupted(,| \\().*");
                    });
        } finally {
            goOn.set(true);
        }
    }

    /// Trap: one client's jobs of a shared blueprint, whose handlers are slow, are thousands, and all other clients wait behind them.
    @Test
    void clientsOfOneBlueprint_takeTurns_andItIsReported() throws Exception {
        var goOn = new Semaphore(0);
        var begun = new LinkedBlockingQueue<String>();
        var shared =
                Blueprint.named("shared")
                        .start(
                                "start",
                                step -> {
                                    begun.add(step.job().value());
                                    goOn.acquire();
                                    return Action.finish(JsonObject.EMPTY);
                                })
                        .build();
        try (var runner =
                runner(
                        Blueprints.of(shared),
                        new HandlerPlaces(2, 1, 1, 1),
                        PATIENT,
                        new LinkedBlockingQueue<>())) {
            for (var i = 0; i < 50; i++) {
                var job = submitted(shared, "flood" + i, "flood");
                runner.start(job, stepOf(job));
            }
            for (var i = 0; i < 2; i++) {
                var job = submitted(shared, "small" + i, "small");
                runner.start(job, stepOf(job));
            }
            assertThat(next(begun)).isEqualTo("flood0");
            assertThat(why(runner, submitted(shared, "small1", "small")))
                    .endsWith(
                            "; 51 handlers wait, 2 of its client, which takes turns with 1 other client");

            var order = new ArrayList<String>();
            for (var i = 0; i < 4; i++) {
                goOn.release();
                order.add(next(begun));
            }

            assertThat(order).containsExactly("flood1", "small0", "flood2", "small1");
            goOn.release(50);
        }
    }

    private static String next(BlockingQueue<String> begun) throws InterruptedException {
        return requireNonNull(begun.poll(Await.seconds(), TimeUnit.SECONDS));
    }

    private static String why(StepRunner runner, Job job) {
        return runner.whyNotBegun(job.id(), stepOf(job).id()).orElse("it has begun");
    }

    /// Trap: handlers that compute forever take all processors or all places, and nothing of anybody else's runs.
    @Test
    void anyNumberOfHandlersThatComputeForever_leavesThoseOfOthersAsTheyWere() throws Exception {
        var goOn = new AtomicBoolean();
        var says = new LinkedBlockingQueue<JobCommand>();
        var spins =
                List.of("a", "b", "c").stream()
                        .map(name ->
                                Blueprint.named(name)
                                        .start("start", _ -> spin(goOn))
                                        .pure()
                                        .build())
                        .toList();
        var quick =
                Blueprint.named("quick")
                        .start("start", _ -> Action.finish(JsonObject.EMPTY))
                        .build();
        var all = Stream.concat(spins.stream(), Stream.of(quick)).toArray(Blueprint[]::new);
        try (var runner =
                runner(Blueprints.of(all), new HandlerPlaces(16, 8, 4, 4), PATIENT, says)) {
            for (var spin : spins) {
                for (var i = 0; i < 50; i++) {
                    var job = submitted(spin, spin.name() + i);
                    runner.start(job, stepOf(job));
                }
            }
            for (var i = 0; i < 20; i++) {
                var job = submitted(quick, "q" + i);
                runner.start(job, stepOf(job));
                assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS))
                        .isInstanceOf(JobCommand.CompleteStep.class);
            }
            assertThat(runner.loads())
                    .filteredOn(load -> !load.blueprint().equals("quick"))
                    .allSatisfy(load -> assertThat(load.running()).isLessThanOrEqualTo(4));
        } finally {
            goOn.set(true);
        }
    }

    /// Trap: handlers that all wait for one dead service take all places, and nothing of anybody else's runs.
    @Test
    void anyNumberOfHandlersThatHang_leavesThoseOfOthersAsTheyWere() throws Exception {
        var goOn = new CountDownLatch(1);
        var says = new LinkedBlockingQueue<JobCommand>();
        var hung =
                Stream.of("a", "b", "c", "d", "e")
                        .map(name ->
                                Blueprint.named(name)
                                        .start(
                                                "start",
                                                _ -> {
                                                    goOn.await();
                                                    return Action.finish(JsonObject.EMPTY);
                                                })
                                        .build())
                        .toList();
        var quick =
                Blueprint.named("quick")
                        .start("start", _ -> Action.finish(JsonObject.EMPTY))
                        .build();
        var all = Stream.concat(hung.stream(), Stream.of(quick)).toArray(Blueprint[]::new);
        try (var runner =
                runner(Blueprints.of(all), new HandlerPlaces(16, 8, 4, 4), PATIENT, says)) {
            for (var i = 0; i < 30; i++) {
                for (var blueprint : hung) {
                    var job = submitted(blueprint, blueprint.name() + i);
                    runner.start(job, stepOf(job));
                }
            }
            Await.await()
                    .until(() ->
                            runner.loads().stream().mapToInt(HandlerLoad::running).sum() >= 12);

            var job = submitted(quick, "q");
            runner.start(job, stepOf(job));

            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(JobCommand.CompleteStep.class);
            goOn.countDown();
            for (var i = 0; i < 150; i++) {
                assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS)).isNotNull();
            }
        }
    }

    /// Trap: what one handler leaves in its thread, such as an interrupt or another priority, is the next one's.
    @Test
    @SuppressWarnings("ThreadPriorityCheck")
    void whatAHandlerDoesToItsThread_isOfNoConsequenceForTheNext() throws Exception {
        var says = new LinkedBlockingQueue<JobCommand>();
        var seen = new LinkedBlockingQueue<String>();
        var rude =
                Blueprint.named("rude")
                        .start(
                                "start",
                                _ -> {
                                    var me = Thread.currentThread();
                                    seen.add(me.isInterrupted() + " " + me.getPriority());
                                    me.setPriority(Thread.MAX_PRIORITY);
                                    me.interrupt();
                                    return Action.finish(JsonObject.EMPTY);
                                })
                        .build();
        try (var runner = runner(Blueprints.of(rude), PATIENT, says)) {
            for (var i = 0; i < 3; i++) {
                var job = submitted(rude, "j" + i);
                runner.start(job, stepOf(job));
                assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS)).isNotNull();
            }
        }
        assertThat(seen).containsExactly("false 5", "false 5", "false 5");
    }

    /// Jobs that were evicted, and are in the store.
    private static final class StoredJobs implements StepRunner.Jobs {
        final Map<JobId, Job> stored = new ConcurrentHashMap<>();
        final Queue<JobId> read = new ConcurrentLinkedQueue<>();
        final BlockingQueue<JobId> asked = new LinkedBlockingQueue<>();
        volatile boolean isAway;

        Job add(Job job) {
            stored.put(job.id(), job);
            return job;
        }

        @Override
        public Optional<Job> find(JobId job) {
            read.add(job);
            if (isAway) {
                throw new StoreException.StoreUnavailable("the disk is away", null);
            }
            return Optional.ofNullable(stored.get(job));
        }

        @Override
        public void again(JobId job) {
            asked.add(job);
        }
    }

    /// One at a time, each until the gate is open.
    private static Blueprint gated(CountDownLatch began, CountDownLatch gate) {
        return Blueprint.named("gated")
                .start(
                        "start",
                        _ -> {
                            began.countDown();
                            gate.await();
                            return Action.finish(JsonObject.EMPTY);
                        })
                .build();
    }

    /// Trap: steps whose handlers wait for their turn keep their jobs in memory, however many and large they are.
    @Test
    void aStepThatWaits_keepsNoJobInMemory_andReadsItWhenItBegins() throws Exception {
        var says = new LinkedBlockingQueue<JobCommand>();
        var began = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        var gated = gated(began, gate);
        var jobs = new StoredJobs();
        try (var runner =
                runner(
                        Blueprints.of(gated),
                        HandlerPlaces.of(1),
                        PATIENT,
                        says,
                        Optional.of(jobs))) {
            var first = jobs.add(submitted(gated, "first"));
            runner.start(first, stepOf(first));
            began.await();
            var late = jobs.add(submitted(gated, "late"));
            runner.start(late, stepOf(late));
            assertThat(jobs.read).doesNotContain(late.id());

            gate.countDown();

            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS)).isNotNull();
            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(JobCommand.CompleteStep.class);
            assertThat(jobs.read).contains(late.id());
        }
    }

    @Test
    void aStepThatItsJobAsksForNoMore_isNotRun() throws Exception {
        var says = new LinkedBlockingQueue<JobCommand>();
        var began = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        var gated = gated(began, gate);
        var jobs = new StoredJobs();
        try (var runner =
                runner(
                        Blueprints.of(gated),
                        HandlerPlaces.of(1),
                        PATIENT,
                        says,
                        Optional.of(jobs))) {
            var first = jobs.add(submitted(gated, "first"));
            runner.start(first, stepOf(first));
            began.await();
            var gone = submitted(gated, "gone");
            runner.start(gone, stepOf(gone));
            var last = jobs.add(submitted(gated, "last"));
            runner.start(last, stepOf(last));

            gate.countDown();

            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS)).isNotNull();
            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS)).isNotNull();
            await().until(() -> !runner.isRunning(gone.id(), stepOf(gone).id()));
            assertThat(says).isEmpty();
        }
    }

    @Test
    void aJobThatCannotBeReadForItsStep_isAskedAgain() throws Exception {
        var says = new LinkedBlockingQueue<JobCommand>();
        var began = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        var gated = gated(began, gate);
        var jobs = new StoredJobs();
        try (var runner =
                runner(
                        Blueprints.of(gated),
                        HandlerPlaces.of(1),
                        PATIENT,
                        says,
                        Optional.of(jobs))) {
            var first = jobs.add(submitted(gated, "first"));
            runner.start(first, stepOf(first));
            began.await();
            var late = jobs.add(submitted(gated, "late"));
            runner.start(late, stepOf(late));
            jobs.isAway = true;
            gate.countDown();

            assertThat(jobs.asked.poll(Await.seconds(), TimeUnit.SECONDS)).isEqualTo(late.id());
            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS)).isNotNull();
            jobs.isAway = false;
            runner.start(late, stepOf(late));

            assertThat(says.poll(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOf(JobCommand.CompleteStep.class);
        }
    }

    private static Action spin(AtomicBoolean goOn) {
        while (!goOn.get()) {
            Thread.onSpinWait();
        }
        return Action.finish(JsonObject.EMPTY);
    }

    private static List<JobCommand> ranFor(Duration most, StepHandler handler) throws Exception {
        var blueprint = Blueprint.named("b").start("start", handler).handlerTime(most).build();
        var says = new LinkedBlockingQueue<JobCommand>();
        try (var runner = runner(Blueprints.of(blueprint), PATIENT, says)) {
            start(runner, blueprint);
            var first = says.poll(Await.seconds(), TimeUnit.SECONDS);
            runner.drain(Duration.ofMinutes(1));
            return Stream.concat(Stream.ofNullable(first), says.stream()).toList();
        }
    }

    private static void start(StepRunner runner, Blueprint blueprint) {
        var job = submitted(blueprint, "j");
        runner.start(job, stepOf(job));
    }

    static Effect.RunStep stepOf(Job job) {
        return (Effect.RunStep) Jobs.pending(job).getFirst();
    }

    /// With one place for handlers.
    private static StepRunner runner(
            Blueprints blueprints, Duration ahead, Queue<JobCommand> says) {
        return runner(blueprints, HandlerPlaces.of(1), ahead, says);
    }

    static StepRunner runner(
            Blueprints blueprints, HandlerPlaces places, Duration ahead, Queue<JobCommand> says) {
        return runner(blueprints, places, ahead, says, Optional.empty());
    }

    private static StepRunner runner(
            Blueprints blueprints,
            HandlerPlaces places,
            Duration ahead,
            Queue<JobCommand> says,
            Optional<StepRunner.Jobs> jobs) {
        var values = new LargeValues(SMALL);
        return new StepRunner(
                blueprints,
                new HandlerInvoker(
                        values,
                        new StepFactory(values, new UnavailableKeyValueStore()),
                        new ActionKeeping(
                                values, new ApprovalTokens(new UnavailableKeyValueStore())),
                        ParameterRoom.UNLIMITED),
                InstantSource.system(),
                places,
                ahead,
                (_, command) -> says.add(command),
                jobs,
                new Vitals(Supervision.LOG_ONLY, Duration.ofMinutes(1)));
    }

    /// Trap: the outcome cannot be reported, and its job waits for it with all that it does.
    @Test
    void aStepThatRanAhead_andWhoseOutcomeCannotBeReported_isRunLikeAnyOther() throws Exception {
        assertThat(
                        outcomeOf(
                                PATIENT,
                                _ -> Action.finish(JsonObject.EMPTY),
                                () -> {
                                    throw new IllegalStateException("the clock is broken");
                                }))
                .isEmpty();
    }

    private static Optional<JobCommand> outcomeOf(Duration ahead, StepHandler handler)
            throws Exception {
        return outcomeOf(ahead, handler, InstantSource.system(), ParameterRoom.UNLIMITED);
    }

    private static Optional<JobCommand> outcomeOf(
            Duration ahead, StepHandler handler, InstantSource clock) throws Exception {
        return outcomeOf(ahead, handler, clock, ParameterRoom.UNLIMITED);
    }

    private static Optional<JobCommand> outcomeOf(
            Duration ahead, StepHandler handler, InstantSource clock, ParameterRoom room)
            throws Exception {
        var blueprint =
                Blueprint.named("b").dataStore("seen").start("start", handler).pure().build();
        var blueprints = Blueprints.of(blueprint);
        var values = new LargeValues(SMALL);
        var result = new CompletableFuture<Optional<JobCommand>>();
        try (var runner =
                new StepRunner(
                        blueprints,
                        new HandlerInvoker(
                                values,
                                new StepFactory(values, new UnavailableKeyValueStore()),
                                new ActionKeeping(
                                        values, new ApprovalTokens(new UnavailableKeyValueStore())),
                                room),
                        clock,
                        HandlerPlaces.of(1),
                        ahead,
                        (_, command) -> result.complete(Optional.of(command)),
                        Optional.empty(),
                        new Vitals(Supervision.LOG_ONLY, Duration.ofMinutes(1)))) {
            var job = submitted(blueprint, "j");
            var step = (Effect.RunStep) Jobs.pending(job).getFirst();
            runner.startAhead(job, step, result::complete);
            return result.get(Await.seconds(), TimeUnit.SECONDS);
        }
    }

    static Job submitted(Blueprint blueprint, String name) {
        return submitted(blueprint, name, "client");
    }

    private static Job submitted(Blueprint blueprint, String name, String client) {
        var id = new JobId(name);
        var now = InstantSource.system().instant();
        var spec =
                new JobSpec(
                                blueprint.ref(),
                                blueprint.start().name(),
                                client,
                                JobData.EMPTY,
                                JobOptions.DEFAULTS,
                                JobSpec.CURRENT_RULES)
                        .withGuards(blueprint.guards());
        var submit = new JobCommand.Submit(spec, now);
        if (Jobs.decide(new JobState.Unsubmitted(id), submit)
                        instanceof dev.artel.kernel.job.Decision.Accepted accepted
                && accepted.after() instanceof Job job) {
            return job;
        }
        throw new AssertionError("the job was not accepted");
    }
}
