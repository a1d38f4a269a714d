package dev.artel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/// With the example of Standard Webhooks.
final class WebhookSignatureTest {
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final String AT = "1614265330";
    private static final Instant NOW = Instant.ofEpochSecond(1_614_265_330L);
    private static final String GOOD = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);

    private final WebhookSignature signature =
            new WebhookSignature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    @Test
    void aGoodSignature_isGood_alsoAmongOthers() {
        assertThat(signature.isGood(ID, AT, GOOD, BODY, NOW)).isTrue();
        assertThat(signature.isGood(ID, AT, "v1,AAAA " + GOOD, BODY, NOW)).isTrue();
    }

    @Test
    void anotherBodyIdOrTime_isNotGood() {
        assertThat(signature.isGood(ID, AT, GOOD, new byte[3], NOW)).isFalse();
        assertThat(signature.isGood("msg_other", AT, GOOD, BODY, NOW)).isFalse();
        assertThat(signature.isGood(ID, "1614265331", GOOD, BODY, NOW)).isFalse();
        assertThat(signature.isGood(ID, "soon", GOOD, BODY, NOW)).isFalse();
        assertThat(signature.isGood(ID, AT, "", BODY, NOW)).isFalse();
    }

    /// Somebody who has recorded a call cannot replay it later.
    @Test
    void anOldCall_isNotGood() {
        assertThat(signature.isGood(ID, AT, GOOD, BODY, NOW.plusSeconds(299))).isTrue();
        assertThat(signature.isGood(ID, AT, GOOD, BODY, NOW.plusSeconds(301))).isFalse();
    }

    @Test
    void aSecretOfAnotherForm_isRefused() {
        assertThatThrownBy(() -> new WebhookSignature("secret")).hasMessageContaining("whsec_");
    }
}
