package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.BOOK_FLIGHT;
import static dev.artel.examples.trip.TripTypes.BOOK_HOTEL;
import static dev.artel.examples.trip.TripTypes.CANCEL_FLIGHT;
import static dev.artel.examples.trip.TripTypes.CANCEL_HOTEL;
import static dev.artel.examples.trip.TripTypes.CONFIRMED;
import static dev.artel.examples.trip.TripTypes.PAYMENT;
import static dev.artel.examples.trip.TripTypes.TRIP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Replay;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.examples.trip.TripTypes.Charge;
import dev.artel.examples.trip.TripTypes.Itinerary;
import dev.artel.examples.trip.TripTypes.Trip;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.ScriptedEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The blocks of `docs/functions.md`: a job goes through each.
final class FunctionGuideTest {
    private static final BlueprintType<Trip, Charge> FARE =
            BlueprintType.of("fare", Trip.class, Charge.class);
    private static final TaskType<Trip, Charge> OLD_FARE =
            TaskType.of("old_fare", Trip.class, Charge.class);
    private static final TaskType<Trip, Charge> NEW_FARE =
            TaskType.of("new_fare", Trip.class, Charge.class);
    private static final ScriptedAnswer CHARGED = answer("charge", "c1");

    private final FakeWorker agency =
            FakeWorker.named("agency")
                    .doing("book_flight", answer("flight", "f1"))
                    .doing("book_hotel", answer("hotel", "h1"))
                    .doing("cancel_flight")
                    .doing("cancel_hotel")
                    .doing("charge", CHARGED)
                    .doing("old_fare", CHARGED)
                    .doing("new_fare", CHARGED);

    private static ScriptedAnswer answer(String name, String value) {
        return ScriptedAnswer.success(JsonObject.of(name, JsonValue.of(value)));
    }

    static Blueprint trip() {
        return Blueprint.function(
                TRIP,
                (run, trip) -> {
                    var flight =
                            run.call(
                                    TaskCall.of(BOOK_FLIGHT, trip)
                                            .compensatedBy(CANCEL_FLIGHT, trip));
                    var hotel =
                            run.async(TaskCall.of(BOOK_HOTEL, trip).compensatedBy(CANCEL_HOTEL));
                    var payment = run.child(PAYMENT, trip);
                    if (trip.price() > 1000) {
                        var question =
                                ApprovalCall.of("May %s fly?".formatted(trip.traveller()))
                                        .within(Duration.ofDays(2));
                        run.requireApproval(question, "not approved");
                    }
                    return new Itinerary(flight, hotel.get(), payment, run.signal(CONFIRMED));
                });
    }

    private ArtelSimulation job(Blueprint blueprint, int price) {
        return ArtelSimulation.of(blueprint)
                .child(PaymentBlueprint.payment())
                .workers(agency)
                .within(Duration.ofDays(3))
                .initialData(
                        JsonObject.builder()
                                .put("traveller", "Ada")
                                .put("to", "Oslo")
                                .put("price", price)
                                .build());
    }

    @Test
    void aTripThatIsDear_needsAPerson() {
        job(trip(), 1480)
                .at(Duration.ofHours(5), ScriptedEvent.decision("approve"))
                .at(Duration.ofHours(9), ScriptedEvent.signal("confirmed", JsonValue.of("4A")))
                .run(1)
                .assertFinished();
        job(trip(), 1480)
                .run(1)
                .assertFailed("not approved")
                .assertAttempts("cancel_flight", 1)
                .assertAttempts("cancel_hotel", 1);
        job(trip(), 400)
                .at(Duration.ofMinutes(1), ScriptedEvent.signal("confirmed", JsonValue.of("4A")))
                .run(1)
                .assertFinished();
    }

    @Test
    void aNewJob_goesTheNewestWay() {
        var fares =
                Blueprint.function(
                        FARE,
                        (run, trip) -> {
                            if (run.version("new-fares", 1, 2) == 1) {
                                // a job that was here before the change
                                return run.call(OLD_FARE, trip);
                            }
                            return run.call(NEW_FARE, trip);
                        });

        job(fares, 400)
                .run(1)
                .assertFinished()
                .assertAttempts("new_fare", 1)
                .assertAttempts("old_fare", 0);
    }

    @Test
    void aHistoryThatWasSaved_fitsTheCode() throws IOException {
        var trip = TripFunction.trip();

        var saved =
                (JsonObject)
                        JsonText.read(
                                Files.readAllBytes(Path.of("src/test/histories/trip-42.json")));
        assertThat(Replay.of(trip, saved)).isInstanceOf(Replay.Fits.class);
    }
}
