package dev.artel.examples.trip;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;

/// A payment: a card is charged once. Where nobody knows whether it was, the bank is asked.
final class PaymentBlueprint {
    private PaymentBlueprint() {}

    static Blueprint payment() {
        return Blueprint.named("payment")
                .start("charge", PaymentBlueprint::charge)
                .leadingTo("paid", "declined", "look")
                .state("look", PaymentBlueprint::look)
                .leadingTo("paid", "charge")
                .state("paid", step -> Action.finish(step.data()))
                .state("declined", _ -> Action.fail("the card was declined"))
                .build();
    }

    private static Action charge(Step step) {
        var charge =
                TaskSpec.of("charge", step.initialData())
                        .notIdempotent()
                        .withExecutionTimeout(Duration.ofSeconds(2));
        return Action.dispatch(
                        charge,
                        Outcomes.on("success", "paid")
                                .and("declined", "declined")
                                .and(Outcomes.UNKNOWN, "look"))
                .undoneBy(TaskSpec.of("refund", step.initialData()));
    }

    private static Action look(Step step) {
        return Action.dispatch(
                TaskSpec.of("look_up_charge", step.initialData()),
                Outcomes.on("success", "paid").and("none", "charge"));
    }
}
