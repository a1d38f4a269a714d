package dev.artel.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.task.Payload;
import org.junit.jupiter.api.Test;

final class WebhookBodyTest {
    private static final String DIGEST = "0".repeat(64);

    /// Trap: a worker puts a result with indentation, which is longer than a body and would fit without, and receivers never get it.
    @Test
    void aResultThatIsTooLargeWithItsWhiteSpaceAlone_isReadBeforeItIsLeftOut() {
        assertThat(WebhookBody.mayFit(new Payload.Ref(DIGEST, 1_500), 1_000)).isTrue();
        assertThat(WebhookBody.mayFit(new Payload.Ref(DIGEST, 2_001), 1_000)).isFalse();
    }
}
