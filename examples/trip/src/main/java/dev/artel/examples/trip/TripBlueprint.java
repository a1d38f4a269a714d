package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.BOOK_FLIGHT;
import static dev.artel.examples.trip.TripTypes.BOOK_HOTEL;
import static dev.artel.examples.trip.TripTypes.CANCEL_FLIGHT;
import static dev.artel.examples.trip.TripTypes.CANCEL_HOTEL;
import static dev.artel.examples.trip.TripTypes.CONFIRMED;
import static dev.artel.examples.trip.TripTypes.PAYMENT;
import static dev.artel.examples.trip.TripTypes.REFUND;
import static dev.artel.examples.trip.TripTypes.TRIP;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.Variable;
import dev.artel.examples.trip.TripTypes.Itinerary;
import dev.artel.examples.trip.TripTypes.Trip;
import java.time.Duration;

/// A trip: what is booked is compensated if nobody agrees, if it is not paid, or if somebody cancels the job.
final class TripBlueprint {
    /// Another place, which a person may name who retries or rewinds the job.
    private static final Variable<String> TO = Variable.of("to", String.class);

    private TripBlueprint() {}

    static Blueprint trip() {
        var b = Blueprint.states(TRIP);
        var hotel = b.state("hotel");
        var ask = b.state("ask");
        var decline = b.fail("decline", "the trip was not approved");
        var pay = b.state("pay");
        var unpaid = b.fail("unpaid", "the trip could not be paid");
        var confirm = b.state("confirm");
        var unconfirmed = b.fail("unconfirmed", "the airline has not confirmed in time");
        var done = b.finish("done", TripBlueprint::itinerary);

        b.start("flight")
                .call(BOOK_FLIGHT, Step::input)
                .compensatedBy(CANCEL_FLIGHT, Step::input)
                .then(hotel);
        b.in(hotel)
                .call(BOOK_HOTEL, TripBlueprint::withPlace)
                .compensatedBy(CANCEL_HOTEL)
                .then(ask);
        b.in(ask)
                .approval(step -> TripTypes.question(step.input()))
                .within(Duration.ofDays(2), decline)
                .on(Approval.APPROVE, pay)
                .on(Approval.REJECT, decline);
        b.in(pay)
                .child(PAYMENT, Step::input)
                .compensatedBy(REFUND, Step::input)
                .then(confirm)
                .otherwise(unpaid);
        b.in(confirm).await(CONFIRMED).within(Duration.ofDays(1), unconfirmed).then(done);
        return b.build();
    }

    private static Itinerary itinerary(Step<Trip> step) {
        return new Itinerary(
                step.result(BOOK_FLIGHT),
                step.result(BOOK_HOTEL),
                step.result(PAYMENT),
                step.signal(CONFIRMED));
    }

    private static Trip withPlace(Step<Trip> step) {
        var trip = step.input();
        return new Trip(trip.traveller(), step.get(TO).orElse(trip.to()), trip.price());
    }
}
