package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.CHARGE;
import static dev.artel.examples.trip.TripTypes.LOOK_UP_CHARGE;
import static dev.artel.examples.trip.TripTypes.PAYMENT;
import static dev.artel.examples.trip.TripTypes.REFUND;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.Step;
import java.time.Duration;

/// A payment: a card is charged once. Where nobody knows whether it was, the bank is asked.
final class PaymentBlueprint {
    private PaymentBlueprint() {}

    static Blueprint payment() {
        var b = Blueprint.states(PAYMENT);
        var charge = b.state("charge");
        var look = b.state("look");
        var paid = b.finish("paid", step -> step.result(CHARGE));
        var declined = b.fail("declined", "the card was declined");

        b.start(charge)
                .call(CHARGE, Step::input)
                .notIdempotent()
                .executionTimeout(Duration.ofSeconds(2))
                .compensatedBy(REFUND, Step::input)
                .then(paid)
                .on("declined", declined)
                .onUnknown(look);
        b.in(look).call(LOOK_UP_CHARGE, Step::input).as("charge").then(paid).on("none", charge);
        return b.build();
    }
}
