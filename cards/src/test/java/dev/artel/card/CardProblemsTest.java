package dev.artel.card;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is wrong with cards, with its place.
final class CardProblemsTest {
    private static void assertProblems(String card, String... problems) {
        SchemaAgreement.check(card);
        var report = Cards.read(card);
        assertThat(report.problems()).extracting(CardProblem::toString).containsExactly(problems);
        assertThat(report.card().isPresent())
                .isEqualTo(report.problems().stream().noneMatch(CardProblem::isError));
    }

    @Test
    void allProblemsAreInOneReport_inTheOrderOfTheText() {
        assertProblems(
                """
                metadata: {name: 'my card', version: one, spec_version: 3.0}
                spec:
                  variables: {input: 1}
                  steps:
                    - {id: a, action: go, tiemout: 5, retry: {max_attempts: 11}}
                """,
                "1:18: warning: metadata.name: the card is known as 'my-card': letters, digits, '-', '_' and '.'",
                "1:38: error: metadata.version: it must be like 1.0 or 1.2.3, was 'one'",
                "1:57: error: metadata.spec_version: the format '3.0' is not supported; there are 1.0 and 2.0",
                "3:22: error: spec.variables.input: the name is taken: the orchestrator sets 'input' itself",
                "5:27: warning: spec.steps.a.tiemout: the key 'tiemout' is not known and has no effect; did you mean"
                        + " 'timeout'?",
                "5:61: error: spec.steps.a.retry.max_attempts: it must be a whole number from 1 to 10, was the number 11");
        assertProblems(
                """
                metadata: {name: card, version: 1.0}
                spec:
                  variables: {input: 1}
                  steps:
                    - {id: a, action: go, tiemout: 5, retry: {max_attempts: 11}, next: c}
                    - {id: b, type: complte, result: {x: 1}}
                    - {id: b, action: go, params: {x: '${y}'}}
                """,
                "3:22: error: spec.variables.input: the name is taken: the orchestrator sets 'input' itself",
                "5:27: warning: spec.steps.a.tiemout: the key 'tiemout' is not known and has no effect; did you mean"
                        + " 'timeout'?",
                "5:61: error: spec.steps.a.retry.max_attempts: it must be a whole number from 1 to 10, was the number 11",
                "5:72: error: spec.steps.a: it leads to 'c', and there is no such step here; did you mean 'a'?",
                "6:21: error: spec.steps.b.type: there is no type 'complte'; did you mean 'complete'?",
                "7:7: error: spec.steps.b: ${y} refers to 'y', which is neither a variable of the card nor the output of a step; declare it under"
                        + " spec.variables, or read ${input.y}");
    }

    @Test
    void aCardWithoutVersionOrName_isReportedTogetherWithItsOtherProblems() {
        var steps = "spec:\n  steps: [{id: a, action: go, next: c}]\n";

        assertThat(Cards.read("metadata: {name: card}\n" + steps).text())
                .contains("metadata: 'version' is missing")
                .contains("it leads to 'c', and there is no such step here");
        assertThat(Cards.read("metadata: {version: 1.0.0}\n" + steps).text())
                .contains("metadata: 'name' is missing")
                .contains("it leads to 'c', and there is no such step here");
        assertThat(Cards.read(steps).text())
                .contains("'metadata' is missing")
                .contains("it leads to 'c', and there is no such step here");
        assertThat(
                        Cards.read("metadata: {name: card}\nspec: {steps: [{id: a, action: go}]}")
                                .card())
                .isEmpty();
    }

