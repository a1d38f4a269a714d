package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.BOOK_FLIGHT;
import static dev.artel.examples.trip.TripTypes.BOOK_HOTEL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.StateRef;
import dev.artel.blueprint.States;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskType;
import dev.artel.blueprint.Variable;
import dev.artel.examples.trip.TripTypes.Trip;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.ScriptedEvent;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The blocks of `docs/blueprints.md` that are parts of blueprints: a job of each goes through it.
final class BlueprintGuideTest {
    record Transfer(String reference) {}

    record Enquiry(String airline, Trip trip) {}

    record Quote(String airline, int euros) {}

    record Subscription(String customer) {}

    enum Way {
        TRAIN,
        PLANE
    }

    private static final BlueprintType<Trip, Trip> GUIDE =
            BlueprintType.of("guide", Trip.class, Trip.class);
    private static final BlueprintType<Subscription, Nothing> SUBSCRIPTION =
            BlueprintType.of("subscription", Subscription.class);
    private static final TaskType<Trip, Transfer> TRANSFER =
            TaskType.of("transfer", Trip.class, Transfer.class);
    private static final TaskType<Trip, Nothing> FIND_TRANSFER =
            TaskType.of("find_transfer", Trip.class);
    private static final TaskType<Transfer, Nothing> REVERSE =
            TaskType.of("reverse", Transfer.class);
    private static final TaskType<Trip, Nothing> DRAW_MAP = TaskType.of("draw_map", Trip.class);
    private static final TaskType<Enquiry, Quote> QUOTE =
            TaskType.of("quote", Enquiry.class, Quote.class);
    private static final TaskType<Subscription, Nothing> BILL =
            TaskType.of("bill", Subscription.class);
    private static final Variable<Quote> BEST = Variable.of("best", Quote.class);
    private static final Variable<Integer> MONTHS = Variable.of("months", Integer.class);
    private static final Approval<Way> WAY = Approval.of(Way.class);
    private static final List<String> AIRLINES = List.of("A", "B", "C", "D", "E");
    private static final Duration A_MONTH = Duration.ofDays(30);
    private static final String SOLD_OUT = "sold_out";
    private static final String NOT_FOUND = "not_found";
    private static final String SALES = "sales";
    private static final String RATES = "rates";

    private static final ScriptedAnswer FLIGHT =
            ScriptedAnswer.success(JsonObject.of("flight", JsonValue.of("f1")));
    private static final ScriptedAnswer HOTEL =
            ScriptedAnswer.success(JsonObject.of("hotel", JsonValue.of("h1")));
    private static final ScriptedAnswer TRANSFERRED =
            ScriptedAnswer.success(JsonObject.of("reference", JsonValue.of("t1")));

    private final States<Trip, Trip> b = Blueprint.states(GUIDE);
    private @Nullable Blueprint built;

    private static Quote cheapest(List<Quote> quotes) {
        return quotes.stream().min(Comparator.comparingInt(Quote::euros)).orElseThrow();
    }

    /// The first state that does something.
    private StateRef begin(String name) {
        var state = b.state(name);
        b.start("begin").sleep(Duration.ofSeconds(1)).then(state);
        return state;
    }

    private StateRef finish(String name) {
        return b.finish(name, Step::input);
    }

    private StateRef apologise() {
        return b.fail("apologise", "we are sorry");
    }

    private ArtelSimulation trip(int price, FakeWorker... workers) {
        return ArtelSimulation.of(built())
                .workers(workers)
                .within(Duration.ofDays(3))
                .initialData(
                        JsonObject.builder()
                                .put("traveller", "Ada")
                                .put("to", "Oslo")
                                .put("price", price)
                                .build());
    }

    private Blueprint built() {
        if (built == null) {
            built = b.build();
        }
        return built;
    }

    private static FakeWorker agency() {
        return FakeWorker.named("agency");
    }

    @Test
    void aStateThatReadsADataStore_waitsForTheCommit() {
        var check = begin("check");
        var ask = finish("ask");
        var pay = finish("pay");
        b.dataStore(RATES, JsonObject.of("Oslo", JsonValue.of(11)));

        b.in(check)
                .handle(
                        step ->
                                step.store(RATES, Integer.class).get(step.input().to()).isPresent()
                                        ? pay
                                        : ask,
                        pay,
                        ask)
                .afterCommit();

        trip(400).run(1).assertFinished().assertWentThrough("check", "pay");
    }

