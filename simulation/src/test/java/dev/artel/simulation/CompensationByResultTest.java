package dev.artel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.States;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskResult;
import dev.artel.blueprint.TaskType;
import dev.artel.blueprint.Variable;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.BlueprintSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// States whose work is compensated with its results, from end to end.
final class CompensationByResultTest {
    record Seat(int n) {}

    record Voucher(String number) {}

    static final BlueprintType<JsonObject, Nothing> TRIP =
            BlueprintType.of("trip", JsonObject.class);
    static final BlueprintType<Seat, Voucher> BOOKING =
            BlueprintType.of("booking", Seat.class, Voucher.class);
    static final TaskType<Seat, Voucher> BOOK = TaskType.of("book", Seat.class, Voucher.class);
    static final TaskType<Voucher, Nothing> CANCEL = TaskType.of("cancel", Voucher.class);
    static final Variable<Integer> ROUND = Variable.of("round", Integer.class);

    private final List<String> cancelled = Collections.synchronizedList(new ArrayList<>());

    private final List<String> booked = Collections.synchronizedList(new ArrayList<>());

    private final FakeWorker airline =
            FakeWorker.named("airline")
                    .doing("book", ScriptedAnswer.computed(CompensationByResultTest::voucher))
                    .doing("cancel", ScriptedAnswer.computed(this::cancel));

    private static JsonValue voucher(JsonValue seat) {
        return JsonObject.of(
                "number",
                JsonValue.of("T" + ((JsonObject) seat).number("n").orElseThrow().asLong()));
    }

    private JsonValue book(JsonValue seat) {
        var voucher = voucher(seat);
        booked.add(((JsonObject) voucher).string("number").orElseThrow());
        return voucher;
    }

    private JsonValue cancel(JsonValue voucher) {
        cancelled.add(((JsonObject) voucher).string("number").orElseThrow());
        return JsonObject.EMPTY;
    }

    private static List<Seat> seats(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(Seat::new).toList();
    }

    private ArtelSimulation simulation(BlueprintSource blueprint) {
        return ArtelSimulation.of(blueprint).workers(airline);
    }

    private static States<JsonObject, Nothing> trip() {
        return Blueprint.states(TRIP);
    }

    @Test
    void eachTaskOfAFanOut_isCompensatedWithItsOwnResult() {
        var b = trip();
        var end = b.fail("end", "not wanted");
        b.start("book").callAll(BOOK, _ -> seats(3)).compensatedBy(CANCEL).then(end);

        simulation(b.build()).run(1).assertFailed("not wanted").assertAttempts("cancel", 3);

        assertThat(cancelled).containsExactlyInAnyOrder("T1", "T2", "T3");
    }

    @Test
    void aFanOut_isCompensatedWithWhatIsMadeOfEachResult_whereverTheOrchestratorIsKilled() {
        var b = trip();
        var end = b.fail("end", "not wanted");
        b.start("book")
                .callAll(BOOK, _ -> seats(2))
                .compensatedByResult(CANCEL, voucher -> new Voucher("not " + voucher.number()))
                .then(end);
        var simulation = simulation(b.build());

        simulation.run(1).assertFailed("not wanted");
        assertThat(cancelled).containsExactlyInAnyOrder("not T1", "not T2");
        assertThat(simulation.killedAtEachAppend(1)).isGreaterThan(5);
    }

    @Test
    void aTaskThatHasFailed_isNotCompensated() {
        var b = trip();
        var end = b.fail("end", "not wanted");
        b.start("book").callAll(BOOK, _ -> seats(3)).settled().compensatedBy(CANCEL).then(end);
        var full =
                FakeWorker.named("full")
                        .doing(
                                "book",
                                ScriptedAnswer.sometimes(
                                        0.5,
                                        ScriptedAnswer.permanentFailure("full"),
                                        ScriptedAnswer.computed(this::book)))
                        .doing("cancel", ScriptedAnswer.computed(this::cancel));

        var simulation = ArtelSimulation.of(b.build()).workers(full);
        for (var seed = 1; seed <= 10; seed++) {
            simulation.run(seed).assertFailed("not wanted");
        }

        assertThat(cancelled).containsExactlyInAnyOrderElementsOf(booked).hasSizeBetween(1, 29);
    }

    /// Trap: the task that was withdrawn is done all the same, and nobody compensates it.
    @Test
    void whatMayHaveBeenDoneAndHasNoResult_isNamed_andWhatNeverBeganIsNot() {
        var b = trip();
        var end = b.fail("end", "not wanted");
        b.start("book")
                .callAll(BOOK, _ -> seats(9))
                .window(2)
                .atLeast(1)
                .compensatedBy(CANCEL)
                .then(end);
        var slow =
                FakeWorker.named("slow")
                        .slots(4)
                        .doing(
                                "book",
                                ScriptedAnswer.silence(),
                                ScriptedAnswer.computed(CompensationByResultTest::voucher),
                                ScriptedAnswer.silence())
                        .doing("cancel", ScriptedAnswer.computed(this::cancel));

        ArtelSimulation.of(b.build())
                .workers(slow)
                .run(1)
                .assertFailed("not wanted; and not everything could be compensated")
                .assertFailed(
                        "of 9 tasks may have been done, and have no result with which they could be compensated");

        assertThat(cancelled).hasSize(1);
    }

