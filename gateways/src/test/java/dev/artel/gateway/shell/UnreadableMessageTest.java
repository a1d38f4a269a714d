package dev.artel.gateway.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class UnreadableMessageTest {
    private static UnreadableMessage scan(String text) {
        return UnreadableMessage.scan(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void stringsOfTheOutermostObjectAndOfItsBody_areFound_whateverElseIsThere() {
        var message =
                scan(
                        """
                        {"type":"call","n":NaN,"list":[{"type":"no","task_id":"no"}],"body":{"job_id":"j","data":{"job_id":"no",
                        "task_id":"no"},"task_id":"t\\u0021","x":01},"callId":"c","other":"no\
                        """);

        assertThat(message.text("type")).contains("call");
        assertThat(message.text("callId")).contains("c");
        assertThat(message.text("other")).isEmpty();
        assertThat(message.ids()).isEqualTo(new EnvelopeIds(null, null, null));
        assertThat(message.idsOfBody()).isEqualTo(new EnvelopeIds("j", "t!", null));
    }

    @Test
    void aLeaseGoesBeforeTheTask_andTheFirstOfTwoBeforeTheSecond() {
        var ids =
                scan("{\"job_id\":\"a\",\"job_id\":\"b\",\"task_id\":\"t\",\"lease_token\":\"l\",\"origin_worker_id\":\"w\",")
                        .ids();

        assertThat(ids).isEqualTo(new EnvelopeIds("a", "l", "w"));
        assertThat(ids.isComplete()).isTrue();
    }

    @Test
    void namesInOtherObjects_areThoseOfNobody() {
        assertThat(scan("{\"x\":{\"job_id\":\"no\"},\"body\":[{\"job_id\":\"no\"}]").ids().job())
                .isNull();
        assertThat(scan("[\"job_id\":\"j\"").ids().isComplete()).isFalse();
        assertThat(scan("").ids().isComplete()).isFalse();
        assertThat(scan("{\"job_id\":\"" + "j".repeat(2_000) + "\"}").ids().job()).isNull();
    }

    @Test
    void anyBytes_areScanned() {
        var alphabet = "{}[]:,\"\\abody task_id".getBytes(StandardCharsets.UTF_8);
        for (var seed = 0L; seed < 2_000; seed++) {
            var random = new SplittableRandom(seed);
            var bytes = new byte[random.nextInt(60)];
            for (var i = 0; i < bytes.length; i++) {
                bytes[i] = alphabet[random.nextInt(alphabet.length)];
            }

            assertThat(UnreadableMessage.scan(bytes)).as("seed " + seed).isNotNull();
        }
    }
}
