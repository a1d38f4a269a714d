package dev.artel.examples.trip;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import org.junit.jupiter.api.Test;

/// The block of `docs/blueprints.md` that builds a blueprint without types.
final class GeneratedBlueprintGuideTest {
    private static ArtelSimulation order(int amount, ScriptedAnswer answer) {
        Blueprint order =
                Blueprint.named("order")
                        .start("check")
                        .when("initial_data.amount > 1000", _ -> Action.transitionTo("apologise"))
                        .otherwise(_ -> Action.transitionTo("reserve"))
                        .leadingTo("reserve", "apologise")
                        .state(
                                "reserve",
                                step ->
                                        Action.dispatch(
                                                TaskSpec.of("reserve_stock", step.initialData()),
                                                Outcomes.on("success", "done")
                                                        .and("sold_out", "apologise")))
                        .leadingTo("done", "apologise")
                        .pure()
                        .end("done")
                        .failedEnd("apologise")
                        .build();
        return ArtelSimulation.of(order)
                .workers(FakeWorker.named("stock").doing("reserve_stock", answer))
                .initialData(JsonObject.of("amount", JsonValue.of(amount)));
    }

    @Test
    void anOrder_isReserved_orRefused() {
        order(3, ScriptedAnswer.success())
                .run(1)
                .assertFinished()
                .assertWentThrough("check", "reserve", "done");
        order(3, ScriptedAnswer.status("sold_out", JsonObject.EMPTY))
                .run(1)
                .assertFailed("apologise");
        order(3000, ScriptedAnswer.success())
                .run(1)
                .assertNeverIn("reserve")
                .assertFailed("apologise");
    }
}
