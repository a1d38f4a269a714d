package dev.artel.card;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The schema of cards is about the cards that the reader takes. [TestCards] compares the two for the cards of other tests.
final class CardSchemaTest {
    /// No key is like it, so the reader lists all that it knows.
    private static final String UNKNOWN = "zzzzzzzzzzzz";

    private static final Pattern KNOWN_KEYS =
            Pattern.compile("'" + UNKNOWN + "' is not known and has no effect; there are (.*)");

    private static final String ACTION = "spec: {steps: [{id: a, action: go, %s}]}";

    /// For each part of the schema, cards that have such a part.
    private static final List<Part> PARTS =
            List.of(
                    new Part("", "%s, spec: {steps: [{id: a, action: go}]}"),
                    new Part("metadata", "spec: {steps: [{id: a, action: go}]}"),
                    new Part("spec", "spec: {%s, steps: [{id: a, action: go}]}"),
                    new Part("subprocessConfig", inSpec("subprocess_config: {%s}")),
                    new Part("budget", inSpec("budget: {%s}")),
                    new Part("action", ACTION),
                    new Part("retry", ACTION.formatted("retry: {%s}")),
                    new Part("requirements", ACTION.formatted("requirements: {%s}")),
                    new Part("compensation", ACTION.formatted("compensation: {action: undo, %s}")),
                    new Part("quality", ACTION.formatted("quality: {%s}")),
                    new Part("thresholds", ACTION.formatted("quality: {thresholds: {%s}}")),
                    new Part("criterion", ACTION.formatted("quality: {criteria: [{name: x, %s}]}")),
                    new Part("condition", inStep("condition: '${input.x}', then: complete")),
                    new Part("complete", inStep("type: complete")),
                    new Part("waitForTime", inStep("duration: 5s")),
                    new Part("waitForEvent", inStep("event: go")),
                    new Part("humanCheckpoint", inStep("message: Go on?")),
                    new Part("parallel", inStep("branches: [{id: b, action: go}]")),
                    new Part("subprocess", inStep("subprocess_ref: other")),
                    new Part("innerCard", inStep("subprocess: {%s, steps: [{id: b, action: go}]}")),
                    new Part("subprocessLoop", inStep("subprocess_ref: other, loop: {count: 2}")),
                    new Part("replan", inStep("type: replan, card: x")),
                    new Part("replanRights", inStep("type: replan, card: x, allow: {%s}")),
                    new Part("loop", inStep("subprocess_ref: other, loop: {count: 2, %s}")));

    private static final JsonObject SCHEMA = (JsonObject) JsonText.read(Cards.schema());

    /// @param name of the definition in the schema; empty: the schema itself
    /// @param card with a place for one more key, in one mapping
    private record Part(String name, String card) {
        /// The keys that the reader knows there.
        TreeSet<String> known() {
            var metadata = name.equals("metadata") ? ", " + UNKNOWN + ": 1" : "";
            var text =
                    "{metadata: {name: card, version: 1.0.0%s}, %s}"
                            .formatted(metadata, card.formatted(UNKNOWN + ": 1"));
            var found = KNOWN_KEYS.matcher(Cards.read(text).text());
            assertThat(found.find()).as(text + "\n" + Cards.read(text).text()).isTrue();
            return new TreeSet<>(List.of(found.group(1).split(", ")));
        }

        /// The keys that the schema has there.
        TreeSet<String> described() {
            var part =
                    name.isEmpty()
                            ? SCHEMA
                            : SCHEMA.object("$defs").flatMap(all -> all.object(name)).orElseThrow();
            return new TreeSet<>(part.object("properties").orElseThrow().names());
        }
    }

    private static String inSpec(String text) {
        return "spec: {" + text + ", steps: [{id: a, action: go}]}";
    }

    private static String inStep(String text) {
        return "spec: {steps: [{id: a, "
                + text
                + (text.contains("%s") ? "" : ", %s")
                + "}, {id: end, type: complete}]}";
    }

