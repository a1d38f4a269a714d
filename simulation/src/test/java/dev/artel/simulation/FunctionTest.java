package dev.artel.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.CallFailed;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.DurableFunction;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunCancelled;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.blueprint.ValueType;
import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.blueprint.function.FunctionBlueprint.Setting;
import dev.artel.blueprint.function.ResidentMemory;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Durable functions in a whole orchestrator, with room for their threads and without.
final class FunctionTest {
    private static final FakeWorker WORKER =
            FakeWorker.named("worker")
                    .slots(4)
                    .doing("double", ScriptedAnswer.computed(FunctionTest::doubled))
                    .doing("compensation", ScriptedAnswer.success())
                    .doing("refuse", ScriptedAnswer.permanentFailure("no seats"))
                    .doing("slow", ScriptedAnswer.success().after(Duration.ofMinutes(1)))
                    .doing("long", ScriptedAnswer.success().after(Duration.ofMinutes(4)));

    private static JsonValue doubled(JsonValue params) {
        var n = ((JsonObject) params).number("n").orElseThrow().asLong();
        return JsonObject.of("n", JsonNumber.of(2 * n));
    }

    private static TaskCall<JsonValue> twice(long n) {
        return TaskCall.of("double", JsonObject.of("n", JsonNumber.of(n)));
    }

    private static long n(JsonValue value) {
        return ((JsonObject) value).number("n").orElseThrow().asLong();
    }

    private static TaskCall<JsonValue> task(String type) {
        return TaskCall.of(type, JsonObject.EMPTY);
    }

    private static final TaskType<JsonObject, Nothing> COMPENSATION =
            TaskType.of("compensation", JsonObject.class);

    /// A call that is compensated with what is known before.
    private static TaskCall<JsonValue> compensated(long n) {
        return twice(n).compensatedBy(COMPENSATION, JsonObject.EMPTY);
    }

    private static final Signal<JsonValue> PAID = Signal.of("paid", JsonValue.class);
    private static final Signal<JsonValue> NEVER = Signal.of("never", JsonValue.class);

    private static BlueprintType<JsonObject, JsonValue> type(String name) {
        return new BlueprintType<>(
                name, ValueType.of(JsonObject.class), ValueType.of(JsonValue.class));
    }

    private static Blueprint blueprint(int room, DurableFunction<JsonObject, JsonValue> function) {
        return blueprint("trip", room, function);
    }

    private static Blueprint blueprint(
            String name, int room, DurableFunction<JsonObject, JsonValue> function) {
        return FunctionBlueprint.of(
                        Blueprint.named(name).guards(FunctionBlueprint.GUARDS),
                        type(name),
                        function,
                        Setting.ofProcess().withRoom(room))
                .blueprint();
    }

    private static JsonValue result(SimulatedJob job) {
        return job.assertFinished()
                .outcome()
                .filter(JobOutcome.Finished.class::isInstance)
                .map(it -> ((JobOutcome.Finished) it).result())
                .map(it -> ((Payload.Inline) it).value())
                .orElseThrow();
    }

    private static final int QUARANTINED_AFTER =
            FunctionBlueprint.GUARDS.handlerRetry().maxAttempts();

