package dev.artel.blueprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.InvalidBlueprint;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatesTest {
    record Order(String item, int amount) {}

    record Stock(String shelf) {}

    record Receipt(String shelf, int parcels) {}

    record Paid(int cents) {}

    private static final TaskType<Order, Stock> RESERVE =
            TaskType.of("reserve", Order.class, Stock.class);
    private static final TaskType<Order, Nothing> RELEASE = TaskType.of("release", Order.class);
    private static final TaskType<Stock, Nothing> PUT_BACK = TaskType.of("put_back", Stock.class);
    private static final TaskType<Stock, Stock> PACK =
            TaskType.of("pack", Stock.class, Stock.class);
    private static final Signal<Paid> PAID = Signal.of("paid", Paid.class);
    private static final BlueprintType<Order, Receipt> ORDER =
            BlueprintType.of("order", Order.class, Receipt.class);
    private static final Variable<Integer> ROUNDS = Variable.of("rounds", Integer.class);
    private static final Variable<String> SHELF = Variable.of("shelf", String.class);
    private static final Approval<String> WAY = Approval.of("train");
    private static final Approval<Parcel> PARCEL = Approval.of(Parcel.class);

    enum Parcel {
        ONE_BOX,
        MANY
    }

    private static Blueprint order() {
        var b = Blueprint.states(ORDER).version("2").guards(it -> it.withTransitions(50));
        var pay = b.state("pay");
        var check = b.state("check");
        var pack = b.state("pack");
        var done = b.state("done");
        var sad = b.state("sad");
        b.start("reserve")
                .call(RESERVE, step -> step.input())
                .compensatedBy(RELEASE, step -> step.input())
                .executionTimeout(Duration.ofSeconds(7))
                .then(pay)
                .on("sold_out", sad);
        b.in(pay).await(PAID).within(Duration.ofDays(1), sad).then(check);
        b.in(check).when(step -> step.signal(PAID).cents() >= 100, pack).otherwise(sad);
        b.in(pack)
                .callAll(PACK, step -> List.of(step.result(RESERVE), step.result(RESERVE)))
                .window(1)
                .then(done);
        b.in(done)
                .finish(step ->
                        new Receipt(step.result(RESERVE).shelf(), step.results(PACK).size()));
        b.in(sad).fail(step -> "no " + step.input().item());
        return b.build();
    }

    @Test
    void theEdges_areThoseThatTheReferencesName() {
        var states = order().definition().states();

        assertThat(states)
                .extracting(State::name, State::next)
                .containsExactlyInAnyOrder(
                        tuple("reserve", "pay", "sad"),
                        tuple("pay", "sad", "check"),
                        tuple("check", "pack", "sad"),
                        tuple("pack", "done"),
                        tuple("done"),
                        tuple("sad"));
        assertThat(order().definition().start().name()).isEqualTo("reserve");
        assertThat(order().version()).isEqualTo("2");
        assertThat(order().definition().guards().transitions()).isEqualTo(50);
    }

    @Test
    void statesOnlyCompute_unlessTheySayOtherwise() {
        var b = Blueprint.states(ORDER);
        var fail = b.state("fail");
        b.start("look").handle(_ -> fail, fail).afterCommit();
        b.in(fail).fail("always");

        assertThat(b.build().definition().states())
                .extracting(State::pure)
                .containsExactlyInAnyOrder(false, true);
    }

    @Test
    void aCancel_leadsToTheStateThatHandlesIt() {
        var b = Blueprint.states(ORDER);
        var tidy = b.state("tidy");
        b.onCancel(tidy).start("begin").fail("always");
        b.in(tidy).fail("cancelled");

        assertThat(b.build().definition().cancelState()).contains("tidy");
    }

    @Test
    void aCall_isATask_whoseResultIsKeptUnderItsName_andCompensated() throws Exception {
        var action = (Action.Compensable) run("reserve", JsonObject.EMPTY, List.of());

        var task = ((Action.DispatchTask) action.action()).task();
        assertThat(task.type()).isEqualTo("reserve");
        assertThat(task.params())
                .isEqualTo(Payload.of(RESERVE.params().write(new Order("book", 2))));
        assertThat(task.resultAs()).contains("reserve");
        assertThat(task.limits().executionTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(((Compensation.ByTask) action.by()).task().type()).isEqualTo("release");
    }

    @Test
    void aResultWithAName_takesNoPartInTheDataButUnderIt() {
        var stock = Payload.of(RESERVE.result().write(new Stock("A1")));
        var task =
                dev.artel.kernel.task.TaskSpec.of("reserve", JsonObject.EMPTY)
                        .withResultAs("reserve");

        assertThat(task.dataOf(stock)).isEqualTo(JobData.EMPTY.with("reserve", stock));
        assertThat(task.limitedBy("mail").resultAs()).contains("reserve");
    }

    @Test
    void aCondition_choosesAReference() throws Exception {
        assertThat(run("check", data("paid", PAID.payload().write(new Paid(99))), List.of()))
                .isEqualTo(Action.transitionTo("sad"));
        assertThat(run("check", data("paid", PAID.payload().write(new Paid(100))), List.of()))
                .isEqualTo(Action.transitionTo("pack"));
    }

    @Test
    void theStateThatJoins_hasTheResultsOfTheFanOut() throws Exception {
        var packed = PACK.result().write(new Stock("B2"));

        var action =
                (Action.Finish)
                        run(
                                "done",
                                data("reserve", RESERVE.result().write(new Stock("A1"))),
                                List.of(new TaskResult.Succeeded(0, "success", packed, "w", 1)));

        assertThat(action.outcome())
                .isEqualTo(
                        new JobOutcome.Finished(
                                Payload.of(ORDER.output().write(new Receipt("A1", 1)))));
    }

    @Test
    void aResultThatIsNotThere_isNamed_withWhatThereIs() {
        assertThatExceptionOfType(MissingValue.class)
                .isThrownBy(() -> run("pack", data("reserv", JsonValue.of(1)), List.of()))
                .withMessageContaining("state 'pack'")
                .withMessageContaining("needs 'reserve'")
                .withMessageContaining("reserv");
    }

    @Test
    void aResultOfAnotherShape_isNamed_withItsPath() {
        assertThatExceptionOfType(MissingValue.class)
                .isThrownBy(() ->
                        run(
                                "pack",
                                data("reserve", JsonObject.of("shelf", JsonValue.of(1))),
                                List.of()))
                .withMessageContaining("reserve.shelf");
    }

    @Test
    void allProblems_areReportedTogether() {
        var b = Blueprint.states(ORDER);
        var other = Blueprint.states(ORDER).state("elsewhere");
        var never = b.state("never");
        b.start("one").call(RESERVE, step -> step.input());
        b.start("two").approval(_ -> "?").on(Approval.APPROVE, never);
        b.in(b.state("way")).approval(WAY, _ -> "?").on("train", other).on("perhaps", never);
        b.state("two");
        b.in(b.state("three")).set(Variable.of("paid", Integer.class), _ -> 1).then(never);
        b.in(b.state("four")).await(PAID).then(never);

        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(b::build)
                .withMessageContaining("state 'one' calls task 'reserve' and leads nowhere")
                .withMessageContaining("jobs begin in state 'one' and in 'two'")
                .withMessageContaining("asks a person and leads nowhere for [reject]")
                .withMessageContaining("names the choice 'perhaps', and its approval has [train]")
                .withMessageContaining("'elsewhere' of another blueprint")
                .withMessageContaining("state 'two' is declared twice")
                .withMessageContaining("as 'paid', which is the name of another value")
                .withMessageContaining("'never' is declared and nothing happens in it");
    }

    @Test
    void resultsOfAFanOut_areThoseOfTheStateThatJoinsIt_only() {
        var b = Blueprint.states(ORDER);
        b.start("early").fail(step -> "%s".formatted(step.results(PACK)));
        var blueprint = b.build();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> run(blueprint, "early", JsonObject.EMPTY, List.of()))
                .withMessageContaining("asks for the results of a fan-out of 'pack'")
                .withMessageContaining("joins none");
    }

    @Test
    void aPerson_isAskedForAConstant_andWhatTheyDecidedIsOne() throws Exception {
        var b = Blueprint.states(ORDER);
        var one = b.state("one");
        b.start("ask")
                .approval(PARCEL, step -> "How to pack " + step.input().item() + "?")
                .by(it -> it.orGroup("packers"))
                .within(Duration.ofDays(1), one)
                .on(Parcel.ONE_BOX, one)
                .on(Parcel.MANY, one);
        b.in(one).fail(step -> step.decision(PARCEL).toString());
        var blueprint = b.build();

        var ask = (Action.AwaitApproval) run(blueprint, "ask", JsonObject.EMPTY, List.of());
        assertThat(ask.message()).isEqualTo("How to pack book?");
        assertThat(ask.approvers().groups()).containsExactly("packers");
        assertThat(ask.choices().states().sequencedKeySet()).containsExactly("one_box", "many");
        assertThat(
                        run(blueprint, "one", data("approval", decision("one_box")), List.of())
                                .toString())
                .contains("decision=ONE_BOX, by=client shop", "2026-01-01T00:00:00Z", "soon");
        assertThatExceptionOfType(MissingValue.class)
                .isThrownBy(
                        () -> run(blueprint, "one", data("approval", decision("maybe")), List.of()))
                .withMessageContaining("needs a decision about [one_box, many]")
                .withMessageContaining("maybe");
    }

    private static JsonValue decision(String word) {
        return JsonObject.builder()
                .put("decision", word)
                .put("by", "client shop")
                .put("at", "2026-01-01T00:00:00Z")
                .put("comment", "soon")
                .build();
    }

    @Test
    void theStateThatJoins_seesHowEachTaskEnded() throws Exception {
        var b = Blueprint.states(ORDER);
        var joined = b.state("joined");
        b.start("all")
                .callAll(PACK, _ -> List.of(new Stock("A1")))
                .retryDelays(Duration.ofMillis(300), Duration.ofSeconds(3))
                .maxLost(10)
                .attempts(7)
                .settled()
                .then(joined);
        b.in(joined).fail(step -> step.taskResults(PACK).toString());
        var blueprint = b.build();

        var all = (Action.DispatchParallel) run(blueprint, "all", JsonObject.EMPTY, List.of());
        var limits = all.tasks().getFirst().limits();
        assertThat(limits.maxLost()).isEqualTo(10);
        assertThat(limits.retry().maxAttempts()).isEqualTo(7);
        assertThat(limits.retry().firstDelay()).isEqualTo(Duration.ofMillis(300));
        var ended =
                run(
                        blueprint,
                        "joined",
                        JsonObject.EMPTY,
                        List.of(
                                new TaskResult.Succeeded(
                                        0, "success", PACK.result().write(new Stock("B2")), "w", 2),
                                new TaskResult.Failed(
                                        1,
                                        new TaskError(ErrorClass.INVALID_INPUT, "TORN", "no box")),
                                new TaskResult.Cancelled(2)));
        assertThat(ended)
                .isEqualTo(
                        Action.fail(
                                List.of(
                                                new dev.artel.blueprint.TaskResult.Succeeded<>(
                                                        0, "success", new Stock("B2"), "w", 2),
                                                new dev.artel.blueprint.TaskResult.Failed<Stock>(
                                                        1,
                                                        dev.artel.blueprint.TaskResult.Kind
                                                                .INVALID_INPUT,
                                                        "TORN",
                                                        "no box"),
                                                new dev.artel.blueprint.TaskResult.Cancelled<Stock>(
                                                        2))
                                        .toString()));
    }

    @Test
    void aFunction_hasGuardsThatItsAuthorMayChange_andPublishesItsTypes() {
        var function =
                Blueprint.function(
                        ORDER,
                        "3",
                        guards -> guards.withTransitions(7),
                        (_, order) -> new Receipt(order.item(), 1));

        assertThat(function.version()).isEqualTo("3");
        assertThat(function.definition().guards().transitions()).isEqualTo(7);
        assertThat(function.definition().guards().history()).isEqualTo(1_000_000);
        assertThat(function.definition().result().orElseThrow().schema().toString())
                .contains("\"parcels\"");
    }

    @Test
    void statesThatEnd_areDeclaredAndDefinedAtOnce() throws Exception {
        var b = Blueprint.states(ORDER);
        var good = b.finish("good", _ -> new Receipt("A1", 1));
        var bad = b.fail("bad", "nothing is there");
        var worse = b.fail("worse", step -> "no " + step.input().item());
        var over = b.endBranch("over");
        b.start("begin").fork(good, bad, worse, over).then(good);
        var blueprint = b.build();

        assertThat(run(blueprint, "good", JsonObject.EMPTY, List.of()))
                .isInstanceOf(Action.Finish.class);
        assertThat(run(blueprint, "bad", JsonObject.EMPTY, List.of()))
                .isEqualTo(Action.fail("nothing is there"));
        assertThat(run(blueprint, "worse", JsonObject.EMPTY, List.of()))
                .isEqualTo(Action.fail("no book"));
        assertThat(run(blueprint, "over", JsonObject.EMPTY, List.of()))
                .isEqualTo(Action.endBranch());
    }

    @Test
    void whatIsCompensatedByItsResult_hasStatesOfItsOwnForIt() throws Exception {
        var b = Blueprint.states(ORDER);
        var end = b.fail("end", "always");
        b.start("pick").call(RESERVE, Step::input).compensatedBy(PUT_BACK).as("picked").then(end);
        var blueprint = b.build();

        var action = (Action.Compensable) run(blueprint, "pick", JsonObject.EMPTY, List.of());
        assertThat(((Compensation.ByState) action.by()).state()).isEqualTo("pick_compensation");
        assertThat(blueprint.definition().state("pick_compensation").orElseThrow().next())
                .containsExactly("pick_compensated");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> run(blueprint, "pick_compensation", JsonObject.EMPTY, List.of()))
                .withMessageContaining("state 'pick_compensation' of job job-1 compensates what");
    }

    @Test
    void codeThatSaysThatTheRunFailed_failsTheJob() throws Exception {
        var b = Blueprint.states(ORDER);
        var end = b.state("end");
        b.start("count")
                .set(
                        ROUNDS,
                        _ -> {
                            throw new RunFailed("nothing to count");
                        })
                .then(end);
        b.in(end).fail("over");

        assertThat(run(b.build(), "count", JsonObject.EMPTY, List.of()))
                .isEqualTo(Action.fail("nothing to count"));
    }

    @Test
    void variables_areSetAndRead() throws Exception {
        var b = Blueprint.states(ORDER);
        var end = b.state("end");
        b.start("count").set(ROUNDS, step -> step.get(ROUNDS).orElse(0) + 1).then(end);
        b.in(end).fail("over");

        var action = run(b.build(), "count", data("rounds", JsonValue.of(4)), List.of());

        assertThat(action)
                .isEqualTo(Action.transitionTo("end").with(data("rounds", JsonValue.of(5))));
    }

    @Test
    void whatFailed_isSeen_withItsCode() throws Exception {
        var b = Blueprint.states(ORDER);
        var sorry = b.fail("sorry", step -> step.failures().toString());
        b.start("reserve").call(RESERVE, Step::input).then(sorry).onFailure(sorry);
        var blueprint = b.build();

        assertThat(
                        run(
                                blueprint,
                                "sorry",
                                JsonObject.EMPTY,
                                List.of(
                                        new TaskResult.Succeeded(
                                                0, "success", JsonObject.EMPTY, "w", 1),
                                        new TaskResult.Failed(
                                                1,
                                                new TaskError(
                                                        ErrorClass.PERMANENT,
                                                        "SOLD_OUT",
                                                        "no book")))))
                .isEqualTo(Action.fail(List.of(new Failure("SOLD_OUT", "no book")).toString()));
    }

    @Test
    void aNewRun_hasEachVariableThatIsSet_andNothingElse() throws Exception {
        var b = Blueprint.states(ORDER);
        var first = b.state("first");
        var again = b.state("again");
        var bare = b.state("bare");
        b.start(first).when(step -> step.get(SHELF).isEmpty(), again).otherwise(bare);
        b.in(again)
                .continueAsNew(first)
                .set(ROUNDS, step -> step.get(ROUNDS).orElse(0) + 1)
                .set(SHELF, step -> step.input().item());
        b.in(bare).continueAsNew(first);
        var blueprint = b.build();

        assertThat(run(blueprint, "again", data("rounds", JsonValue.of(4)), List.of()))
                .isEqualTo(
                        Action.continueAsNew(
                                "first",
                                JsonObject.builder()
                                        .put("rounds", 5)
                                        .put("shelf", "book")
                                        .build()));
        assertThat(run(blueprint, "bare", data("rounds", JsonValue.of(4)), List.of()))
                .isEqualTo(Action.continueAsNew("first", JsonObject.EMPTY));
    }

    @Test
    void aJobThatLivesByItself_hasTheOptionsOfAChild_exceptThoseOfItsEnd() throws Exception {
        var b = Blueprint.states(ORDER);
        var end = b.fail("end", "over");
        var never = b.fail("never", "it could not begin");
        b.start("audit")
                .startJob(ORDER, Step::input)
                .version("7")
                .label("shop", "north")
                .within(Duration.ofHours(3))
                .steps(20)
                .set(ROUNDS, _ -> 1)
                .then(end)
                .otherwise(never);
        var blueprint = b.build();

        var input = (JsonObject) ORDER.input().write(new Order("book", 2));
        assertThat(run(blueprint, "audit", JsonObject.EMPTY, List.of()))
                .isEqualTo(
                        Action.startBlueprint("order", input, "end")
                                .withVersion("7")
                                .withLabel("shop", "north")
                                .within(Duration.ofHours(3))
                                .withSteps(20)
                                .otherwise("never")
                                .with(data("rounds", JsonValue.of(1))));
    }

    @Test
    void aJobThatLivesByItself_leadsSomewhere() {
        var b = Blueprint.states(ORDER);
        b.start("audit").startJob(ORDER, Step::input);

        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(b::build)
                .withMessageContaining(
                        "state 'audit' starts a job of blueprint 'order' and leads nowhere; add then(state)");
    }

    @Test
    void whatTheClientIsEntitledTo_isSeen() throws Exception {
        var b = Blueprint.states(ORDER);
        b.start("look").fail(step -> step.clientPlan() + " " + step.clientParams());
        var look = b.build().definition().state("look").orElseThrow().handler().orElseThrow();

        assertThat(
                        look.handle(
                                new dev.artel.kernel.blueprint.Step(
                                        new JobId("job-1"),
                                        "look",
                                        1,
                                        0,
                                        "shop",
                                        new ClientPlan("gold", data("pages", JsonValue.of(7))),
                                        new LinkedHashMap<>(),
                                        JsonObject.EMPTY,
                                        JsonObject.EMPTY,
                                        List.of(),
                                        List.of(),
                                        new LinkedHashMap<>(),
                                        "1")))
                .isEqualTo(Action.fail("gold {\"pages\":7}"));
    }

    @Test
    void whatJobsAreSubmittedWith_andFinishWith_isPublished() {
        var definition = order().definition();

        assertThat(definition.initialData().orElseThrow().schema().toString())
                .contains("\"amount\"");
        assertThat(definition.result().orElseThrow().schema().toString()).contains("\"parcels\"");
    }

    private static org.assertj.core.groups.Tuple tuple(String state, String... next) {
        return org.assertj.core.groups.Tuple.tuple(state, List.of(next));
    }

    private static JsonObject data(String name, JsonValue value) {
        return JsonObject.of(name, value);
    }

    private static Action run(String state, JsonObject data, List<TaskResult> results)
            throws Exception {
        return run(order(), state, data, results);
    }

    private static Action run(
            Blueprint blueprint, String state, JsonObject data, List<TaskResult> results)
            throws Exception {
        var step =
                new dev.artel.kernel.blueprint.Step(
                        new JobId("job-1"),
                        state,
                        1,
                        0,
                        "shop",
                        new LinkedHashMap<>(),
                        (JsonObject) ORDER.input().write(new Order("book", 2)),
                        data,
                        results);
        return blueprint
                .definition()
                .state(state)
                .orElseThrow()
                .handler()
                .orElseThrow()
                .handle(step);
    }
}
