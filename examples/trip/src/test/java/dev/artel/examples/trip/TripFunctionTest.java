package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.BOOK_FLIGHT;
import static dev.artel.examples.trip.TripTypes.CANCEL_FLIGHT;
import static dev.artel.examples.trip.TripTypes.CONFIRMED;
import static dev.artel.examples.trip.TripTypes.PAYMENT;
import static dev.artel.examples.trip.TripTypes.REFUND;
import static dev.artel.examples.trip.TripTypes.TRIP;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.TaskCall;
import dev.artel.examples.trip.TripTypes.Hotel;
import dev.artel.examples.trip.TripTypes.Itinerary;
import dev.artel.examples.trip.TripTypes.Trip;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.sim.ArtelSimulation;
import dev.artel.testkit.sim.FakeWorker;
import dev.artel.testkit.sim.ScriptedAnswer;
import dev.artel.testkit.sim.ScriptedEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A day trip as a durable function, with the types of the trip.
final class TypedFunctionTest {
    private final FakeWorker agency =
            FakeWorker.named("agency")
                    .doing(
                            "book_flight",
                            ScriptedAnswer.success(JsonObject.of("flight", JsonValue.of("f1"))))
                    .doing(
                            "charge",
                            ScriptedAnswer.success(JsonObject.of("charge", JsonValue.of("c1"))))
                    .doing("cancel_flight")
                    .doing("refund");

    private final ArtelSimulation trip =
            ArtelSimulation.of(Blueprint.function(TRIP, TypedFunctionTest::book))
                    .child(PaymentBlueprint.payment())
                    .workers(agency)
                    .initialData(
                            JsonObject.builder()
                                    .put("traveller", "Ada")
                                    .put("to", "Oslo")
                                    .put("price", 1480)
                                    .build());

    private static Itinerary book(Run run, Trip trip) {
        var flight = run.call(TaskCall.of(BOOK_FLIGHT, trip).compensatedBy(CANCEL_FLIGHT, trip));
        run.approval("May %s fly?".formatted(trip.traveller()))
                .within(Duration.ofDays(2))
                .orElseFail("nobody has agreed to the trip");
        var payment = run.child(ChildCall.of(PAYMENT, trip).compensatedBy(REFUND, trip));
        var seat =
                run.signal(CONFIRMED, Duration.ofDays(1))
                        .orElseThrow(() -> new RunFailed("the airline has not confirmed in time"));
        return new Itinerary(flight, new Hotel("none"), payment, seat);
    }

    @Test
    void aTripThatIsPaid_takesPlace() {
        trip.at(Duration.ofHours(5), ScriptedEvent.decision("approve"))
                .at(Duration.ofHours(9), ScriptedEvent.signal("confirmed", JsonValue.of("seat 4A")))
                .run(1)
                .assertFinished()
                .assertAttempts("book_flight", 1)
                .assertAttempts("cancel_flight", 0);
    }

    @Test
    void aTripThatNobodyAgreesTo_isCompensated() {
        trip.within(Duration.ofDays(3))
                .run(1)
                .assertFailed("nobody has agreed to the trip")
                .assertAttempts("cancel_flight", 1);
    }

    @Test
    void aTripThatIsNotConfirmed_isPaidBack() {
        trip.within(Duration.ofDays(3))
                .at(Duration.ofHours(5), ScriptedEvent.decision("approve"))
                .run(1)
                .assertFailed("the airline has not confirmed in time")
                .assertAttempts("refund", 1)
                .assertAttempts("cancel_flight", 1);
    }

    @Test
    void whenTheOrchestratorDies_makesNoDifference() {
        trip.at(Duration.ofMinutes(5), ScriptedEvent.decision("reject")).killedAtEachAppend(1);
    }
}
