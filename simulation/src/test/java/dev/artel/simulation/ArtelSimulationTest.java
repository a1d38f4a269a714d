package dev.artel.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Unfit;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArtelSimulationTest {
    private static final FakeWorker PRINTER =
            FakeWorker.named("printer")
                    .doing(
                            "print",
                            ScriptedAnswer.failure("no paper"),
                            ScriptedAnswer.success(JsonObject.of("pages", JsonValue.of(3L))));

    record Paper(String title) {}

    private static Blueprint printing() {
        return Blueprint.named("printing")
                .start(
                        "print",
                        step ->
                                Action.dispatch(
                                        TaskSpec.of("print", step.initialData()),
                                        Outcomes.on("success", "printed")))
                .leadingTo("printed")
                .end("printed")
                .build();
    }

    private static Blueprint asking() {
        return Blueprint.named("asking")
                .start(
                        "ask",
                        _ ->
                                Action.awaitApproval(
                                                "may it be?",
                                                Outcomes.on("yes", "done").and("no", "refused"))
                                        .within(Duration.ofHours(8), "refused"))
                .leadingTo("done", "refused")
                .end("done")
                .failedEnd("refused")
                .build();
    }

    @Test
    void aJobGoesItsWay_withItsOwnHandlers() {
        ArtelSimulation.of(printing())
                .workers(PRINTER)
                .run(1)
                .assertFinished()
                .assertWentThrough("print", "printed")
                .assertData("pages", JsonValue.of(3L))
                .assertAttempts("print", 2)
                .assertTookAtMost(Duration.ofSeconds(10));
    }

    @Test
    void theSameSeed_takesTheSameCourse() {
        var simulation =
                ArtelSimulation.of(printing())
                        .workers(PRINTER, FakeWorker.named("other").doing("print"))
                        .faults(Trait.ORCHESTRATOR_CRASHES, Trait.MESSAGES_LOST);

        assertThat(simulation.run(5).story()).isEqualTo(simulation.run(5).story());
    }

    @Test
    void differentSeeds_takeDifferentCourses() {
        var simulation =
                ArtelSimulation.of(printing())
                        .workers(PRINTER, FakeWorker.named("other").doing("print"))
                        .faults(Trait.MESSAGES_DELAYED);
        var stories = new LinkedHashSet<String>();

        simulation.runs(1, 5, job -> stories.add(job.story()));

        assertThat(stories).hasSizeGreaterThan(1);
    }

    @Test
    void whateverFails_theJobFinishes() {
        ArtelSimulation.of(printing())
                .workers(PRINTER, FakeWorker.named("other").doing("print"))
                .faults(
                        Trait.ORCHESTRATOR_CRASHES,
                        Trait.MESSAGES_LOST,
                        Trait.MESSAGES_DOUBLED,
                        Trait.HANDLERS_FAIL)
                .runs(1, 20, SimulatedJob::assertFinished);
    }

    @Test
    void theDispatchersReason_canBeAskedFor() {
        var job =
                ArtelSimulation.of(printing())
                        .workers(
                                FakeWorker.named("dear").doing("print").costing(5),
                                FakeWorker.named("cheap").doing("print").costing(1))
                        .run(1);

        job.assertPlaced("print").on("cheap").because("cheapest");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> job.assertPlaced("print").on("dear"))
                .withMessageContaining("should have gone to dear, and went to cheap")
                .withMessageContaining("seed 1");
    }

    @Test
    void aTaskThatNoWorkerIsFitFor_waits() {
        var demanding =
                Blueprint.named("demanding")
                        .start(
                                "print",
                                _ ->
                                        Action.dispatch(
                                                TaskSpec.of("print", JsonObject.EMPTY)
                                                        .demanding(it -> it.label("zone", "eu")),
                                                Outcomes.on("success", "printed")))
                        .leadingTo("printed")
                        .end("printed")
                        .build();
        var printer = FakeWorker.named("printer").doing("print");

        var job =
                ArtelSimulation.of(demanding)
                        .workers(printer.label("zone", "us"))
                        .within(Duration.ofHours(1))
                        .run(1);

        assertThat(job.outcome()).isEmpty();
        assertThat(job.attempts("print")).isZero();
        ArtelSimulation.of(demanding).workers(printer.label("zone", "eu")).run(1).assertFinished();
    }

    @Test
    void aWorkerThatDies_losesItsTaskToAnother() {
        var job =
                ArtelSimulation.of(printing())
                        .workers(
                                FakeWorker.named("weak")
                                        .doing("print", ScriptedAnswer.crash(Duration.ofHours(1)))
                                        .costing(1),
                                FakeWorker.named("strong").doing("print").costing(9))
                        .run(1);

        job.assertFinished().assertPlaced("print").on("strong");
        assertThat(job.attempts("print")).isGreaterThan(1);
    }

    @Test
    void somebodyDecides_orTimeDoes() {
        var simulation = ArtelSimulation.of(asking());

        simulation
                .at(Duration.ofHours(2), ScriptedEvent.decision("yes"))
                .run(1)
                .assertFinished()
                .assertTookAtMost(Duration.ofHours(3));
        simulation.run(1).assertFailed("refused").assertNeverIn("done");
    }

    @Test
    void aWorkerAsks_andSomebodyAnswers_orNobodyDoes() {
        var simulation =
                ArtelSimulation.of(printing())
                        .workers(
                                FakeWorker.named("curious")
                                        .doing(
                                                "print",
                                                ScriptedAnswer.asking(
                                                        "Which paper?",
                                                        List.of("white", "blue"),
                                                        paper ->
                                                                paper.equals("white")
                                                                        ? ScriptedAnswer.success()
                                                                        : ScriptedAnswer
                                                                                .permanentFailure(
                                                                                        "no blue"))));

        simulation
                .at(Duration.ofHours(2), ScriptedEvent.answer("white"))
                .run(1)
                .assertFinished()
                .assertAttempts("print", 1);
        simulation
                .at(Duration.ofHours(2), ScriptedEvent.answer("blue"))
                .run(1)
                .assertQuarantined("no blue");
        assertThat(simulation.run(1).outcome()).isEmpty();
    }

    @Test
    void whatNobodyWillEverAnswer_isNotWaitedFor() {
        var waiting =
                Blueprint.named("waiting")
                        .start("wait", _ -> Action.awaitSignal("go", "done"))
                        .leadingTo("done")
                        .end("done")
                        .build();

        var job = ArtelSimulation.of(waiting).run(1);

        assertThat(job.outcome()).isEmpty();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(job::assertFinished)
                .withMessageContaining("has not ended and waits for [AwaitSignal")
                .withMessageContaining("state wait");
    }

    @Test
    void aHandlerThatThrows_bringsItsJobToQuarantine() {
        var broken =
                Blueprint.named("broken")
                        .start(
                                "begin",
                                _ -> {
                                    throw new IllegalStateException("out of order");
                                })
                        .leadingTo("done")
                        .end("done")
                        .build();

        ArtelSimulation.of(broken).run(1).assertQuarantined("out of order");
    }

    @Test
    void theFirstSeedThatIsNotAsExpected_isReported() {
        var simulation =
                ArtelSimulation.of(printing())
                        .workers(
                                FakeWorker.named("moody")
                                        .doing(
                                                "print",
                                                ScriptedAnswer.sometimes(
                                                        0.5,
                                                        ScriptedAnswer.success(),
                                                        ScriptedAnswer.failure("no paper"))));

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> simulation.runs(1, 50, job -> job.assertAttempts("print", 1)))
                .withMessageContaining("is the first of 1 to 50 that is not as expected")
                .withMessageContaining("job key-1");
    }

    @Test
    void aFeature_isNoFault() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArtelSimulation.of(printing()).faults(Trait.FAN_OUT))
                .withMessageContaining("FAN_OUT is no fault");
    }

    @Test
    void initialDataThatTheBlueprintRefuses_areRefusedHere() {
        var strict =
                Blueprint.named("strict")
                        .initialData(Paper.class)
                        .start("begin", _ -> Action.transitionTo("done"))
                        .leadingTo("done")
                        .end("done")
                        .build();

        assertThatExceptionOfType(Unfit.class)
                .isThrownBy(() -> ArtelSimulation.of(strict).run(1))
                .withMessageContaining("title");
    }

    @Test
    void anOrchestratorThatIsKilledAtAnyAppend_makesNoDifference() {
        var kills = ArtelSimulation.of(printing()).workers(PRINTER).killedAtEachAppend(1);

        assertThat(kills).isGreaterThan(8);
    }
}