    @Test
    void whatIsNoYaml_isRefusedWithItsPlace() {
        assertProblems("", "1:1: error: the card is empty; it needs 'metadata' and 'spec'");
        assertProblems(
                "- a",
                "1:1: error: a card is a mapping with 'metadata' and 'spec', and this is a list");
        assertThat(Cards.read("metadata: {name: a\nspec: [").text())
                .contains("error: this is no YAML: while parsing a flow mapping");
        assertProblems(
                TestCards.steps("- {id: a, action: go, action: stop}"),
                "4:27: error: the key 'action' is there twice, first in line 4; remove one of the two");
        assertProblems(
                TestCards.steps("- {id: a, action: !!java.net.URL 'x'}"),
                "4:23: error: the tag 'tag:yaml.org,2002:java.net.URL' is not allowed: a card has plain values alone;"
                        + " remove it");
    }

    @Test
    void aBombOfAnchors_isRefused() {
        var bomb =
                "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
                        + IntStream.range(1, 9)
                                .mapToObj(i ->
                                        "a"
                                                + i
                                                + ": &a"
                                                + i
                                                + " ["
                                                + IntStream.range(0, 10)
                                                        .mapToObj(_ -> "*a" + (i - 1))
                                                        .collect(Collectors.joining(","))
                                                + "]")
                                .collect(Collectors.joining("\n"));

        assertThat(Cards.read(bomb).text())
                .contains(
                        "the text has more than 100000 values, those of repeated anchors included");
        assertThat(Cards.read("a: &a [*a]").text())
                .contains("an anchor contains itself; write the value out");
        assertThat(Cards.read("[".repeat(5_000)).text()).contains("error: ");
    }

    /// Trap: 130 KB of a card stand for a gigabyte of text.
    @Test
    void aTextThatIsRepeatedByAnchors_isCountedAsOftenAsItIsThere() {
        var card = "a: &a '%s'\nb: [%s]".formatted("x".repeat(50_000), "*a ,".repeat(20_000));

        assertThat(Cards.read(card).text())
                .contains(
                        "its values have more than 4194304 characters, those of repeated anchors included");
    }

    private static String numbered(String each) {
        return IntStream.range(0, 2_000).mapToObj(each::formatted).collect(Collectors.joining(","));
    }

    /// Trap: a card of 91 KB takes seconds, since each unknown name is compared with all others, letter by letter.
    @Test
    void ofManyUnknownReferences_theFirstHaveASuggestion() {
        var card =
                TestCards.spec(
                        "variables: {near: 1, %s}".formatted(numbered("v%dlong: 1")),
                        "steps: [{id: a, type: complete, result: ['${naer}', %s, '${naer.b}']}]"
                                .formatted(numbered("'${w%d}'")));

        var problems = Cards.read(card).problems();

        assertThat(problems).hasSize(200);
        assertThat(problems.getFirst().suggestion()).contains("near");
        assertThat(problems.stream().filter(each -> each.suggestion().isPresent()))
                .hasSizeLessThanOrEqualTo(20);
    }

    /// Trap: an error behind many warnings is dropped with those that nobody reads, and the card is run.
    @Test
    void anErrorBehindManyWarnings_isReported_andTheCardIsNotRun() {
        var card =
                """
                metadata: {name: test, version: 1.0.0}
                spec:
                  steps:
                    - {id: a, action: go, params: {x: '${none}'}, %s}
                """
                        .formatted(numbered("k%d: 1"));

        var report = Cards.read(card);

        assertThat(report.problems()).hasSize(200);
        assertThat(report.problems().stream().filter(CardProblem::isError))
                .singleElement()
                .asString()
                .contains("${none} refers to 'none'");
        assertThat(report.card()).isEmpty();
    }

    /// Trap: each of many problems, and each value, repeats the megabyte in which it stands.
    @Test
    void placesAndMessages_areShortened() {
        var name = "k".repeat(1_000);
        var card =
                """
                metadata: {name: test, version: 1.0.0}
                spec:
                  steps: [{id: a, action: go, params: %s[%s]%s}]
                """
                        .formatted(
                                ("{" + name + ": ").repeat(60),
                                numbered("'${none%d + " + name + "}'"),
                                "}".repeat(60));

        assertThat(Cards.read(card).problems())
                .hasSize(200)
                .allSatisfy(each -> assertThat(each.toString()).hasSizeLessThan(3_000));
    }

