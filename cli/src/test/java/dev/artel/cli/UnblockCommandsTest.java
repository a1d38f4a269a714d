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

    /// Trap: the command grants nothing, and the orchestrator refuses it.
    @Test
    void whatNobodyKnows_isForThePersonToFillIn() {
        assertThat(commands("{\"for\":\"budget\",\"missing\":{\"cost_usd\":\"0.00\"}}"))
                .containsExactly("artel job extend j --cost-usd AMOUNT");
        assertThat(commands("{\"for\":\"budget\",\"missing\":{\"tokens\":0}}"))
                .containsExactly("artel job extend j --tokens AMOUNT");
    }
}