    @Test
    void aTaskThatDoesNotCompensate_isNamed() {
        var b = trip();
        var end = b.fail("end", "not wanted");
        b.start("book").callAll(BOOK, _ -> seats(3)).compensatedBy(CANCEL).then(end);
        var stubborn =
                FakeWorker.named("stubborn")
                        .doing("book", ScriptedAnswer.computed(CompensationByResultTest::voucher))
                        .doing("cancel", ScriptedAnswer.permanentFailure("too late"));

        ArtelSimulation.of(b.build())
                .workers(stubborn)
                .run(1)
                .assertFailed("3 of 3 tasks that compensate failed, the first with: too late");
    }

    @Test
    void eachOfManyChildren_isCompensatedWithItsOwnResult() {
        var child = Blueprint.states(BOOKING);
        var booked = child.finish("booked", step -> step.result(BOOK));
        child.start("book").call(BOOK, Step::input).then(booked);
        var b = trip();
        var end = b.fail("end", "not wanted");
        b.start("book")
                .childForEach(BOOKING, _ -> seats(3))
                .compensatedByResult(CANCEL, voucher -> new Voucher("all of " + voucher.number()))
                .then(end);

        simulation(b.build()).child(child.build()).run(1).assertFailed("not wanted");

        assertThat(cancelled).containsExactlyInAnyOrder("all of T1", "all of T2", "all of T3");
    }

    @Test
    void aChild_isCompensatedWithWhatIsMadeOfItsResult() {
        var child = Blueprint.states(BOOKING);
        var booked = child.finish("booked", step -> step.result(BOOK));
        child.start("book").call(BOOK, Step::input).then(booked);
        var b = trip();
        var end = b.fail("end", "not wanted");
        b.start("book")
                .child(BOOKING, _ -> new Seat(7))
                .compensatedByResult(CANCEL, voucher -> new Voucher("child " + voucher.number()))
                .then(end);

        var job = simulation(b.build()).child(child.build()).run(1).assertFailed("not wanted");

        assertThat(cancelled).as(job.story()).containsExactly("child T7");
    }

    /// Trap: the data of the job have the last result alone, and the first booking is never cancelled.
    @Test
    void aCallInALoop_isCompensatedWithEachOfItsResults() {
        var b = trip();
        var count = b.state("count");
        var again = b.state("again");
        var end = b.fail("end", "not wanted");
        b.start("begin").set(ROUND, _ -> 1).then(again);
        b.in(again)
                .call(BOOK, step -> new Seat(step.get(ROUND).orElse(0)))
                .compensatedBy(CANCEL)
                .then(count);
        var next = b.state("next");
        b.in(count).set(ROUND, step -> step.get(ROUND).orElse(0) + 1).then(next);
        b.in(next).when(step -> step.get(ROUND).orElse(0) < 3, again).otherwise(end);

        simulation(b.build()).run(1).assertFailed("not wanted");

        assertThat(cancelled).containsExactly("T2", "T1");
    }

    @Test
    void theBranchesOfAFork_areCompensatedWithTheirOwnResults() {
        var b = trip();
        var one = b.state("one");
        var two = b.state("two");
        var booked = b.endBranch("booked");
        var end = b.fail("end", "not wanted");
        b.start("book").fork(one, two).then(end);
        b.in(one).call(BOOK, _ -> new Seat(1)).compensatedBy(CANCEL).then(booked);
        b.in(two).call(BOOK, _ -> new Seat(2)).compensatedBy(CANCEL).then(booked);

        simulation(b.build()).run(1).assertFailed("not wanted");

        assertThat(cancelled).containsExactlyInAnyOrder("T1", "T2");
    }

    /// A state of the author compensates a fan-out, and sees how each task has ended.
    @Test
    void aStateThatCompensatesAFanOut_seesItsResults() {
        var b = trip();
        var end = b.fail("end", "not wanted");
        var undo = b.state("undo");
        var undone = b.endBranch("undone");
        b.start("book").callAll(BOOK, _ -> seats(3)).compensatedBy(undo).then(end);
        b.in(undo).callAll(CANCEL, step -> step.results(BOOK)).then(undone);

        simulation(b.build()).run(1).assertFailed("not wanted");

        assertThat(cancelled).containsExactlyInAnyOrder("T1", "T2", "T3");
    }

    @BlueprintDefinition(name = "trip", branchEnds = "undone", failedEnds = "end")
    static final class AnnotatedTrip {
        @StateHandler(value = "book", start = true, leadsTo = "end", compensatedBy = "undo")
        List<TaskCall<Voucher>> book() {
            return seats(3).stream().map(seat -> TaskCall.of(BOOK, seat)).toList();
        }

        @StateHandler(value = "undo", leadsTo = "undone")
        List<TaskCall<Nothing>> undo(List<TaskResult<Voucher>> results) {
            return results.stream()
                    .map(result -> ((TaskResult.Succeeded<Voucher>) result).value())
                    .map(voucher -> TaskCall.of(CANCEL, voucher))
                    .toList();
        }
    }

    @Test
    void anAnnotatedState_isCompensatedByAnotherOne_thatSeesItsResults() {
        simulation(Blueprint.annotated(AnnotatedTrip.class)).run(1).assertFailed("end");

        assertThat(cancelled).containsExactlyInAnyOrder("T1", "T2", "T3");
    }
}
