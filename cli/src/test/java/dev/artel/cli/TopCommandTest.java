package dev.artel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

final class TopCommandTest {
    private final CliOutput output = new CliOutput(sink(), sink(), false);

    private static PrintStream sink() {
        return new PrintStream(new ByteArrayOutputStream(), false, UTF_8);
    }

    private static JsonObject json(String text) {
        return (JsonObject) JsonText.read(text);
    }

    /// Trap: names and numbers of an orchestrator of somebody else move the cursor, set the title of the window, or paste into the shell.
    @Test
    void whateverAnOrchestratorSends_isSafeToPrint_andNotLong() {
        var bad = "\"\\u001b[2J\\u009b\\n" + "x".repeat(500) + "\"";
        var counts = new StringBuilder("{");
        for (var count = 0; count < 1_000; count++) {
            counts.append(count == 0 ? "" : ",")
                    .append("\"\\u001b]0;")
                    .append(count)
                    .append("\\u0007\":1");
        }
        counts.append('}');
        var overview =
                json(
                        "{'jobs':C,'needs':C,'wires':C,'slots':{'busy':B,'total':B,'workers':B,'draining':B},'queues':[{'task_type':B,'queued':B,'leased':B,'oldest_seconds':3,'reasons':[{'count':B,'text':B}]}],'latencies':[{'task_type':B,'count':B}]}"
                                .replace('\'', '"')
                                .replace("B", bad)
                                .replace("C", counts));

        var lines = TopCommand.lines(overview, output);

        assertThat(lines)
                .hasSizeGreaterThan(6)
                .allSatisfy(line -> {
                    assertThat(line.length()).isLessThan(1_500);
                    assertThat(line.chars().noneMatch(Character::isISOControl)).isTrue();
                });
    }

    @Test
    void whatIsThere_isShown() {
        var overview =
                json(
                        "{\"jobs\":{\"waiting_for_human\":2,\"failed\":0},\"slots\":{\"busy\":1,\"total\":4,\"workers\":1,\"draining\":0},\"wires\":{\"http\":1}}");

        assertThat(TopCommand.lines(overview, output))
                .contains(
                        "jobs      2 waiting for human",
                        "slots     1 of 4 busy   1 worker (1 http)   0 draining");
    }
}