    @Test
    void aTask_hasLimits_andAWordOfItsOwn() {
        var flight = begin("flight");
        var hotel = finish("hotel");
        var train = finish("train");
        var apologise = apologise();

        b.in(flight)
                .call(BOOK_FLIGHT, Step::input)
                .attempts(6)
                .executionTimeout(Duration.ofMinutes(2))
                .dispatchDeadline(Duration.ofHours(1))
                .then(hotel)
                .on(SOLD_OUT, train)
                .onFailure(apologise);

        trip(400, agency().doing("book_flight", FLIGHT)).run(1).assertWentThrough("hotel");
        trip(400, agency().doing("book_flight", ScriptedAnswer.status(SOLD_OUT, JsonObject.EMPTY)))
                .run(1)
                .assertWentThrough("train");
        trip(400, agency().doing("book_flight", ScriptedAnswer.silence()))
                .run(1)
                .assertAttempts("book_flight", 6)
                .assertFailed("we are sorry");
        assertThat(trip(400).run(1).assertFailed("we are sorry").took())
                .isBetween(Duration.ofHours(1), Duration.ofHours(2));
    }

    @Test
    void aTransferOfWhichNobodyKnows_isLookedFor() {
        var pay = begin("pay");
        var look = b.state("look");
        var paid = finish("paid");

        b.in(pay).call(TRANSFER, Step::input).notIdempotent().then(paid).onUnknown(look);
        b.in(look).call(FIND_TRANSFER, Step::input).then(paid).on(NOT_FOUND, pay);

        trip(
                        400,
                        agency().doing("transfer", ScriptedAnswer.silence(), TRANSFERRED)
                                .doing(
                                        "find_transfer",
                                        ScriptedAnswer.status(NOT_FOUND, JsonObject.EMPTY)))
                .run(1)
                .assertFinished()
                .assertWentThrough("pay", "look", "pay", "paid");
        trip(400, agency().doing("transfer", ScriptedAnswer.silence()).doing("find_transfer"))
                .run(1)
                .assertFinished()
                .assertAttempts("transfer", 1);
    }

    @Test
    void aTaskThatTakesLong_goesToASecondWorker() {
        var map = begin("map");
        var done = finish("done");

        b.in(map).call(DRAW_MAP, Step::input).hedgedAfter(Duration.ofSeconds(20)).then(done);

        trip(
                        400,
                        FakeWorker.named("slow")
                                .costing(1)
                                .doing("draw_map", ScriptedAnswer.silence()),
                        FakeWorker.named("quick").costing(2).doing("draw_map"))
                .run(1)
                .assertFinished()
                .assertAttempts("draw_map", 2)
                .assertTookAtMost(Duration.ofMinutes(1));
    }

    @Test
    void aFanOut_isJoinedWhenEnoughHaveAnswered() {
        var quote = begin("quote");
        var choose = b.state("choose");
        var flight = finish("flight");
        var apologise = apologise();

        b.in(quote)
                .callAll(
                        QUOTE,
                        step ->
                                AIRLINES.stream()
                                        .map(name -> new Enquiry(name, step.input()))
                                        .toList())
                .window(50)
                .atLeast(3)
                .then(choose)
                .otherwise(apologise);
        b.in(choose).set(BEST, step -> cheapest(step.results(QUOTE))).then(flight);

        var offer = JsonObject.builder().put("airline", "C").put("euros", 120).build();
        trip(400, agency().doing("quote", ScriptedAnswer.success(offer)))
                .run(1)
                .assertFinished()
                .assertData("best", offer);
        trip(400, agency().doing("quote", ScriptedAnswer.permanentFailure("no flights")))
                .run(1)
                .assertFailed("we are sorry");
    }

    @Test
    void branches_areJoined() {
        var book = begin("book");
        var flight = b.state("flight");
        var hotel = b.state("hotel");
        var confirm = finish("confirm");
        var apologise = apologise();

        var booked = b.endBranch("booked");
        b.in(book).fork(flight, hotel).then(confirm).otherwise(apologise);
        b.in(flight).call(BOOK_FLIGHT, Step::input).then(booked);
        b.in(hotel).call(BOOK_HOTEL, Step::input).then(booked);

        trip(400, agency().doing("book_flight", FLIGHT).doing("book_hotel", HOTEL))
                .run(1)
                .assertFinished()
                .assertData("book_hotel", JsonObject.of("hotel", JsonValue.of("h1")));
        trip(
                        400,
                        agency().doing("book_flight", FLIGHT)
                                .doing("book_hotel", ScriptedAnswer.permanentFailure("full")))
                .run(1)
                .assertFailed("we are sorry");
    }

    @Test
    void aPersonWhoDoesNotDecide_isLate() {
        var ask = begin("ask");
        var train = finish("train");
        var plane = finish("plane");
        var late = b.fail("late", "nobody has decided");

        b.in(ask)
                .approval(WAY, step -> "Which way to " + step.input().to() + "?")
                .by(it -> it.orGroup("managers").exceptTheSubmitter())
                .within(Duration.ofDays(2), late)
                .on(Way.TRAIN, train)
                .on(Way.PLANE, plane);

        trip(400).run(1).assertFailed("nobody has decided");
    }

