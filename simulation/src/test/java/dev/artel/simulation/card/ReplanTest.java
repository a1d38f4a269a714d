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

    /// Trap: who wrote the plan is nobody who may have secrets, often a language model.
    @Test
    void aPlanThatNamesSecrets_isAFailureOfTheStep() {
        planned(
                        json(
                                "{'metadata':{'name':'tour','version':'1'},'spec':{'steps':[{'id':'walk','action':'http_request','params':{'url':'https://x/${secret.KEY}'}}]}}"))
                .run(1)
                .assertFailed("the card of the plan names secrets (KEY)");
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

    private static ArtelSimulation planned(String allow, String steps) {
        var card = "metadata: {name: tour, version: '1'}\nspec:\n  steps:\n" + steps.indent(4);
        var planner =
                CardTexts.steps(
                        """
                        - {id: think, action: think, output: plan}
                        - {id: go, type: replan, card: '${plan.card}'%s}
                        """
                                .formatted(allow));
        return ArtelSimulation.of(Cards.read(planner).orElseThrow())
                .definitions(text -> Cards.read(text, "0.0.0-planned").orElseThrow())
                .workers(
                        FakeWorker.named("agents")
                                .doing(
                                        "think",
                                        ScriptedAnswer.success(
                                                JsonObject.of("card", new JsonString(card))))
                                .doing("walk", ScriptedAnswer.computed(params -> params))
                                .doing("file_storage", ScriptedAnswer.computed(it -> it))
                                .doing("http_request", ScriptedAnswer.computed(it -> it)));
    }

    /// Trap: a client or a model writes a card that reads the files of all clients, or reaches hosts that only the orchestrator can.
    @Test
    void aCardOfForeignText_hasNoActionsThatReachOutside_unlessTheStepAllowsThem() {
        var fetch = "- {id: fetch, action: http_request}";
        var list = "- {id: list, action: file_storage}";
        var hidden =
                """
                - id: both
                  type: parallel
                  branches:
                    - {id: look, action: walk, compensation: {action: file_storage}}
                    - {id: inner, subprocess: {steps: [{id: fetch, action: http_request}]}}
                """;

        planned("", fetch)
                .run(1)
                .assertFailed(
                        "spec.steps.fetch: the action 'http_request' is not allowed in a card of the step 'go';"
                                + " its author allows it with allow: {actions: [http_request]}");
        planned("", list).run(1).assertFailed("the action 'file_storage' is not allowed");
        planned("", hidden)
                .run(1)
                .assertFailed("the action 'http_request' is not allowed")
                .assertFailed("the action 'file_storage' is not allowed");
        planned(", allow: {actions: [file_storage]}", fetch)
                .run(1)
                .assertFailed("the action 'http_request' is not allowed");
        planned(", allow: {actions: [http_request]}", fetch)
                .run(1)
                .assertFinished()
                .assertWentThrough("think", "go", "fetch");
    }

    @Test
    void aCardOfForeignText_hasTheTaskTypesThatTheStepAllows() {
        var walk = "- {id: walk, action: walk}";

        planned(", allow: {task_types: [run, fly_*]}", walk)
                .run(1)
                .assertFailed(
                        "the task type 'walk' is not allowed in a card of the step 'go';"
                                + " its author allows it with allow: {task_types: [walk]}");
        planned(", allow: {task_types: ['wa*']}", walk).run(1).assertFinished();
    }

    @Test
    void aCardOfForeignText_runsNoOtherCards_unlessTheStepAllowsThem() {
        var other = "- {id: sub, type: subprocess, subprocess_ref: payments}";

        planned("", other)
                .run(1)
                .assertFailed(
                        "it runs the subprocess 'payments', which the step 'go' does not allow;"
                                + " its author allows all with allow: {subprocesses: true}");
    }

    /// Trap: a card of foreign text plans again, and allows itself what its step did not.
    @Test
    void aCardThatPlansAgain_allowsNoMoreThanTheStepOfItsOwn() {
        planned("", "- {id: again, type: replan, card: x, allow: {actions: [http_request]}}")
                .run(1)
                .assertFailed("spec.steps.again.allow: it allows more than the step 'go' does");
        planned(
                        ", allow: {task_types: [walk]}",
                        "- {id: again, type: replan, card: x, allow: {task_types: ['w*']}}")
                .run(1)
                .assertFailed("spec.steps.again.allow: it allows more");
        planned(
                        ", allow: {actions: [http_request], task_types: [walk, 'w_*']}",
                        "- {id: again, type: replan, card: x, allow: {task_types: [walk, w_1, 'w_a*']}}")
                .run(1)
                .assertFailed("the card of the plan cannot be run");
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
