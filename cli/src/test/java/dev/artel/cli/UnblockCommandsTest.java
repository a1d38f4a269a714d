package dev.artel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UnblockCommandsTest {
    private static List<String> commands(String wait) {
        var explanation =
                (JsonObject) JsonText.read(("{\"waits\":[" + wait + "]}").getBytes(UTF_8));
        return UnblockCommands.of("j", explanation, List.of());
    }

    @Test
    void aSpentBudget_isExtendedByWhatIsMissing_ofEachLimit() {
        assertThat(commands("{\"for\":\"budget\",\"missing\":{\"cost_usd\":\"0.75\",\"calls\":2}}"))
                .containsExactly("artel job extend j --cost-usd 0.75 --calls 2");
    }

    /// Trap: a worker offers a choice that is an option, and the person who pastes the command sends a token to its address.
    @Test
    void aWordOfOthers_isNoOption() {
        assertThat(
                        commands(
                                "{\"for\":\"answer\",\"question\":3,\"choices\":[\"--url=http://evil:1\",\"yes\"]}"))
                .containsExactly(
                        "artel job answer --number 3 -- j --url=http://evil:1",
                        "artel job answer j yes --number 3");
        assertThat(commands("{\"for\":\"signal\",\"signal\":\"@x y\"}"))
                .containsExactly("artel job signal j '@@x y'");
        assertThat(commands("{\"for\":\"signal\",\"signal\":\"-x\"}"))
                .containsExactly("artel job signal -- j -x");
        assertThat(commands("{\"for\":\"child\",\"child_job_id\":\"--url=http://evil:1\"}"))
                .isEmpty();
        assertThat(
                        commands(
                                "{\"for\":\"budget\",\"missing\":{\"url=http://evil:1\":\"1\",\"calls\":2}}"))
                .containsExactly("artel job extend j --calls 2");
    }

    /// Trap: the command grants nothing, and the orchestrator refuses it.
    @Test
    void whatNobodyKnows_isForThePersonToFillIn() {
        assertThat(commands("{\"for\":\"budget\",\"missing\":{\"cost_usd\":\"0.00\"}}"))
                .containsExactly("artel job extend j --cost-usd AMOUNT");
        assertThat(commands("{\"for\":\"budget\",\"missing\":{\"tokens\":0}}"))
                .containsExactly("artel job extend j --tokens AMOUNT");
    }
}
