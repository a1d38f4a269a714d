package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.BOOK_FLIGHT;
import static dev.artel.examples.trip.TripTypes.BOOK_HOTEL;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.ForkCall;
import dev.artel.blueprint.NewRun;
import dev.artel.blueprint.SleepCall;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.Variable;
import dev.artel.examples.trip.TripTypes.Flight;
import dev.artel.examples.trip.TripTypes.Hotel;
import dev.artel.examples.trip.TripTypes.Trip;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The annotated class of `docs/blueprints.md` that forks, sleeps and begins a new run.
final class AnnotatedGuideTest {
    private static final Variable<Integer> MONTHS = Variable.of("months", Integer.class);

    @BlueprintDefinition(name = "monthly", initialData = Trip.class, branchEnds = "booked")
    static final class Monthly {
        @StateHandler(value = "flight", leadsTo = "booked")
        TaskCall<Flight> flight(Trip initialData) {
            return TaskCall.of(BOOK_FLIGHT, initialData);
        }

        @StateHandler(value = "hotel", leadsTo = "booked")
        TaskCall<Hotel> hotel(Trip initialData) {
            return TaskCall.of(BOOK_HOTEL, initialData);
        }

        @StateHandler(
                value = "book",
                start = true,
                branches = {"flight", "hotel"},
                leadsTo = "wait")
        ForkCall book() {
            return ForkCall.of("flight", "hotel");
        }

        @StateHandler(value = "wait", leadsTo = "renew")
        SleepCall hold() {
            return SleepCall.of(Duration.ofDays(30));
        }

        @StateHandler(value = "renew", leadsTo = "book")
        NewRun renew(Step<Trip> step) {
            return NewRun.empty().with(MONTHS, step.get(MONTHS).orElse(0) + 1);
        }
    }

    @Test
    void aTrip_isBookedEachMonth() {
        ArtelSimulation.of(Blueprint.annotated(Monthly.class))
                .workers(FakeWorker.named("agency").doing("book_flight").doing("book_hotel"))
                .initialData(
                        JsonObject.builder()
                                .put("traveller", "Ada")
                                .put("to", "Oslo")
                                .put("price", 400)
                                .build())
                .at(Duration.ofHours(1), ScriptedEvent.clockJump(Duration.ofDays(30)))
                .at(Duration.ofHours(2), ScriptedEvent.clockJump(Duration.ofDays(30)))
                .within(Duration.ofHours(3))
                .run(1)
                .assertAttempts("book_flight", 3)
                .assertAttempts("book_hotel", 3)
                .assertData("months", JsonValue.of(2));
    }
}