    private static JsonValue sequential(Run<JsonObject> run, JsonObject input) {
        var value = 1L;
        for (var i = 0; i < 5; i++) {
            value = n(run.call(twice(value)));
        }
        return JsonNumber.of(value);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void callsOneAfterAnother_giveWhatTheyGive_whereverItIsKilled(int room) {
        var simulation =
                ArtelSimulation.of(blueprint(room, FunctionTest::sequential)).workers(WORKER);

        assertThat(result(simulation.run(1))).isEqualTo(JsonNumber.of(32));
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(10);
    }

    private static JsonValue beside(Run<JsonObject> run, JsonObject input) {
        var slow = run.async(task("slow"));
        var one = run.async(twice(1));
        var two = run.async(twice(2));
        var sum = 0L;
        for (var value : run.<JsonValue>all(one, two)) {
            sum += n(value);
        }
        // While the slow one goes on: alone, and two more at once.
        sum += n(run.call(twice(10)));
        for (var i = 0; i < 2; i++) {
            var three = run.async(twice(sum));
            var four = run.async(compensated(1));
            sum = n(three.get()) + n(four.get());
        }
        assertThat(slow.isDone()).isFalse();
        var timer = run.timer(Duration.ofSeconds(1));
        var first = run.any(timer, slow);
        var _ = slow.get();
        return new JsonString(sum + (first.equals(timer) ? " timer" : " slow"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void whatGoesOnBeside_isWaitedForAsTheFunctionWants_whereverItIsKilled(int room) {
        var simulation = ArtelSimulation.of(blueprint(room, FunctionTest::beside)).workers(WORKER);

        assertThat(result(simulation.run(1))).isEqualTo(new JsonString("110 timer"));
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(40);
    }

    private static JsonValue mapped(Run<JsonObject> run, JsonObject input) {
        var items = IntStream.range(0, 7).boxed().toList();
        var tasks = run.map(items, 2, n -> twice(n).as(FunctionTest::n));
        var children =
                run.mapChildren(
                        items,
                        3,
                        n ->
                                ChildCall.of("child", JsonObject.of("n", JsonNumber.of(n)))
                                        .as(FunctionTest::n));
        run.start(ChildCall.of("child", JsonObject.of("n", JsonNumber.of(0))));
        var both = run.<JsonValue>all(run.async(twice(100)), run.async(twice(200)));
        var nothing = run.map(List.<Integer>of(), 1, n -> twice(n));
        return new JsonArray(
                List.of(
                        new JsonString(tasks.toString()),
                        new JsonString(children.toString()),
                        new JsonString(both.stream().map(FunctionTest::n).toList().toString()),
                        new JsonString(nothing.toString())));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void mapsAndChildren_keepTheirOrder(int room) {
        var child =
                blueprint(
                        "child",
                        room,
                        (run, input) -> run.call(twice(input.number("n").orElseThrow().asLong())));
        var simulation =
                ArtelSimulation.of(blueprint(room, FunctionTest::mapped))
                        .child(child)
                        .workers(WORKER);

        assertThat(result(simulation.run(1)))
                .isEqualTo(
                        JsonArray.ofStrings(
                                List.of(
                                        "[0, 2, 4, 6, 8, 10, 12]",
                                        "[0, 2, 4, 6, 8, 10, 12]",
                                        "[200, 400]",
                                        "[]")));
    }

    private static JsonValue people(Run<JsonObject> run, JsonObject input) {
        var paid = run.signal(PAID);
        var late = run.signal(Signal.of("refund"), Duration.ofMinutes(5));
        run.requireApproval(ApprovalCall.of("fly?").within(Duration.ofHours(1)), "not approved");
        run.sleep(Duration.ofMinutes(20));
        return new JsonString(paid + " " + late.isPresent() + " " + run.version("v", 1, 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void signalsDecisionsAndSleeps_areWaitedFor(int room) {
        var simulation =
                ArtelSimulation.of(blueprint(room, FunctionTest::people))
                        .at(Duration.ofSeconds(5), ScriptedEvent.signal("paid", JsonNumber.of(12)))
                        .at(Duration.ofMinutes(10), ScriptedEvent.decision("approve"))
                        .within(Duration.ofHours(3));

        assertThat(result(simulation.run(1))).isEqualTo(new JsonString("12 false 3"));
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(10);
    }

    @Test
    void nobodyWhoAgrees_failsTheJob() {
        ArtelSimulation.of(blueprint(100, FunctionTest::people))
                .at(Duration.ofSeconds(5), ScriptedEvent.signal("paid", JsonNumber.of(12)))
                .within(Duration.ofHours(3))
                .run(1)
                .assertFailed("not approved");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aTaskThatFails_canBeCaught_andWhatWasDoneIsCompensated(int room) {
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var _ = run.call(compensated(1));
                            try {
                                return run.call(task("refuse"));
                            } catch (CallFailed refused) {
                                var _ = run.call(twice(3));
                                throw new RunFailed("gave up: " + refused.getMessage());
                            }
                        };
        var simulation = ArtelSimulation.of(blueprint(room, function)).workers(WORKER);

        simulation.run(1).assertFailed("no seats").assertAttempts("compensation", 1);
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(10);
    }

    /// A call that can be compensated, another one, and a question between them.
    private static JsonValue asked(Run<JsonObject> run, JsonObject input) {
        var _ = run.call(compensated(1));
        var answer = run.approval("Go on?").decision();
        var _ = run.call(compensated(3));
        return new JsonString(answer.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aJobThatIsTakenBack_asksAgain_andKeepsWhatWasDoneBefore(int room) {
        var simulation =
                ArtelSimulation.of(blueprint(room, FunctionTest::asked))
                        .workers(WORKER)
                        .at(Duration.ofMinutes(2), ScriptedEvent.rewind("run", "run"))
                        .at(Duration.ofMinutes(4), ScriptedEvent.decision("approve"));

        var job = simulation.run(1);

        assertThat(result(job)).isEqualTo(new JsonString("APPROVE"));
        job.assertAttempts("double", 2).assertAttempts("compensation", 0);
        assertThat(job.story()).contains("JobRewound");
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aJobThatIsForked_beginsAnew_andDoesNotDoAgainWhatWasDone(int room) {
        var simulation =
                ArtelSimulation.of(blueprint(room, FunctionTest::asked))
                        .workers(WORKER)
                        .at(Duration.ofMinutes(2), ScriptedEvent.fork("run", "run"))
                        .at(Duration.ofMinutes(4), ScriptedEvent.decision("approve"));

        simulation.run(1).assertFinished().assertAttempts("double", 2);
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(10);
    }

    /// Its code fails behind the call until its job is quarantined: no step of it has heard of the call.
    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aJobThatIsTakenBack_beforeItsFunctionHeardOfACall_hasThatDoneAgain(int room) {
        var runs = new AtomicInteger();
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var two = n(run.call(twice(1)));
                            if (runs.getAndIncrement() < QUARANTINED_AFTER) {
                                throw new IllegalStateException("the code is not good yet");
                            }
                            return run.call(twice(two));
                        };

        var job =
                ArtelSimulation.of(blueprint(room, function))
                        .workers(WORKER)
                        .at(Duration.ofHours(1), ScriptedEvent.rewind("run", "run"))
                        .within(Duration.ofHours(2))
                        .run(1);

        assertThat(result(job)).isEqualTo(JsonObject.of("n", JsonNumber.of(4)));
        job.assertAttempts("double", 3);
        assertThat(job.story()).contains("JobQuarantined").contains("JobRewound");
    }

    /// Its code fails in the branch of the first call, and then in the line that waits for both; the other branch has heard of its call.
    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aJobThatIsTakenBack_hasOnlyThoseCallsDoneAgain_ofWhichItsFunctionHasNotHeard(int room) {
        var runs = new AtomicInteger();
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var one = run.async(twice(1));
                            var slow = run.async(task("slow"));
                            var two = n(one.get());
                            if (runs.getAndIncrement() < 2 * QUARANTINED_AFTER) {
                                throw new IllegalStateException("the code is not good yet");
                            }
                            var _ = slow.get();
                            return run.call(twice(two));
                        };

        var job =
                ArtelSimulation.of(blueprint(room, function))
                        .workers(WORKER)
                        .at(Duration.ofHours(1), ScriptedEvent.rewind("run", "run"))
                        .within(Duration.ofHours(2))
                        .run(1);

        assertThat(result(job)).isEqualTo(JsonObject.of("n", JsonNumber.of(4)));
        job.assertAttempts("double", 3).assertAttempts("slow", 1);
    }

    /// The branch of the long call ends with the cancel, and the function waits for it after what it does again first.
    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aJobThatIsTakenBackFromItsCancel_hasACallOfAnotherBranchDoneAgain_whenItWaitsForIt(
            int room) {
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            try {
                                var longer = run.async(task("long"));
                                var _ = run.async(twice(1)).get();
                                var _ = run.call(twice(2));
                                var _ = run.call(task("slow"));
                                var _ = longer.get();
                                return new JsonString("done");
                            } catch (RunCancelled cancelled) {
                                var _ = run.call(task("slow"));
                                throw cancelled;
                            }
                        };

        var job =
                ArtelSimulation.of(blueprint(room, function))
                        .workers(WORKER)
                        .at(Duration.ofSeconds(20), ScriptedEvent.cancel("not wanted"))
                        .at(Duration.ofSeconds(50), ScriptedEvent.rewind("run", "run"))
                        .within(Duration.ofHours(2))
                        .run(1);

        assertThat(result(job)).isEqualTo(new JsonString("done"));
        job.assertAttempts("double", 2).assertAttempts("long", 2);
        assertThat(job.story()).contains("JobRewound");
    }

    private static JsonValue refund(JsonValue params) {
        if (n(params) != 2 && n(params) != 8 && n(params) != 32) {
            throw new AssertionError("no call gave " + params);
        }
        return JsonObject.EMPTY;
    }

    private static final TaskType<JsonObject, Nothing> REFUND =
            TaskType.of("refund", JsonObject.class);

    private static TaskCall<JsonObject> refunded(long n) {
        return twice(n).as(JsonObject.class::cast).compensatedBy(REFUND);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void whatIsCompensatedByItsResult_getsIt_whereverItIsKilled(int room) {
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var _ = run.call(refunded(1));
                            // Beside each other, and a child.
                            var four = run.async(refunded(4));
                            var _ = run.call(twice(5));
                            var _ = four.get();
                            var _ =
                                    run.child(
                                            ChildCall.of("half", JsonObject.EMPTY)
                                                    .compensatedByResult(
                                                            REFUND, JsonObject.class::cast));
                            throw new RunFailed("gave up");
                        };
        var simulation =
                ArtelSimulation.of(blueprint(room, function))
                        .child(blueprint("half", room, (run, _) -> run.call(twice(16))))
                        .workers(
                                WORKER.doing(
                                        "refund", ScriptedAnswer.computed(FunctionTest::refund)));

        simulation.run(1).assertFailed("gave up").assertAttempts("refund", 3);
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void eachCallOfAMap_isCompensatedWithItsOwnResult_whereverItIsKilled(int room) {
        var refunds = new ConcurrentLinkedQueue<JsonValue>();
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var _ = run.map(List.of(1L, 4L), 1, FunctionTest::refunded);
                            var _ =
                                    run.mapChildren(
                                            List.of(1, 2),
                                            1,
                                            _ ->
                                                    ChildCall.of("half", JsonObject.EMPTY)
                                                            .compensatedByResult(
                                                                    REFUND,
                                                                    JsonObject.class::cast));
                            throw new RunFailed("gave up");
                        };
        var simulation =
                ArtelSimulation.of(blueprint(room, function))
                        .child(blueprint("half", room, (run, _) -> run.call(twice(16))))
                        .workers(
                                WORKER.doing(
                                        "refund",
                                        ScriptedAnswer.computed(params -> {
                                            refunds.add(params);
                                            return refund(params);
                                        })));

        simulation.run(1).assertFailed("gave up").assertAttempts("refund", 4);
        assertThat(refunds.stream().map(FunctionTest::n))
                .containsExactlyInAnyOrder(32L, 32L, 2L, 8L);
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(20);
    }

    @Test
    void aMapOfWhichSomeCallsAreCompensatedByTheirResults_isRefused() {
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var _ =
                                    run.map(
                                            List.of(1L, 2L),
                                            1,
                                            n ->
                                                    n == 1
                                                            ? refunded(n)
                                                            : twice(n).as(JsonObject.class::cast));
                            return JsonNull.NULL;
                        };

        ArtelSimulation.of(blueprint(100, function))
                .workers(WORKER)
                .run(1)
                .assertQuarantined("1 of the 2 calls of a map are compensated by their results");
    }

    @Test
    void whatMayHaveBeenDoneAndHasNoResult_isNamed_sinceItCannotBeCompensated() {
        cancelled(
                        100,
                        (run, _) ->
                                run.call(
                                        task("long")
                                                .as(JsonObject.class::cast)
                                                .compensatedBy(REFUND)))
                .run(1)
                .assertFailed("not wanted; and not everything could be compensated")
                .assertFailed("task long may have been done, and has no result");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void whatIsRecorded_staysWhatItWas(int room) {
        var count = new AtomicInteger();
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var seen = new ArrayList<String>();
                            for (var i = 0; i < 1_200; i++) {
                                seen.add(
                                        run.record("count", Integer.class, count::incrementAndGet)
                                                + "");
                            }
                            var before = run.now() + " " + run.random() + seen;
                            var _ = run.call(twice(1));
                            return new JsonString(before);
                        };

        var outcome = result(ArtelSimulation.of(blueprint(room, function)).workers(WORKER).run(1));

        assertThat(count).hasValue(1_200);
        assertThat(outcome.toString()).contains("1199, 1200]");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aRunThatContinuesAsNew_hasItsNewInput(int room) {
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, input) -> {
                            var round = input.number("n").map(JsonNumber::asLong).orElse(0L);
                            var n = n(run.call(twice(round)));
                            if (round < 5) {
                                throw run.continueAsNew(
                                        JsonObject.of("n", JsonNumber.of(round + 1)));
                            }
                            return JsonNumber.of(n);
                        };
        var simulation = ArtelSimulation.of(blueprint(room, function)).workers(WORKER);

        assertThat(result(simulation.run(1))).isEqualTo(JsonNumber.of(10));
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(20);
    }

    /// Trap: the failure that says what to await before is retried as one of the code, and the job waits for a person.
    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aRunThatContinuesAsNew_whileSomethingGoesOn_failsTheJob(int room) {
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, input) -> {
                            var _ = run.async(task("slow"));
                            var _ = run.call(compensated(1));
                            throw run.continueAsNew(input);
                        };
        var simulation = ArtelSimulation.of(blueprint(room, function)).workers(WORKER);

        simulation
                .run(1)
                .assertFailed(
                        "the function continues as new while 1 operation is under way; await it"
                                + " before")
                .assertAttempts("compensation", 1);
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aRunThatContinuesAsNew_afterAllThatItBegan_goesOn(int room) {
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, input) -> {
                            var round = input.number("n").map(JsonNumber::asLong).orElse(0L);
                            var other = run.async(compensated(1));
                            var slow = run.async(task("slow"));
                            var _ = run.call(twice(round));
                            var _ = run.<JsonValue>all(other, slow);
                            if (round < 2) {
                                throw run.continueAsNew(
                                        JsonObject.of("n", JsonNumber.of(round + 1)));
                            }
                            return JsonNumber.of(round);
                        };
        var simulation = ArtelSimulation.of(blueprint(room, function)).workers(WORKER);

        assertThat(result(simulation.run(1))).isEqualTo(JsonNumber.of(2));
    }

    record Month(int number, String customer) {}

    record Bill(String text, List<Integer> drawn) {}

    enum Way {
        BY_MAIL,
        BY_HAND
    }

    private static final BlueprintType<Month, Bill> BILLING =
            BlueprintType.of("billing", Month.class, Bill.class);
    private static final Approval<Way> WAY = Approval.of(Way.class);

    private static Bill billed(Run<Month> run, Month month) {
        var drawn = run.record("drawn", Month.class, () -> new Month(7, run.job()));
        if (month.number() < 3) {
            throw run.continueAsNew(new Month(month.number() + 1, month.customer()));
        }
        var decided = run.approval(ApprovalCall.of(WAY, "How?").within(Duration.ofHours(1)));
        return new Bill(
                run.initialData()
                        + " "
                        + month
                        + " "
                        + decided.decision()
                        + " "
                        + decided.at().isPresent(),
                List.of(drawn.number()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void inputs_records_andDecisions_haveTheirTypes(int room) {
        var function =
                FunctionBlueprint.of(
                        Blueprint.named("billing"),
                        BILLING,
                        FunctionTest::billed,
                        Setting.ofProcess().withRoom(room));
        var simulation =
                ArtelSimulation.of(function.blueprint())
                        .initialData((JsonObject) BILLING.input().write(new Month(1, "acme")))
                        .at(Duration.ofMinutes(10), ScriptedEvent.decision("by_hand"));

        assertThat(BILLING.output().read(result(simulation.run(1)), "result"))
                .isEqualTo(
                        new Bill(
                                "Month[number=1, customer=acme] Month[number=3, customer=acme] BY_HAND true",
                                List.of(7)));
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(5);
    }

    @Test
    void anInputOfAnotherShape_quarantines_andSaysWhat() {
        ArtelSimulation.of(
                        FunctionBlueprint.of(
                                        Blueprint.named("billing"),
                                        BILLING,
                                        FunctionTest::billed,
                                        Setting.ofProcess())
                                .blueprint())
                .initialData(JsonObject.of("number", JsonValue.of("one")))
                .run(1)
                .assertQuarantined("input.number");
    }

    @Test
    void codeThatAsksForSomethingElse_waitsInQuarantine_untilItFits() {
        var wrong = new AtomicInteger();
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var n = n(run.call(twice(wrong.get() == 0 ? 1 : 7)));
                            // The code is changed while the job waits for the second call.
                            var _ = wrong.compareAndSet(0, 1);
                            return run.call(twice(n));
                        };
        var simulation = ArtelSimulation.of(blueprint(0, function)).workers(WORKER);

        simulation
                .run(1)
                .assertQuarantined("at position 0 the history has call 'double' with parameters");
    }

    @Test
    void aJobThatWasQuarantinedForItsCode_goesOnWithCodeThatFits() {
        var runs = new AtomicInteger();
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            // Only the second run of the code does not fit.
                            var n = n(run.call(twice(runs.incrementAndGet() == 2 ? 7 : 1)));
                            return run.call(twice(n));
                        };

        var job =
                ArtelSimulation.of(blueprint(0, function))
                        .workers(WORKER)
                        .at(Duration.ofMinutes(1), ScriptedEvent.release())
                        .run(1);

        assertThat(result(job)).isEqualTo(JsonObject.of("n", JsonNumber.of(4)));
    }

    @Test
    void aVersion_staysWhatItWas_andOldJobsGoTheOldWay() {
        var isNew = new AtomicInteger();
        var function =
                (DurableFunction<JsonObject, JsonValue>)
                        (run, _) -> {
                            var first = n(run.call(twice(1)));
                            var version = isNew.get() == 0 ? 1 : run.version("fares", 1, 2);
                            var second = n(run.call(twice(version == 1 ? first : 100)));
                            isNew.set(1);
                            var later = run.version("later", 1, 2);
                            var third = n(run.call(twice(second)));
                            return new JsonString(third + " " + version + " " + later);
                        };

        assertThat(result(ArtelSimulation.of(blueprint(0, function)).workers(WORKER).run(1)))
                .isEqualTo(new JsonString("8 1 2"));
    }

    @Test
    void aBugInTheCode_isTriedAgain_andThenQuarantined() {
        ArtelSimulation.of(
                        blueprint(
                                100,
                                (run, _) -> {
                                    var _ = run.call(twice(1));
                                    throw new IllegalStateException("a bug");
                                }))
                .workers(WORKER)
                .run(1)
                .assertQuarantined("a bug");
    }

    @Test
    void threadsOfFunctionsThatEnd_end() {
        var before = threads();
        var blueprint =
                FunctionBlueprint.of(
                        Blueprint.named("trip"),
                        type("trip"),
                        FunctionTest::beside,
                        Setting.ofProcess().withRoom(1));

        ArtelSimulation.of(blueprint.blueprint())
                .workers(WORKER)
                .runs(1, 20, SimulatedJob::assertFinished);
        blueprint.evictAll();

        assertThat(blueprint.residents()).isZero();
        assertThat(threads()).isLessThanOrEqualTo(before + 1);
    }

    /// Trap: two hundred functions of a blueprint stay in memory, whatever their initial data weigh.
    @ParameterizedTest
    @CsvSource({"1000000, 1", "1000, 0"})
    void functionsWhoseInitialDataTakeMoreThanTheyMay_leaveMemory(long bytes, int residents) {
        var seen = new AtomicInteger(-1);
        var made = new AtomicReference<FunctionBlueprint>();
        made.set(
                FunctionBlueprint.of(
                        Blueprint.named("trip"),
                        type("trip"),
                        (run, _) -> {
                            run.sleep(Duration.ofMinutes(20));
                            seen.set(made.get().residents());
                            return JsonNull.NULL;
                        },
                        Setting.ofProcess().withRoom(100),
                        new ResidentMemory(bytes)));

        ArtelSimulation.of(made.get().blueprint())
                .initialData(JsonObject.of("text", JsonValue.of("x".repeat(1_000))))
                .run(1)
                .assertFinished();

        assertThat(seen).hasValue(residents);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("artel-function-"))
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100})
    void faults_makeNoDifference(int room) {
        ArtelSimulation.of(blueprint(room, FunctionTest::beside))
                .workers(WORKER, FakeWorker.named("other").doing("double"))
                .faults(
                        Trait.ORCHESTRATOR_CRASHES,
                        Trait.MESSAGES_LOST,
                        Trait.STEPS_TWICE,
                        Trait.APPENDS_FAIL,
                        Trait.APPENDS_UNKNOWN,
                        Trait.HANDLERS_FAIL)
                .runs(
                        1,
                        20,
                        job -> {
                            if (job.outcome().isPresent()) {
                                var _ = job.assertFinished();
                            }
                        });
    }

    private static JsonValue tidied(Run<JsonObject> run, JsonObject input) {
        var _ = run.call(compensated(1));
        var left = run.async(task("long"));
        try {
            var _ = run.all(run.async(task("long")), run.asyncSignal(NEVER));
            return new JsonString("not cancelled");
        } catch (RunCancelled cancelled) {
            var n = n(run.call(twice(4)));
            var both = run.<JsonValue>all(run.async(twice(n)), run.async(twice(n + 1)));
            assertThat(left.isDone()).isTrue();
            assertThatThrownBy(left::get).isInstanceOf(CallFailed.class);
            if (input.has("finishes")) {
                return new JsonString(
                        cancelled.getMessage() + both.stream().map(FunctionTest::n).toList());
            }
            throw cancelled;
        }
    }

    private static ArtelSimulation cancelled(
            int room, DurableFunction<JsonObject, JsonValue> function) {
        return ArtelSimulation.of(blueprint(room, function))
                .workers(WORKER)
                .at(Duration.ofMinutes(2), ScriptedEvent.cancel("not wanted"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aCancel_reachesTheCode_whichTidiesUp_whereverItIsKilled(int room) {
        var simulation = cancelled(room, FunctionTest::tidied);

        simulation
                .run(1)
                .assertCancelled()
                .assertAttempts("double", 4)
                .assertAttempts("compensation", 1);
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void codeThatReturnsAfterACancel_finishesItsJob(int room) {
        var job =
                cancelled(room, FunctionTest::tidied)
                        .initialData(JsonObject.of("finishes", JsonValue.of(true)))
                        .run(1);

        assertThat(result(job)).isEqualTo(new JsonString("not wanted[16, 18]"));
        job.assertAttempts("compensation", 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aCancelThatTheCodeLetsPass_compensatesWhatWasDone(int room) {
        var simulation =
                cancelled(
                        room,
                        (run, _) -> {
                            var _ = run.call(compensated(1));
                            return run.call(task("long"));
                        });

        simulation.run(1).assertCancelled().assertAttempts("compensation", 1);
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(8);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aFurtherCancel_endsAJobThatDoesNotHeedTheFirst(int room) {
        cancelled(
                        room,
                        (run, _) -> {
                            try {
                                return run.signal(NEVER);
                            } catch (RunCancelled ignored) {
                                return run.signal(NEVER);
                            }
                        })
                .at(Duration.ofMinutes(20), ScriptedEvent.cancel("really not wanted"))
                .run(1)
                .assertCancelled();
    }

    @Test
    void aCancel_endsAJobWhoseCodeDoesNotFit() {
        var wrong = new AtomicInteger();
        cancelled(
                        0,
                        (run, _) -> {
                            var n = n(run.call(twice(wrong.getAndIncrement() == 0 ? 1 : 7)));
                            return run.call(twice(n));
                        })
                .run(1)
                .assertCancelled();
    }

    @Test
    void aCancel_beforeTheFirstCall_isMetByIt() {
        ArtelSimulation.of(blueprint(100, (run, _) -> run.call(task("long"))))
                .at(Duration.ZERO, ScriptedEvent.cancel("not wanted"))
                .run(1)
                .assertCancelled()
                .assertAttempts("long", 0);
    }
}