    @Test
    void everyKeyThatTheReaderKnows_isInTheSchema_andNoOther() {
        var read = new TreeMap<String, TreeSet<String>>();
        var described = new TreeMap<String, TreeSet<String>>();
        for (var part : PARTS) {
            var known = part.known();
            // The reader looks for both in each wait, and refuses one that has both.
            switch (part.name()) {
                case "waitForTime" -> known.remove("event");
                case "waitForEvent" -> known.remove("duration");
                default -> {}
            }
            read.put(part.name(), known);
            described.put(part.name(), part.described());
        }

        assertThat(described).isEqualTo(read);
    }

    @Test
    void everyPartOfTheSchemaThatHasKeys_isComparedWithTheReader() {
        var parts = new TreeSet<String>();
        SCHEMA.object("$defs")
                .orElseThrow()
                .members()
                .forEach((name, part) -> {
                    if (((JsonObject) part).has("additionalProperties")) {
                        parts.add(name);
                    }
                });

        parts.add("");
        assertThat(parts)
                .containsExactlyInAnyOrderElementsOf(PARTS.stream().map(Part::name).toList());
    }

    @Test
    void everyTypeOfStep_isInTheSchema_andIsRead() {
        var types =
                ((JsonArray)
                                SCHEMA.object("$defs")
                                        .flatMap(all -> all.object("stepType"))
                                        .flatMap(type -> type.get("enum"))
                                        .orElseThrow())
                        .stream().map(type -> ((JsonString) type).value()).toList();
        var listed =
                Pattern.compile("there is no type 'none'; there are (.*)")
                        .matcher(
                                Cards.read(
                                                "{metadata: {name: a, version: 1.0}, spec: {steps: [{id: a, type: none}]}}")
                                        .text());

        assertThat(listed.find()).isTrue();
        assertThat(types).contains(listed.group(1).split(", | and "));
        for (var type : types) {
            assertThat(
                            Cards.read(
                                            "{metadata: {name: a, version: 1.0}, spec: {steps: [{id: a, type: "
                                                    + type
                                                    + "}]}}")
                                    .text())
                    .doesNotContain("there is no type");
        }
    }

    @Test
    void theCardsOfDocumentsAndExamples_areAsTheSchemaSays() throws IOException {
        var found = cards(Path.of("..").toRealPath());

        assertThat(found).hasSizeGreaterThanOrEqualTo(4);
        for (var card : found) {
            assertThat(Cards.read(card).card()).as(Cards.read(card).text()).isPresent();
            SchemaAgreement.check(card);
        }
    }

    private static List<String> cards(Path root) throws IOException {
        var found = new ArrayList<String>();
        try (var files = Files.walk(root)) {
            for (var file : files.filter(CardSchemaTest::isWritten).sorted().toList()) {
                var name = String.valueOf(file.getFileName());
                if (name.endsWith(".yaml") || name.endsWith(".yml")) {
                    found.add(Files.readString(file));
                } else if (name.endsWith(".md")) {
                    Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                            .matcher(Files.readString(file))
                            .results()
                            .forEach(block -> found.add(block.group(1)));
                }
            }
        }
        found.removeIf(text -> !text.contains("metadata:") || !text.contains("spec:"));
        return found;
    }