    /// Trap: a text of a megabyte, with 250,000 references, takes thirty megabytes each time that it is read.
    @Test
    void moreReferencesThanACardMayHave_areRefused_thoseOfAnchorsIncluded() {
        var steps = "steps:\n  - {id: a, type: complete, result: [&r '%s', *r , *r ]}";
        assertThat(
                        Cards.read(TestCards.spec(steps.replace("%s", "${input.a}".repeat(6_666))))
                                .text())
                .isEmpty();
        assertThat(
                        Cards.read(TestCards.spec(steps.replace("%s", "${input.a}".repeat(6_667))))
                                .text())
                .contains(
                        "the card has 20001 references, those of repeated anchors included; the most is 20000");
    }

    @Test
    void aCardOfForeignText_thatWouldTakeTooMuchMemory_isRefusedBeforeItIsCompiled() {
        var condition = "${input.a} == 1 || ".repeat(120) + "true";
        var steps =
                IntStream.range(0, 90)
                        .mapToObj(i ->
                                "  - {id: c%d, type: condition, condition: '%s', then: end}"
                                        .formatted(i, condition))
                        .collect(Collectors.joining("\n"));
        var card = TestCards.spec("steps:\n" + steps + "\n  - {id: end, type: complete}");

        assertThat(Cards.readForeign(card).text())
                .contains("error: spec: the card would take about")
                .contains("for one that a job brings along");
        assertThat(
                        Cards.readForeign(TestCards.spec("steps:", "  - {id: end, type: complete}"))
                                .text())
                .isEmpty();
    }

    @Test
    void anAnchorThatIsSmall_isAllowed() {
        assertProblems(
                TestCards.spec(
                        "variables: {a: &a {x: 1}, b: *a}",
                        "steps:",
                        "  - {id: end, type: complete, result: '${b.x}'}"));
    }

    @Test
    void aVersionWithoutQuotes_isWhatIsWritten() {
        assertProblems(
                """
                metadata: {name: card, version: 1.10, spec_version: 2.0}
                spec:
                  steps: [{id: end, type: complete}]
                """);
        assertThat(
                        Cards.read(
                                        "{\"metadata\": {\"name\": \"json\", \"version\": 1.10}, \"spec\": {\"steps\":"
                                                + " [{\"id\": \"end\", \"type\": \"complete\"}]}}")
                                .orElseThrow()
                                .version())
                .isEqualTo("1.10");
    }

    @Test
    void notationsOfOtherSystems_areRefusedWithTheirTranslation() {
        assertProblems(
                TestCards.steps(
                        "- {id: a, action: go, params: {x: '{{ steps.draft.output.text }}', y: '${{ inputs.x }}', z: '${ x"
                                + " }', u: '${x[0]}', v: '${}', w: 'a ${x'}}"),
                "4:39: error: spec.steps.a.params.x: '{{ steps.draft.output.text }}' is the notation of another system;"
                        + " write ${draft.text}",
                "4:75: error: spec.steps.a.params.y: '${{ ... }}' is the notation of another system; write ${name.member}",
                "4:97: error: spec.steps.a.params.z: '${ x }' has blanks; write ${x}",
                "4:110: error: spec.steps.a.params.u: '${x[0]}' has an index; a reference has names of members alone",
                "4:124: error: spec.steps.a.params.v: '${}' names nothing; write ${name} or ${name.member}",
                "4:134: error: spec.steps.a.params.w: '${x' has no closing '}'");
    }

