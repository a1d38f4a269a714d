package dev.artel.card;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The rules of the format, one after the other, each with what an author reads who breaks it.
final class CardRulesTest {
    private static void assertRefused(String card, String problem) {
        SchemaAgreement.check(card);
        var report = Cards.read(card);
        assertThat(report.card()).isEmpty();
        assertThat(report.text()).isEqualTo(problem);
    }

    private static String withHead(String metadata) {
        return "metadata: {" + metadata + "}\nspec: {steps: [{id: a, action: go}]}\n";
    }

    @Test
    void metadata_isThere() {
        assertRefused(
                "spec: {steps: [{id: a, action: go}]}",
                "1:1: error: 'metadata' is missing: {name: ..., version: ...}");
    }

    @Test
    void spec_isThere_andSteps_belongUnderIt() {
        assertRefused(
                "{metadata: {name: a, version: 1.0.0}, steps: []}",
                "1:1: error: 'spec' is missing: {variables: ..., steps: [...]}; 'steps' belongs under it\n"
                        + "1:39: warning: steps: the key 'steps' is not known and has no effect; there are apiVersion, kind, metadata, spec");
    }

    @Test
    void aCard_hasSteps() {
        assertRefused(
                "{metadata: {name: a, version: 1.0.0}, spec: {}}",
                "1:45: error: spec.steps: there are no steps; a card has at least one");
    }

    @Test
    void types_areRight() {
        assertRefused(
                TestCards.steps("- {id: a, action: go, params: [1]}"),
                "4:35: error: spec.steps.a.params: it must be a mapping, was a list");
    }

    @Test
    void name_andVersion_areThere() {
        assertRefused(
                withHead("name: a"),
                "1:11: error: metadata: 'version' is missing: the version of the card, such as 1.0.0");
        assertRefused(
                withHead("version: 1.0.0"),
                "1:11: error: metadata: 'name' is missing: the name of the process");
    }

    @Test
    void theFormat_isKnown() {
        assertRefused(
                withHead("name: a, version: 1.0.0, spec_version: '1.1'"),
                "1:51: error: metadata.spec_version: the format '1.1' is not supported; there are 1.0 and 2.0");
    }

    /// Trap: without quotes it is a number.
    @Test
    void theFormat_mayBeWrittenWithoutQuotes() {
        assertThat(Cards.read(withHead("name: a, version: 1.0, spec_version: 2.0")).problems())
                .isEmpty();
    }

    @Test
    void namesOfSteps_areThere_andUnique() {
        assertRefused(
                TestCards.steps("- {action: go}"),
                "4:7: error: spec.steps[0]: 'id' is missing: the name of the step, unique in its card");
        assertRefused(
                TestCards.steps("- {id: '', action: go}"),
                "4:12: error: spec.steps[0].id: it is blank; it is the name of the step, unique in its card");
        assertRefused(
                TestCards.steps("- {id: a, action: go}", "- {id: a, action: go}"),
                "5:7: error: spec.steps.a: there are two steps 'a'; give each a name of its own");
    }

    @Test
    void targets_areSteps_orTheEnd() {
        assertRefused(
                TestCards.steps("- {id: a, condition: '${input.x}', then: there, else: complete}"),
                "4:46: error: spec.steps.a: it leads to 'there', and there is no such step here");
        assertRefused(
                TestCards.steps("- {id: a, action: go, depends_on: [there]}"),
                "4:40: error: spec.steps.a: it depends on 'there', and there is no such step here");
    }

    /// Trap: a loop by `next` is no circle of dependencies.
    @Test
    void aLoop_isAllowed() {
        assertThat(
                        Cards.read(
                                        TestCards.steps(
                                                "- {id: a, action: go, output: done}",
                                                "- {id: b, condition: '${done.ok}', then: complete, else: a}"))
                                .problems())
                .isEmpty();
    }

    @Test
    void aStep_isTriedAtMostTenTimes() {
        assertRefused(
                TestCards.steps("- {id: a, action: go, retry: {max_attempts: 11}}"),
                "4:49: error: spec.steps.a.retry.max_attempts: it must be a whole number from 1 to 10, was the number 11");
    }

    @Test
    void variables_areDeclared_byTheCardOrByAnOutput() {
        assertThat(
                        Cards.read(
                                        TestCards.steps(
                                                "- {id: a, action: go, output: found}",
                                                "- {id: b, action: go, params: {x: '${found.x}'}}"))
                                .problems())
                .isEmpty();
        assertRefused(
                TestCards.steps("- {id: a, action: go, params: {x: '${topic}'}}"),
                "4:7: error: spec.steps.a: ${topic} refers to 'topic', which is neither a variable of the card nor the output"
                        + " of a step; declare it under spec.variables, or read ${input.topic}");
    }

    @Test
    void aCard_hasAtMostAHundredSteps_thoseOfBranchesIncluded() {
        var branch =
                IntStream.range(0, 100)
                        .mapToObj(i -> "{id: s" + i + ", action: go}")
                        .collect(Collectors.joining(", "));
        assertRefused(
                TestCards.steps("- {id: all, branches: [[" + branch + "]]}"),
                "4:7: error: spec.steps: a card has at most 100 steps, and this one has 101; move some into a card that a"
                        + " subprocess runs");
    }

    @Test
    void cards_areNestedAtMostTenDeep() {
        var card = "{id: a, action: go}";
        for (var depth = 0; depth < 11; depth++) {
            card = "{id: a, subprocess: {steps: [" + card + "]}}";
        }
        assertThat(Cards.read(TestCards.steps("- " + card)).text())
                .contains("cards are nested too deep; the most is 10");
    }

    @Test
    void subprocesses_areAtMostTenDeep() {
        assertRefused(
                TestCards.spec(
                        "subprocess_config: {max_depth: 11}", "steps: [{id: a, action: go}]"),
                "3:34: error: spec.subprocess_config.max_depth: it must be a whole number from 0 to 10, was the number 11");
    }

    @Test
    void dependencies_haveNoCircle() {
        assertRefused(
                TestCards.steps(
                        "- {id: a, action: go, depends_on: [c]}",
                        "- {id: b, action: go, depends_on: [a]}",
                        "- {id: c, action: go, depends_on: [b]}"),
                "4:7: error: spec.steps.a: it depends on itself over other steps; break the circle (CYCLE_DETECTED)");
    }
}
