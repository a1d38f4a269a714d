package dev.artel.card;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Cards whose short text nests deep. A card that a handler has accepted is read again when the orchestrator starts, on a thread that may have less room.
final class DeepCardsTest {
    /// The least of any platform is more.
    private static final long SMALL_STACK = 512 << 10;

    private static <T> T onASmallStack(Callable<T> work) throws Exception {
        var task = new FutureTask<>(work);
        var thread = new Thread(null, task, "small stack", SMALL_STACK);
        thread.start();
        return task.get();
    }

    private static String path(int names) {
        return "input" + ".a".repeat(names - 1);
    }

    private static String errors(String text) throws Exception {
        return onASmallStack(() -> Cards.read(text)).text();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- {id: a, action: go, params: {x: '${%s}'}}",
                "- {id: a, type: condition, condition: '${%s} == 1', then: complete}",
                "- {id: a, type: condition, condition: \"'${%s}' == 'x'\", then: complete}",
                "- {id: a, type: subprocess, subprocess_ref: b, inputs: ['%s']}",
                "- {id: a, type: subprocess_loop, subprocess_ref: b, loop: {from_variable: '%s'}}"
            })
    void aReferenceWithMoreNamesThanItMayHave_isRefused_andTheMessageNamesTheLimit(String step)
            throws Exception {
        assertThat(errors(card(step.formatted(path(50))))).doesNotContain("error:");
        assertThat(errors(card(step.formatted(path(51)))))
                .contains("51 names with dots between them; the most is 50");
        assertThat(errors(card(step.formatted(path(100_000)))))
                .contains("100000 names with dots between them; the most is 50")
                .hasSizeLessThan(2_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "'; ${input.a}; ' == 'x'",
                "; ${input.a} == 1 ||; true",
                "; ${input.a} == 1 &&; true",
                "; ${input.a} &&; ${input.b}",
                "; !; true",
                "; (; true",
                "; 1 ==; 1"
            })
    void aConditionThatGoesOn_isReadOnASmallStack_orRefused(
            String before, String repeated, String after) throws Exception {
        for (var times : List.of(1, 49, 50, 100, 200, 2_000, 100_000)) {
            var condition = (before == null ? "" : before) + (repeated + " ").repeat(times) + after;
            var step =
                    "- {id: a, type: condition, condition: \"" + condition + "\", then: complete}";

            var report = onASmallStack(() -> Cards.read(card(step)));

            assertThat(report.card().isPresent() || !report.problems().isEmpty()).isTrue();
        }
    }

    @Test
    void aConditionWithMoreParts_thanAreCompiledInAMoment_isRefused() throws Exception {
        var step = "- {id: a, type: condition, condition: '%strue', then: complete}";

        assertThat(errors(card(step.formatted("${input.a} && ".repeat(249))))).isEmpty();
        assertThat(errors(card(step.formatted("${input.a} && ".repeat(250)))))
                .contains("the condition has more than 500 parts");
    }

    /// Trap: each reference in a text joins a value of any length to all before it, hundreds of times.
    @Test
    void aTextOfAConditionWithMoreReferences_thanAreJoinedInAMoment_isRefused() throws Exception {
        var step = "- {id: a, type: condition, condition: \"'%s' == 'x'\", then: complete}";

        assertThat(errors(card(step.formatted("${input.a}".repeat(10))))).isEmpty();
        assertThat(errors(card(step.formatted("${input.a}".repeat(11)))))
                .contains("a text of a condition has at most 10 references, and one has 11");
    }

    private static String card(String step) {
        return "metadata: {name: test, version: 1.0.0, spec_version: '2.0'}\nspec:\n  steps:\n    "
                + step
                + "\n";
    }
}