    @Test
    void circles_areRefused() {
        assertProblems(
                TestCards.steps(
                        "- {id: a, action: go, depends_on: [b]}",
                        "- {id: b, action: go, depends_on: [a]}"),
                "4:7: error: spec.steps.a: it depends on itself over other steps; break the circle (CYCLE_DETECTED)");
        assertProblems(
                TestCards.steps("- {id: a, action: go, depends_on: [a]}"),
                "4:7: error: spec.steps.a: it depends on itself over other steps; break the circle (CYCLE_DETECTED)",
                "4:40: error: spec.steps.a: it depends on itself");
    }

    @Test
    void stepsOrderedByDependencies_haveNoOtherOrder() {
        assertProblems(
                TestCards.steps(
                        "- {id: a, action: go, next: c}",
                        "- {id: b, action: go, depends_on: [a]}",
                        "- {id: c, type: complete}"),
                "4:7: error: spec.steps.a: it is among steps that depends_on orders, and has an order of its own"
                        + " (condition, complete or next); put it before or behind them");
    }

    @Test
    void aStepThatNothingLeadsTo_isLeftOut() {
        assertProblems(
                TestCards.steps(
                        "- {id: a, action: go, next: c}",
                        "- {id: b, action: go}",
                        "- {id: c, type: complete}"),
                "5:7: warning: spec.steps.b: no step leads to it; it is left out");
    }

    @Test
    void aCardOfTooManySteps_isRefused() {
        assertThat(
                        Cards.read(
                                        TestCards.steps(
                                                IntStream.range(0, 101)
                                                        .mapToObj(i ->
                                                                "- {id: s" + i + ", action: go}")
                                                        .toArray(String[]::new)))
                                .text())
                .isEqualTo(
                        "4:7: error: spec.steps: a card has at most 100 steps, and this one has 101; move some into a card"
                                + " that a subprocess runs");
    }

    @Test
    void whatAStepNeeds_isAskedFor() {
        assertProblems(
                TestCards.steps(
                        "- {id: a}",
                        "- {id: 'b c', action: go}",
                        "- {id: c, condition: '${input.x} = 1', then: a}",
                        "- {id: d, type: wait}",
                        "- {id: e, type: wait, event: 'no way'}",
                        "- {id: f, type: subprocess}",
                        "- {id: g, type: subprocess_loop, subprocess_ref: x}",
                        "- {id: h, type: parallel}",
                        "- {id: i, duration: soon}",
                        "- {id: j, type: human_checkpoint}"),
                "4:7: error: spec.steps.a: it is not clear what this step does; give it a type, or one of action,"
                        + " condition, branches, subprocess_ref, event, duration, message, result",
                "5:12: error: spec.steps[1].id: the name of a step has 1 to 50 letters, digits, '-' or '_', was 'b c'",
                "6:26: error: spec.steps.c.condition: '=' has no meaning in a condition; there are == != >= <= && || > < ! ("
                        + " ) (at character 12)",
                "7:7: error: spec.steps.d: a wait has one of 'event' and 'duration'",
                "8:34: error: spec.steps.e.event: the name of an event has 1 to 100 letters, digits, '-', '_' or '.', was"
                        + " 'no way'",
                "9:7: error: spec.steps.f: a subprocess has one of 'subprocess_ref' (a card) and 'subprocess' (its steps)",
                "10:7: error: spec.steps.g: 'loop' is missing: {count: 3} or {from_variable: items}",
                "11:7: error: spec.steps.h: 'branches' is missing: the steps that run at the same time",
                "12:25: error: spec.steps.i.duration: it must be a time: seconds, or a text such as 500ms, 5s, 10m, 1h30m"
                        + " or 7d, up to 36500 days, was the text 'soon'",
                "13:7: error: spec.steps.j: 'message' is missing: what a person is to decide");
    }

    /// Trap: the number is written without its power, or is a text of digits: each takes tens of seconds.
    @Test
    void numbersWithoutMeasure_areRefusedAtOnce() {
        for (var amount :
                List.of("1e-640000000", "1e640000000", "\"" + "1".repeat(900_000) + "\"")) {
            assertThat(firstProblem("max_cost_usd: " + amount))
                    .startsWith("3:26: error: spec.budget.max_cost_usd: it must be an amount");
        }
        for (var number : List.of("1".repeat(900_000), "0x" + "f".repeat(900_000))) {
            assertThat(firstProblem("max_tokens: " + number))
                    .contains("a number has at most 1000 characters, and this one has 90000");
        }
    }

