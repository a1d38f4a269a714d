package dev.artel.examples.trip;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.ScriptedEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The trip as a durable function: days of it in a second.
final class TripFunctionTest {
    private final FakeWorker agency =
            FakeWorker.named("agency")
                    .doing(
                            "book_flight",
                            ScriptedAnswer.success(JsonObject.of("flight", JsonValue.of("f1"))))
                    .doing(
                            "book_hotel",
                            ScriptedAnswer.success(JsonObject.of("hotel", JsonValue.of("h1"))))
                    .doing(
                            "charge",
                            ScriptedAnswer.success(JsonObject.of("charge", JsonValue.of("c1"))))
                    .doing("cancel_flight")
                    .doing("cancel_hotel")
                    .doing("refund");

    private final ArtelSimulation trip =
            ArtelSimulation.of(TripFunction.trip())
                    .child(PaymentBlueprint.payment())
                    .workers(agency)
                    .initialData(
                            JsonObject.builder()
                                    .put("traveller", "Ada")
                                    .put("to", "Oslo")
                                    .put("price", 1480)
                                    .build());

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
                .assertFailed("the trip was not approved")
                .assertAttempts("cancel_hotel", 1)
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