    private static boolean isWritten(Path file) {
        for (var part : file) {
            if (part.toString().equals("target") || part.toString().equals(".git")) {
                return false;
            }
        }
        return Files.isRegularFile(file);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{metadata: {name: a, version: 1.0.0}}",
                "{metadata: {name: a}, spec: {steps: [{id: a, action: go}]}}",
                "{metadata: {name: '', version: 1.0.0}, spec: {steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: one}, spec: {steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: 1.0.0, spec_version: '3.0'}, spec: {steps: [{id: a, action: go}]}}",
                "{kind: Pod, metadata: {name: a, version: 1.0.0}, spec: {steps: [{id: a, action: go}]}}",
                "{apiVersion: v1, metadata: {name: a, version: 1.0.0}, spec: {steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {steps: []}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {steps: {id: a, action: go}}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {variables: [a], steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {variables: {input: 1}, steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {variables: {a b: 1}, steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {subprocess_config: {max_depth: 11}, steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {budget: {max_tokens: -1}, steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {budget: {max_cost_usd: lots}, steps: [{id: a, action: go}]}}",
                "{metadata: {name: a, version: 1.0.0}, spec: {budget: {on_budget_exhausted: panic}, steps: [{id: a, action: go}]}}"
            })
    void aBrokenCard_isRefusedByBoth(String card) {
        assertThat(Cards.read(card).card()).as(card).isEmpty();
        assertThat(SchemaAgreement.objections(card)).as(card).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{id: a}",
                "{action: go}",
                "{id: 'a b', action: go}",
                "{id: a, type: complte}",
                "{id: a, type: action}",
                "{id: a, action: go, params: [1]}",
                "{id: a, action: go, output: a.b}",
                "{id: a, action: go, timeout: soon}",
                "{id: a, action: go, timeout: 0}",
                "{id: a, action: go, depends_on: b}",
                "{id: a, action: go, on_failure: ignore}",
                "{id: a, action: go, retry: {max_attempts: 11}}",
                "{id: a, action: go, retry: {max_lost: 0}}",
                "{id: a, action: go, retry: {max_lost: 1001}}",
                "{id: a, action: go, retry: {backoff_multiplier: 6}}",
                "{id: a, action: go, retry: 3}",
                "{id: a, action: go, requirements: {capabilities: [1]}}",
                "{id: a, action: go, requirements: {constraints: {a: [1]}}}",
                "{id: a, action: go, quality_check: maybe}",
                "{id: a, action: go, quality: {max_iterations: 0}}",
                "{id: a, action: go, quality: {thresholds: {pass: 2}}}",
                "{id: a, action: go, quality: {criteria: [{weight: 1}]}}",
                "{id: a, action: go, compensation: {params: {}}}",
                "{id: a, condition: '${input.x}'}",
                "{id: a, type: condition, then: complete}",
                "{id: a, type: complete, status: done}",
                "{id: a, type: wait}",
                "{id: a, event: go, duration: 5s}",
                "{id: a, duration: soon}",
                "{id: a, event: 'no way'}",
                "{id: a, event: go, on_timeout: panic}",
                "{id: a, type: human_checkpoint}",
                "{id: a, message: 'Go on?', on_reject: panic}",
                "{id: a, type: parallel}",
                "{id: a, branches: []}",
                "{id: a, branches: [{id: b}]}",
                "{id: a, branches: [{id: b, action: go}], wait_for: most}",
                "{id: a, type: subprocess}",
                "{id: a, subprocess_ref: b, subprocess: {steps: [{id: c, action: go}]}}",
                "{id: a, subprocess: {steps: []}}",
                "{id: a, type: subprocess_loop, subprocess_ref: b}",
                "{id: a, type: replan}",
                "{id: a, type: replan, card: x, allow: {actions: [set]}}",
                "{id: a, type: replan, card: x, allow: {task_types: ['*a']}}",
                "{id: a, subprocess_ref: b, loop: {}}",
                "{id: a, subprocess_ref: b, loop: {count: -1}}",
                "{id: a, subprocess_ref: b, loop: {count: 1, from_variable: input.x}}",
                "{id: a, subprocess_ref: b, loop: {count: 1, max_parallel: 0}}"
            })
    void aBrokenStep_isRefusedByBoth(String step) {
        for (var format : List.of("1.0", "2.0")) {
            var card =
                    "{metadata: {name: a, version: 1.0.0, spec_version: '%s'}, spec: {steps: [%s]}}"
                            .formatted(format, step);
            assertThat(Cards.read(card).card()).as(card).isEmpty();
            assertThat(SchemaAgreement.objections(card)).as(card).isNotEmpty();
        }
    }
}
