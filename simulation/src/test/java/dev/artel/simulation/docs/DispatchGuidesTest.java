package dev.artel.simulation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.CallTask;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.StateRef;
import dev.artel.blueprint.States;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskType;
import dev.artel.blueprint.WorkerDemand;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.protocol.Resources;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/// The tasks of `docs/limits.md` and `docs/placement.md`: a worker that is fit for them gets them.
final class DispatchGuidesTest {
    record Page(String url) {}

    private static final BlueprintType<Page, Nothing> PICTURES =
            BlueprintType.of("pictures", Page.class);
    private static final TaskType<Page, Nothing> LOOK = TaskType.of("look", Page.class);
    private static final TaskType<Page, Nothing> DESCRIBE = TaskType.of("describe", Page.class);

    private static CallTask<Page, Page, Nothing> limited(
            States<Page, Nothing> b, StateRef describe) {
        return b.in(describe)
                .call(DESCRIBE, Step::input)
                .limitedBy("gpu-hours") // what limits.toml sets for the key
                .limitedBy("tenant:42", 3) // at most 3 with workers at once
                .limitedBy("mail", 10, Duration.ofSeconds(1), 20); // 10 a second, 20 at once
    }

    private static CallTask<Page, Page, Nothing> demanding(
            States<Page, Nothing> b, StateRef describe) {
        return b.in(describe)
                .call(DESCRIBE, Step::input)
                .requiring(it ->
                        it.amount("ram_gb", 24) // at least; or cpu_cores, or any other
                                .gpu("A100", 40) // part of the model's name, GB
                                .model("llama") // is installed
                                .label("zone", "eu") // or labelNot, labelled, notLabelled
                                .atMost(0.50) // cost of the task
                                .inCategory("gpu") // counts against its limit there
                                .by(WorkerDemand.Choice.CHEAPEST)
                                .preferWarmFor(Duration.ofSeconds(5)) // or onlyWarm()
                                .sameWorkerAs(0) // that of task 0; or near(0)
                                .neverAgainAfterFailure()); // or sameAfterFailure()
    }

    private static ArtelSimulation jobOf(
            BiFunction<States<Page, Nothing>, StateRef, CallTask<Page, Page, Nothing>> describing) {
        var b = Blueprint.states(PICTURES);
        var describe = b.state("describe");
        var end = b.finish("end", _ -> new Nothing());
        b.start("look").call(LOOK, Step::input).then(describe);
        describing.apply(b, describe).then(end);
        return ArtelSimulation.of(b.build())
                .initialData(JsonObject.of("url", JsonValue.of("https://example.org")))
                .within(Duration.ofMinutes(10));
    }

    /// A worker that meets each demand of the guide.
    private static FakeWorker fit(String name) {
        return FakeWorker.named(name)
                .doing("look")
                .doing("describe")
                .resources(new Resources(8.0, 24.0, List.of(new Resources.Gpu("NVIDIA A100", 40))))
                .models("llama")
                .label("zone", "eu")
                .costing(0.4);
    }

    @Test
    void aTaskWithLimits_isDone() {
        jobOf(DispatchGuidesTest::limited).workers(fit("gpu-1")).run(1).assertFinished();
    }

    @Test
    void aTaskWithDemands_goesToTheWorkerThatMeetsAll() {
        jobOf(DispatchGuidesTest::demanding)
                .workers(fit("gpu-1"))
                .run(1)
                .assertFinished()
                .assertPlaced("describe")
                .on("gpu-1");
    }

    @Test
    void aTaskWithDemands_waitsWhereNoWorkerMeetsAll() {
        assertThat(
                        jobOf(DispatchGuidesTest::demanding)
                                .workers(fit("gpu-1").costing(0.6))
                                .run(1)
                                .attempts("describe"))
                .isZero();
        assertThat(
                        jobOf(DispatchGuidesTest::demanding)
                                .workers(fit("gpu-1").label("zone", "us"))
                                .run(1)
                                .attempts("describe"))
                .isZero();
    }
}
