package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PushFramesTest {
    private static final JsonObject BODY = JsonObject.of("a", new JsonString("ä"));

    @Test
    void aMessage_isAnEmptyFrame_theTag_theKind_andOneJsonObject() {
        var frames = PushFrames.write("WELCOME", BODY);

        assertThat(frames).hasSize(4);
        assertThat(frames.get(0)).isEmpty();
        assertThat(new String(frames.get(1), UTF_8)).isEqualTo("PUSH/1");
        assertThat(new String(frames.get(2), UTF_8)).isEqualTo("WELCOME");
        assertThat(JsonText.read(frames.get(3))).isEqualTo(BODY);
    }

    @Test
    void whatIsWritten_isRead_withItsAttachments() {
        var frames = PushFrames.write("RESULT", BODY, List.of(bytes("1"), bytes("[2]")));

        var message = PushFrames.read(frames, false);

        assertThat(message.kind()).isEqualTo("RESULT");
        assertThat(message.body()).isEqualTo(BODY.with("attachments", JsonNumber.of(2)));
        assertThat(message.attachments()).containsExactly(bytes("1"), bytes("[2]"));
    }

    @Test
    void aWrongNumberOfFrames_isABadFrame() {
        assertBad(List.of(), RejectCode.BAD_FRAME);
        assertBad(List.of(new byte[0], bytes("PUSH/1"), bytes("HEARTBEAT")), RejectCode.BAD_FRAME);
        var more = new ArrayList<>(PushFrames.write("HEARTBEAT", BODY));
        more.add(bytes("{}"));
        assertBad(more, RejectCode.BAD_FRAME);
        var fewer = PushFrames.write("RESULT", BODY.with("attachments", JsonNumber.of(1)));
        assertBad(fewer, RejectCode.BAD_FRAME);
    }

    @Test
    void aFirstFrameThatIsNotEmpty_isABadFrame() {
        assertBad(
                List.of(bytes("x"), bytes("PUSH/1"), bytes("HEARTBEAT"), bytes("{}")),
                RejectCode.BAD_FRAME);
    }

    @Test
    void anotherVersion_isAnotherProtocol_andAnotherTagABadFrame() {
        assertBad(message("PUSH/2", "READY", "{}"), RejectCode.BAD_PROTOCOL);
        assertBad(message("PULL", "READY", "{}"), RejectCode.BAD_FRAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[]", "null", "7", "{\"a\":1,\"a\":2}", "{\"a\":NaN}", "\u0000"})
    void aBodyThatIsNoJsonObject_isABadFrame(String body) {
        assertBad(message("PUSH/1", "READY", body), RejectCode.BAD_FRAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ready", "READY ", "ÄÖ", "A23456789012345678901234567890123"})
    void aKindThatIsNone_isABadFrame(String kind) {
        assertBad(message("PUSH/1", kind, "{}"), RejectCode.BAD_FRAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65", "1.5", "\"1\"", "null", "9223372036854775807"})
    void aNumberOfAttachmentsThatIsNone_isABadFrame(String number) {
        assertBad(
                message("PUSH/1", "RESULT", "{\"attachments\":" + number + "}"),
                RejectCode.BAD_FRAME);
    }

    @Test
    void aBodyOfAMebibyte_isTaken_andALargerOneOnlyOfAResult_asTooLarge() {
        var rest = "{\"a\":\"\"}".length();
        var largest = "{\"a\":\"" + "x".repeat(PushFrames.MAX_BODY - rest) + "\"}";
        var larger = "{\"a\":\"" + "x".repeat(PushFrames.MAX_BODY - rest + 1) + "\"}";

        assertThat(PushFrames.read(message("PUSH/1", "READY", largest), false).isTooLarge())
                .isFalse();
        assertBad(message("PUSH/1", "READY", larger), RejectCode.BAD_FRAME);
        assertThat(PushFrames.read(message("PUSH/1", "RESULT", larger), false).isTooLarge())
                .isTrue();
    }

    @Test
    void framesOfAnyBytes_areReadOrRefused_andNeverAnythingElse() {
        for (var seed = 0L; seed < 20_000; seed++) {
            var random = new SplittableRandom(seed);
            var frames = new ArrayList<>(PushFrames.write("READY", BODY));
            var hits = random.nextInt(1, 4);
            for (var hit = 0; hit < hits && !frames.isEmpty(); hit++) {
                var at = random.nextInt(frames.size());
                switch (random.nextInt(4)) {
                    case 0 -> frames.remove(at);
                    case 1 -> frames.add(at, bytes(random));
                    case 2 -> frames.set(at, bytes(random));
                    default -> frames.set(at, flipped(frames.get(at), random));
                }
            }
            try {
                assertThat(PushFrames.read(frames, random.nextInt(4) == 0).kind()).isNotEmpty();
            } catch (BadFrame refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).isNotBlank();
            }
        }
    }

    private static byte[] flipped(byte[] frame, SplittableRandom random) {
        var other = frame.clone();
        if (other.length > 0) {
            other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return other;
    }

    private static byte[] bytes(SplittableRandom random) {
        var bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static List<byte[]> message(String tag, String kind, String body) {
        return List.of(new byte[0], bytes(tag), bytes(kind), bytes(body));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static void assertBad(List<byte[]> frames, RejectCode code) {
        assertThatThrownBy(() -> PushFrames.read(frames, false))
                .isInstanceOfSatisfying(
                        BadFrame.class, bad -> assertThat(bad.code()).isEqualTo(code));
    }
}
