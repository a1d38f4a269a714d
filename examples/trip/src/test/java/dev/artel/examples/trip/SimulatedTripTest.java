package dev.artel.examples.trip;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.ScriptedEvent;
import dev.artel.simulation.SimulatedJob;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Days of a trip in a second, as in the guide to simulations.
final class SimulatedTripTest {
    private static final JsonObject OSLO =
            JsonObject.builder()
                    .put("traveller", "Ada")
                    .put("to", "Oslo")
                    .put("price", 1480)
                    .build();

    private static final ScriptedAnswer CHARGED =
            ScriptedAnswer.success(JsonObject.of("charge", JsonValue.of("c1")));

    private final FakeWorker agency =
            FakeWorker.named("agency")
                    .doing(
                            "book_flight",
                            ScriptedAnswer.failure("overbooked"),
                            ScriptedAnswer.success(JsonObject.of("flight", JsonValue.of("f1"))))
                    .doing(
                            "book_hotel",
                            ScriptedAnswer.success(JsonObject.of("hotel", JsonValue.of("h1"))))
                    .doing("cancel_flight")
                    .doing("cancel_hotel")
                    .doing("refund");

    private final FakeWorker bank =
            FakeWorker.named("bank").doing("charge", CHARGED).doing("look_up_charge", CHARGED);

    private final ArtelSimulation trip =
            ArtelSimulation.of(TripBlueprint.trip())
                    .child(PaymentBlueprint.payment())
                    .workers(agency, bank)
                    .initialData(OSLO);

    @Test
    void aTripThatIsPaid_takesPlace() {
        trip.at(Duration.ofHours(5), ScriptedEvent.decision("approve"))
                .at(Duration.ofHours(9), ScriptedEvent.signal("confirmed", JsonValue.of("seat 4A")))
                .run(1)
                .assertFinished()
                .assertWentThrough("flight", "hotel", "ask", "pay", "confirm", "done")
                .assertAttempts("book_flight", 2)
                .assertTookAtMost(Duration.ofHours(10))
                .assertPlaced("book_hotel")
                .on("agency")
                .because("the only one");
    }

    @Test
    void aTripThatNobodyAgreesTo_isCompensated() {
        trip.within(Duration.ofDays(3))
                .run(1)
                .assertFailed("the trip was not approved")
                .assertNeverIn("pay")
                .assertAttempts("cancel_hotel", 1)
                .assertAttempts("cancel_flight", 1);
    }

    @Test
    void whateverFails_aTripIsPaidAndTakesPlace() {
        trip.faults(
                        Duration.ofMinutes(1),
                        Trait.ORCHESTRATOR_CRASHES,
                        Trait.MESSAGES_LOST,
                        Trait.MESSAGES_DOUBLED,
                        Trait.HANDLERS_FAIL)
                .at(Duration.ofMinutes(5), ScriptedEvent.decision("approve"))
                .at(
                        Duration.ofMinutes(9),
                        ScriptedEvent.signal("confirmed", JsonValue.of("seat 4A")))
                .runs(1, 20, SimulatedJob::assertFinished);
    }

    @Test
    void whenTheOrchestratorDies_makesNoDifference() {
        trip.at(Duration.ofMinutes(5), ScriptedEvent.decision("reject")).killedAtEachAppend(1);
    }
}
