package dev.artel.simulation.card;

import static dev.artel.simulation.card.CardTexts.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.card.Cards;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import org.junit.jupiter.api.Test;

/// A process that goes on with a card that one of its steps has made.
final class ReplanTest {
    private static final String PLAN =
            """
            metadata: {name: tour, version: "1.0.0", spec_version: "2.0"}
            spec:
              variables: {plan: {}}
              steps:
                - {id: walk, action: walk, params: {city: "${input.city}", by: "${plan.by}"}, output: walked}
                - {id: end, type: complete, result: {walked: "${walked}"}}
            """;

    private static final String PLANNER =
            CardTexts.steps(
                    """
                    - {id: think, action: think, output: plan}
                    - {id: go, type: replan, card: '${plan.card}'}
                    """);

    private static ArtelSimulation planned(JsonValue card) {
        return ArtelSimulation.of(Cards.read(PLANNER).orElseThrow())
                .definitions(text -> Cards.read(text, "0.0.0-planned").orElseThrow())
                .initialData(json("{'city':'Oslo'}"))
                .workers(
                        FakeWorker.named("agents")
                                .doing(
                                        "think",
                                        ScriptedAnswer.success(
                                                JsonObject.builder()
                                                        .put("card", card)
                                                        .put("by", "tram")
                                                        .build()))
                                .doing("walk", ScriptedAnswer.computed(params -> params)));
    }

    @Test
    void theProcessGoesOnWithTheCardOfThePlan_withItsInputAndVariables() {
        var job = planned(new JsonString(PLAN)).run(1);

        job.assertFinished().assertWentThrough("think", "go", "walk", "end");
        assertThat(job.outcome().orElseThrow())
                .isEqualTo(
                        new JobOutcome.Finished(
                                Payload.of(json("{'walked':{'city':'Oslo','by':'tram'}}"))));
    }

    @Test
    void aPlanMayBeAValue() {
        planned(
                        json(
                                "{'metadata':{'name':'tour','version':'1'},'spec':{'steps':[{'id':'walk','action':'walk'}]}}"))
                .run(1)
                .assertFinished()
                .assertWentThrough("think", "go", "walk");
    }

    @Test
    void itOutlivesADeathAtEachAppend() {
        assertThat(planned(new JsonString(PLAN)).killedAtEachAppend(1)).isGreaterThan(5);
    }

    @Test
    void whatIsWrongWithThePlan_isAFailureOfTheStep() {
        planned(
                        new JsonString(
                                "metadata: {name: tour, version: '1'}\nspec:\n  steps:\n    - {id: walk, type: fly}"))
                .run(1)
                .assertFailed("step 'go' failed: the card of the plan cannot be run");
    }

    @Test
    void itRunsBesideNothing() {
        var report =
                Cards.read(
                        CardTexts.steps(
                                "- {id: both, type: parallel, branches: [{id: go, type: replan, card: '${input.card}'}]}"));

        assertThat(report.text())
                .contains(
                        "spec.steps.go: it replaces the card of the whole process, and runs beside other steps;"
                                + " put it behind them");
    }
}
