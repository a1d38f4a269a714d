package dev.artel.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.text.JsonText;
import org.junit.jupiter.api.Test;

final class ApprovalSecretsTest {
    /// Trap: an agent that may only read gets the token of an approval, and decides with it.
    @Test
    void anApproval_hasNeitherTokenNorLink_whereverItStands() {
        var job =
                JsonText.read(
                        """
                        {"data":{"token":"kept","link":"kept"},
                         "approvals":[{"approval":7,"message":"pay?","token":"t","link":"http://x"}],
                         "items":[{"job":{"approval":3,"link":"http://y","choices":{"yes":"pay"}}}]}
                        """);

        assertThat(ApprovalSecrets.leftOut(job))
                .isEqualTo(
                        JsonText.read(
                                """
                                {"data":{"token":"kept","link":"kept"},
                                 "approvals":[{"approval":7,"message":"pay?"}],
                                 "items":[{"job":{"approval":3,"choices":{"yes":"pay"}}}]}
                                """));
    }
}