    @Test
    void aTree_hasAsManyGenerationsAsItsGuardsAllow() {
        var again = begin("again");
        var done = finish("done");
        var deep = b.fail("deep", "no more generations");

        b.guards(it -> it.withTreeSteps(20_000).withTreeDepth(3));

        b.in(again).child(GUIDE, Step::input).then(done).otherwise(deep);
        trip(400).run(1).assertFailed("no more generations");
    }

    @Test
    void aHandler_hasTheTriesOfItsState() {
        var check = begin("check");
        var ask = finish("ask");
        var pay = finish("pay");

        b.guards(it ->
                it.withTransitions(500)
                        .withHandlerAttempts(2)
                        .withHandlerTime(Duration.ofSeconds(30))
                        .withHistory(20_000));
        b.in(check)
                .handle(step -> step.input().price() > 1000 ? ask : pay, ask, pay)
                .stepAttempts(1)
                .stepTimeout(Duration.ofMinutes(2));

        trip(400).run(1).assertFinished().assertWentThrough("check", "pay");
        trip(1400).run(1).assertFinished().assertWentThrough("check", "ask");
    }

    static Blueprint subscription() {
        var b = Blueprint.states(SUBSCRIPTION);
        var month = b.state("month");
        var billed = b.state("billed");
        var next = b.state("next");
        b.start(month).call(BILL, Step::input).then(billed);
        b.in(billed).sleep(Duration.ofDays(30)).then(next);
        b.in(next).continueAsNew(month).set(MONTHS, step -> step.get(MONTHS).orElse(0) + 1);
        return b.build();
    }

    @Test
    void aSubscription_isBilledEachMonth() {
        ArtelSimulation.of(subscription())
                .workers(FakeWorker.named("accounting").doing("bill"))
                .initialData(JsonObject.of("customer", JsonValue.of("Ada")))
                .at(Duration.ofHours(1), ScriptedEvent.clockJump(A_MONTH))
                .at(Duration.ofHours(2), ScriptedEvent.clockJump(A_MONTH))
                .at(Duration.ofHours(3), ScriptedEvent.clockJump(A_MONTH))
                .within(Duration.ofHours(4))
                .run(1)
                .assertAttempts("bill", 4)
                .assertData("months", JsonValue.of(3));
    }

    @Test
    void aState_compensates() {
        var pay = begin("pay");
        var reverse = b.state("reverse");
        var done = b.state("done");
        b.in(done).sleep(Duration.ofHours(1)).then(finish("end"));

        var reversed = b.endBranch("reversed");
        b.in(pay).call(TRANSFER, Step::input).compensatedBy(reverse).then(done);
        b.in(reverse).call(REVERSE, step -> step.result(TRANSFER)).then(reversed);

        trip(400, agency().doing("transfer", TRANSFERRED).doing("reverse"))
                .at(Duration.ofMinutes(5), ScriptedEvent.cancel("a test"))
                .run(1)
                .assertCancelled()
                .assertAttempts("reverse", 1);
    }

    @Test
    void theFirstConditionThatHolds_decides() {
        var check = begin("check");
        var flight = b.state("flight");
        var ask = finish("ask");
        var pay = finish("pay");
        b.in(flight).call(BOOK_FLIGHT, Step::input).then(check);

        b.in(check)
                .when(step -> step.input().price() > 1000, ask)
                .when(step -> step.findResult(BOOK_FLIGHT).isEmpty(), flight)
                .otherwise(pay);

        trip(1400).run(1).assertWentThrough("check", "ask");
        trip(400, agency().doing("book_flight", FLIGHT))
                .run(1)
                .assertWentThrough("check", "flight", "check", "pay");
    }

    @Test
    void jobs_shareADataStore() {
        var count = begin("count");
        var done = b.state("done");
        var kept = finish("kept");
        var lost = b.fail("lost", "the store has not what was put");
        b.in(done)
                .handle(
                        step ->
                                step.store(SALES, Integer.class)
                                                .get("job/" + step.job())
                                                .isPresent()
                                        ? kept
                                        : lost,
                        kept,
                        lost)
                .afterCommit();

        b.dataStore(SALES);
        b.in(count)
                .handle(
                        step -> {
                            step.store(SALES, Integer.class)
                                    .put("job/" + step.job(), step.input().price());
                            return done;
                        },
                        done)
                .afterCommit();

        trip(400).run(1).assertFinished();
    }
}
