package dev.artel.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import org.junit.jupiter.api.Test;

final class ShownArgumentsTest {
    private static AgentTool tool(String name) {
        return AgentTools.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Trap: data that fill the question hide the job that the agent means.
    @Test
    void whatNamesTheJob_comesFirst_andWhatIsLeftOutIsStated() {
        var changes = JsonObject.of("note", JsonValue.of("x".repeat(10_000)));
        var arguments =
                JsonObject.of("changes", changes, "job_id", JsonValue.of("the-job-of-the-person"));

        var shown = ShownArguments.of(tool("retry_job"), arguments);

        assertThat(shown)
                .startsWith("job_id: \"the-job-of-the-person\", changes: {\"note\":\"xxx")
                .endsWith(" - LEFT OUT: changes (9611 characters)")
                .hasSizeLessThan(1_000);
    }

    @Test
    void aShortArgument_isShownWhole_whereverItIs() {
        var result = JsonValue.of("y".repeat(3_000));
        var arguments = JsonObject.of("result", result, "job_id", JsonValue.of("j1"));

        assertThat(ShownArguments.of(tool("skip_job"), arguments))
                .startsWith("job_id: \"j1\", result: \"yyy")
                .endsWith("LEFT OUT: result (2602 characters)");
    }

    @Test
    void aNameThatIsTooLongToBeShown_isRefused() {
        var arguments = JsonObject.of("job_id", JsonValue.of("j".repeat(500)));

        assertThatThrownBy(() -> ShownArguments.of(tool("cancel_job"), arguments))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "job_id has 502 characters, more than a person who has to agree is shown"
                                + " (400)");
        var many = JsonObject.builder();
        for (var i = 0; i < 100; i++) {
            many.put("a" + i, new JsonString("z".repeat(100)));
        }
        assertThatThrownBy(() -> ShownArguments.of(tool("cancel_job"), many.build()))
                .hasMessageContaining("more characters than a person");
    }

    @Test
    void charactersThatTurnTheDirectionOfWriting_areShownAsEscapes() {
        var arguments = JsonObject.of("job_id", JsonValue.of("a\u202eb"));

        assertThat(ShownArguments.of(tool("cancel_job"), arguments))
                .isEqualTo("job_id: \"a\\u202eb\"");
    }
}
