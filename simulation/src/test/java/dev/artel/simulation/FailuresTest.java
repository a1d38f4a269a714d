package dev.artel.simulation;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.CallFailed;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.Failure;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What a job gets to know of what failed, from end to end and in the same form in each style.
final class FailuresTest {
    static final BlueprintType<JsonObject, Nothing> TRIP =
            BlueprintType.of("trip", JsonObject.class);
    static final BlueprintType<JsonObject, Nothing> BOOKING =
            BlueprintType.of("booking", JsonObject.class);
    static final TaskType<JsonObject, Nothing> BOOK = TaskType.of("book", JsonObject.class);

    private static final FakeWorker FULL =
            FakeWorker.named("full").doing("book", ScriptedAnswer.permanentFailure("no seats"));

    private static String text(List<Failure> failures) {
        return failures.stream()
                .map(failure -> failure.code() + " - " + failure.message())
                .collect(Collectors.joining(", "));
    }

    private static Blueprint booking() {
        var b = Blueprint.states(BOOKING);
        b.start("book").fail("all are full");
        return b.build();
    }

    @Test
    void aTaskThatFails_hasItsCode_inStates_andInFunctions() {
        var b = Blueprint.states(TRIP);
        var sorry = b.fail("sorry", step -> text(step.failures()));
        b.start("book").call(BOOK, Step::input).then(sorry).onFailure(sorry);
        var function =
                Blueprint.function(
                        TRIP,
                        (run, trip) -> {
                            try {
                                var _ = run.call(TaskCall.of(BOOK, trip));
                                return new Nothing();
                            } catch (CallFailed full) {
                                throw new RunFailed(text(List.of(full.failure())));
                            }
                        });

        ArtelSimulation.of(b.build()).workers(FULL).run(1).assertFailed("ERROR - no seats");
        ArtelSimulation.of(function).workers(FULL).run(1).assertFailed("ERROR - no seats");
    }

    /// Trap: the result of a single child is in the job's data, and the failure has no reason.
    @Test
    void aChildThatFails_hasItsOutcomeAsCode_andItsReason() {
        var b = Blueprint.states(TRIP);
        var sorry = b.fail("sorry", step -> text(step.failures()));
        b.start("book").child(BOOKING, Step::input).then(sorry).otherwise(sorry);

        ArtelSimulation.of(b.build())
                .child(booking())
                .run(1)
                .assertFailed("FAILED - job ")
                .assertFailed(": all are full");
    }

    @Test
    void manyChildren_haveAFailureEach() {
        var b = Blueprint.states(TRIP);
        var sorry = b.fail("sorry", step -> text(step.failures()));
        b.start("book")
                .childForEach(BOOKING, step -> List.of(step.input(), step.input()))
                .settled()
                .then(sorry);

        ArtelSimulation.of(b.build())
                .child(booking())
                .run(1)
                .assertFailed(": all are full, FAILED - job ");
    }

    @Test
    void aChildThatFails_isTheSameInAFunction() {
        var function =
                Blueprint.function(
                        TRIP,
                        (run, trip) -> {
                            try {
                                return run.child(ChildCall.of(BOOKING, trip));
                            } catch (CallFailed failed) {
                                throw new RunFailed(text(List.of(failed.failure())));
                            }
                        });

        ArtelSimulation.of(function)
                .child(booking())
                .run(1)
                .assertFailed("FAILED - job ")
                .assertFailed(": all are full");
    }
}