    private static String firstProblem(String limit) {
        return Cards.read(
                        """
                        metadata: {name: test, version: 1.0.0, spec_version: '2.0'}
                        spec:
                          budget: {%s}
                          steps:
                            - {id: end, type: complete}
                        """
                                .formatted(limit))
                .problems()
                .getFirst()
                .toString();
    }

    @Test
    void aBudgetThatIsNone_isRefused_andWhatHasNoEffectIsNamed() {
        assertProblems(
                TestCards.spec(
                        "budget: {max_cost_usd: lots, max_tokens: -1, on_budget_exhausted: panic, max_iterations: 3}",
                        "decision_mode: {type: voting}",
                        "steps:",
                        "  - {id: end, type: complete}"),
                "3:26: error: spec.budget.max_cost_usd: it must be an amount of US dollars such as 3.50, was the text 'lots'",
                "3:44: error: spec.budget.max_tokens: it must be a whole number from 0 to 2147483647, was the number -1",
                "3:69: error: spec.budget.on_budget_exhausted: it must be one of stop, request_extension, escalate, was"
                        + " 'panic'",
                "3:92: warning: spec.budget.max_iterations: the key 'max_iterations' has no effect here",
                "4:18: warning: spec.decision_mode: the key 'decision_mode' has no effect here");
    }

    @Test
    void aSecret_standsInRequestsAlone() {
        assertProblems(
                """
                metadata: {name: card, version: 1.0}
                spec:
                  variables: {secret: x}
                  steps:
                    - {id: a, action: http_request, params: {url: "https://x/${secret.A}", headers: {H: "Bearer ${secret.B}"}, method: "${secret.C}"}}
                    - {id: b, action: think, params: {key: "${secret.D}"}, output: secret}
                    - {id: c, action: set, params: {key: "${secret}", other: "${secret.a.b}", text: "secret://A"}}
                    - {id: d, type: complete, result: {key: "${secret.E}"}}
                """,
                "3:23: error: spec.variables.secret: the name is taken: the orchestrator sets 'secret' itself",
                "5:7: error: spec.steps.a: ${secret.C} can stand in url, headers, query and body of http_request alone: no worker and no variable gets a secret",
                "6:7: error: spec.steps.b: ${secret.D} can stand in url, headers, query and body of http_request alone: no worker and no variable gets a secret",
                "6:68: error: spec.steps.b.output: the name is taken: '${secret.NAME}' names a secret",
                "7:42: error: spec.steps.c.params.key: '${secret}' names no secret; write ${secret.NAME}, with letters, digits, '-' and '_'",
                "7:62: error: spec.steps.c.params.other: '${secret.a.b}' names no secret; write ${secret.NAME}, with letters, digits, '-' and '_'",
                "7:85: warning: spec.steps.c.params.text: 'secret://' is sent as it is written; a secret is named by ${secret.NAME}",
                "8:7: error: spec.steps.d: ${secret.E} can stand in url, headers, query and body of http_request alone: no worker and no variable gets a secret");
    }

    /// Trap: the jobs of an ordinary card leave the limits and figures of its name by its version.
    @Test
    void aVersionOfCardsThatJobsBringAlong_isRefused() {
        var card =
                "metadata: {name: card, version: 0.0.0-sha256.ab}\nspec: {steps: [{id: a, type: complete}]}\n";

        assertThat(Cards.read(card).text())
                .contains("metadata.version: it must not begin with 0.0.0-sha256.");
        assertThat(Cards.read(card.replace("sha256.", "")).text()).doesNotContain("version");
    }
}
