package dev.artel.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Strategy;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.protocol.Resources;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// The tasks of `docs/limits.md` and `docs/placement.md`: a worker that is fit for them gets them.
final class DispatchGuidesTest {
    private static TaskSpec limited(Step step) {
        return TaskSpec.of("describe", step.data())
                .limitedBy("gpu-hours") // what limits.toml sets for the key
                .limitedBy("tenant:42", 3) // at most 3 with workers at once
                .limitedBy(
                        "mail", new Rate(10, Duration.ofSeconds(1), 20)); // 10 a second, 20 at once
    }

    private static TaskSpec demanding(Step step) {
        return TaskSpec.of("describe", step.data())
                .demanding(d ->
                        d.amount("ram_gb", 24) // at least; or cpu_cores, or any other
                                .gpu("A100", 40) // part of the model's name, GB
                                .model("llama") // is installed
                                .label("zone", "eu") // or Selector.notIn, exists, absent
                                .atMost(0.50) // cost of the task
                                .inCategory("gpu") // counts against its limit there
                                .by(Strategy.CHEAPEST)
                                .preferWarmFor(Duration.ofSeconds(5)) // or onlyWarm()
                                .sameWorkerAs(0) // that of task 0; or near(0)
                                .afterFailure(Exclusion.NEVER_AGAIN));
    }

    private static ArtelSimulation jobOf(Function<Step, TaskSpec> describe) {
        return ArtelSimulation.of(
                        Blueprint.named("pictures")
                                .start(
                                        "look",
                                        step ->
                                                Action.dispatch(
                                                        TaskSpec.of("look", step.data()),
                                                        Outcomes.on("success", "describe")))
                                .leadingTo("describe")
                                .state(
                                        "describe",
                                        step ->
                                                Action.dispatch(
                                                        describe.apply(step),
                                                        Outcomes.on("success", "end")))
                                .leadingTo("end")
                                .end("end")
                                .build())
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
