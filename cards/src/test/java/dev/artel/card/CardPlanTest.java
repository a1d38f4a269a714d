package dev.artel.card;

import static dev.artel.card.TestCards.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.card.plan.CardPlan;
import dev.artel.card.plan.PlannedStep;
import dev.artel.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What running a card would come to.
final class CardPlanTest {
    private static CardPlan plan(String card, JsonObject input) {
        return Cards.plan(Cards.read(card).orElseThrow(), input);
    }

    private static List<String> ways(List<PlannedStep> steps) {
        return steps.stream()
                .flatMap(step ->
                        step.ways().stream()
                                .map(way -> step.id() + " " + way.when() + " " + way.to()))
                .toList();
    }

    @Test
    void theExampleOfTheFirstFormat_leadsWhereItsTextSays() {
        var plan = Cards.plan(TestCards.file("support-reply.yaml"), json("{'question':'how?'}"));

        assertThat(plan.steps())
                .extracting(step -> step.id() + " " + step.kind())
                .containsExactly(
                        "gather action",
                        "write action",
                        "check action",
                        "gate condition",
                        "rework action",
                        "approve human_checkpoint",
                        "settle wait",
                        "store action",
                        "end complete");
        assertThat(ways(plan.steps()))
                .containsExactly(
                        "gather done write",
                        "write done check",
                        "check done gate",
                        "gate then approve",
                        "gate else rework",
                        "rework done check",
                        "approve done settle",
                        "settle done store",
                        "store done end");
        assertThat(plan.tasks())
                .extracting(task -> task.type() + " " + task.steps())
                .containsExactly(
                        "lookup_facts [gather]",
                        "draft_reply [write]",
                        "grade_reply [check]",
                        "revise_reply [rework]",
                        "save_to_storage [store]");
        assertThat(plan.missingInput()).containsExactly("input.force");
    }

    @Test
    void theExampleOfTheSecondFormat_needsAnotherCard_aJudge_andACompensation() {
        var plan = Cards.plan(TestCards.file("city-guide.yaml"), JsonObject.EMPTY);

        assertThat(plan.subprocesses())
                .containsExactly(new CardPlan.NeededCard("transport-notes", Optional.empty()));
        assertThat(plan.tasks())
                .extracting(task -> task.type() + " " + task.steps())
                .containsExactly(
                        "collect_places [food, sights]",
                        "write_guide [compose]",
                        "quality_check [compose]",
                        "discard_draft [compose]");
        assertThat(plan.steps().get(2).after()).containsExactly("survey", "transport");
        assertThat(plan.budget()).isPresent();
        assertThat(plan.missingInput()).isEmpty();
    }

    @Test
    void theStepsOfACardInsideAStep_areItsBranch_andHaveAnInputOfTheirOwn() {
        var plan =
                Cards.plan(TestCards.file("transport-notes.yaml"), json("{'constraints':['a']}"));

        assertThat(plan.steps().get(1).branches())
                .singleElement()
                .satisfies(inner ->
                        assertThat(inner).extracting(PlannedStep::id).containsExactly("note"));
        assertThat(plan.tasks())
                .extracting(task -> task.type() + " " + task.steps())
                .containsExactly("list_modes [modes]", "describe_mode [each.note]");
        assertThat(plan.missingInput()).containsExactly("input.city");
    }

    @Test
    void theSameTypeWithOtherRequirements_isAnotherTask() {
        var plan =
                plan(
                        TestCards.steps(
                                "- {id: a, action: go}",
                                "- {id: b, action: go, requirements: {constraints: {language: en}}}",
                                "- {id: c, action: go}"),
                        JsonObject.EMPTY);

        assertThat(plan.tasks())
                .extracting(task -> task.type() + " " + task.steps())
                .containsExactly("go [a, c]", "go [b]");
    }

    @Test
    void theLastStepOfABranch_leadsNowhere_andThatOfTheCard_toTheEnd() {
        var plan =
                plan(
                        TestCards.steps(
                                "- {id: all, branches: [[{id: a, action: go}, {id: b, action: go}], {id: c, action: go}]}"),
                        JsonObject.EMPTY);

        assertThat(ways(plan.steps())).containsExactly("all done complete");
        assertThat(ways(plan.steps().getFirst().branches().getFirst())).containsExactly("a done b");
        assertThat(ways(plan.steps().getFirst().branches().getLast())).isEmpty();
    }
}
