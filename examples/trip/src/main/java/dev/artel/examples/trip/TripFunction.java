package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.BOOK_FLIGHT;
import static dev.artel.examples.trip.TripTypes.BOOK_HOTEL;
import static dev.artel.examples.trip.TripTypes.CANCEL_FLIGHT;
import static dev.artel.examples.trip.TripTypes.CANCEL_HOTEL;
import static dev.artel.examples.trip.TripTypes.CONFIRMED;
import static dev.artel.examples.trip.TripTypes.PAYMENT;
import static dev.artel.examples.trip.TripTypes.REFUND;
import static dev.artel.examples.trip.TripTypes.TRIP;

import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.TaskCall;
import dev.artel.examples.trip.TripTypes.Itinerary;
import dev.artel.examples.trip.TripTypes.Trip;
import java.time.Duration;

/// The trip of [TripBlueprint] as a durable function.
final class TripFunction {
    private TripFunction() {}

    static Blueprint trip() {
        return Blueprint.function(TRIP, TripFunction::book);
    }

    private static Itinerary book(Run<Trip> run, Trip trip) {
        var flight = run.call(TaskCall.of(BOOK_FLIGHT, trip).compensatedBy(CANCEL_FLIGHT, trip));
        var hotel = run.call(TaskCall.of(BOOK_HOTEL, trip).compensatedBy(CANCEL_HOTEL));
        var agreed = ApprovalCall.of(TripTypes.question(trip)).within(Duration.ofDays(2));
        run.requireApproval(agreed, "the trip was not approved");
        var payment = run.child(ChildCall.of(PAYMENT, trip).compensatedBy(REFUND, trip));
        var seat =
                run.signal(CONFIRMED, Duration.ofDays(1))
                        .orElseThrow(() -> new RunFailed("the airline has not confirmed in time"));
        return new Itinerary(flight, hotel, payment, seat);
    }
}
