package dev.artel.examples.trip;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;

/// A trip: what is booked is undone if nobody agrees, if it is not paid, or if somebody cancels the job.
final class TripBlueprint {
    /// What a client submits; `price` in whole euros.
    record Trip(String traveller, String to, int price) {}

    private TripBlueprint() {}

    static Blueprint trip() {
        return Blueprint.named("trip")
                .initialData(Trip.class)
                .start("flight", TripBlueprint::flight)
                .leadingTo("hotel")
                .state("hotel", TripBlueprint::hotel)
                .leadingTo("ask", "cancel_hotel")
                .state("ask", TripBlueprint::ask)
                .leadingTo("pay", "decline")
                .state("decline", _ -> Action.fail("nobody has agreed to the trip"))
                .state("pay", TripBlueprint::pay)
                .leadingTo("confirm", "unpaid")
                .state("unpaid", _ -> Action.fail("the trip could not be paid"))
                .state("confirm", TripBlueprint::confirm)
                .leadingTo("done", "unconfirmed")
                .state("unconfirmed", _ -> Action.fail("the airline has not confirmed in time"))
                .state("done", step -> Action.finish(step.data()))
                .state("cancel_hotel", TripBlueprint::cancelHotel)
                .leadingTo("hotel_cancelled")
                .state("hotel_cancelled", _ -> Action.endBranch())
                .build();
    }

    private static Action flight(Step step) {
        return Action.dispatch(task("book_flight", step), Outcomes.on("success", "hotel"))
                .undoneBy(task("cancel_flight", step));
    }

    /// Undone by a state, which sees the number that the hotel has given by then. Who mends the job may have named another place.
    private static Action hotel(Step step) {
        var trip = step.initialData().with("to", step.value("to").orElse(JsonNull.NULL));
        return Action.dispatch(TaskSpec.of("book_hotel", trip), Outcomes.on("success", "ask"))
                .undoneBy("cancel_hotel");
    }

    private static Action cancelHotel(Step step) {
        var params = JsonObject.of("hotel", step.value("hotel").orElse(JsonNull.NULL));
        return Action.dispatch(
                TaskSpec.of("cancel_hotel", params), Outcomes.on("success", "hotel_cancelled"));
    }

    private static Action ask(Step step) {
        var trip = step.initialDataAs(Trip.class);
        var question =
                "May %s fly to %s for %,d euros?"
                        .formatted(trip.traveller(), trip.to(), trip.price());
        return Action.awaitApproval(
                        question, Outcomes.on("approve", "pay").and("reject", "decline"))
                .within(Duration.ofDays(2), "decline");
    }

    private static Action pay(Step step) {
        return Action.runBlueprint(
                        "payment", step.initialData(), Outcomes.on(Outcomes.FINISHED, "confirm"))
                .otherwise("unpaid")
                .as("payment")
                .undoneBy(task("refund", step));
    }

    private static Action confirm(Step step) {
        return Action.awaitSignal("confirmed", "done").within(Duration.ofDays(1), "unconfirmed");
    }

    private static TaskSpec task(String type, Step step) {
        return TaskSpec.of(type, step.initialData());
    }
}
