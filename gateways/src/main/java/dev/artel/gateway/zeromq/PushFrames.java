package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.gateway.shell.UnreadableMessage;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads and writes the frames of `PUSH/1`: an empty one, the tag, the kind, the body, and the attachments.
final class PushFrames {
    /// The largest body, in bytes.
    static final int MAX_BODY = 1 << 20;

    /// How many attachments a message may have.
    static final int MAX_ATTACHMENTS = 64;

    /// How many frames come before the attachments.
    static final int HEAD = 4;

    /// The place of the body among the frames.
    static final int BODY = 3;

    /// The kinds that are answered even if they cannot be read, or are too large, and which member has what the answer names: a result ends its
    /// attempt.
    private static final Map<String, String> ANSWERED =
            Map.of("RESULT", "lease_id", "CALL", "call_id");

    private static final byte[] TAG = "PUSH/1".getBytes(US_ASCII);
    private static final byte[] FAMILY = "PUSH/".getBytes(US_ASCII);
    private static final int LONGEST_KIND = 32;
    private static final String ATTACHMENTS = "attachments";

    private PushFrames() {}

    /// The message in `frames`, without the identity before them.
    ///
    /// @param isCut whether there were more, which were dropped
    /// @throws BadFrame if there is none
    static PushMessage read(List<byte[]> frames, boolean isCut) {
        if (isCut && frames.size() < HEAD) {
            throw new BadFrame(tooLarge());
        }
        if (frames.size() < HEAD || frames.getFirst().length > 0) {
            throw new BadFrame(
                    "a message has an empty frame, the tag PUSH/1, its kind, its body and its attachments; found "
                            + frames.size()
                            + " frames");
        }
        checkTag(frames.get(1));
        var kind = kind(frames.get(2));
        var text = frames.get(BODY);
        var isTooLarge = isCut || text.length > MAX_BODY;
        if (isTooLarge && !ANSWERED.containsKey(kind)) {
            throw new BadFrame(tooLarge());
        }
        if (isTooLarge && kind.equals("CALL")) {
            return unreadable(kind, text, true, new BadFrame(tooLarge()));
        }
        JsonObject body;
        try {
            body = body(text);
        } catch (BadFrame unreadable) {
            var problem = isTooLarge ? new BadFrame(tooLarge()) : unreadable;
            return unreadable(kind, text, isTooLarge, problem);
        }
        var announced = attachments(body);
        var attached = frames.size() - HEAD;
        if (announced != attached && !isTooLarge) {
            throw new BadFrame(
                    "attachments is " + announced + ", and " + attached + " frames are attached");
        }
        return new PushMessage(
                kind, body, frames.subList(HEAD, frames.size()), isTooLarge, Optional.empty());
    }

    private static String tooLarge() {
        return "a body has at most "
                + MAX_BODY
                + " bytes; larger values are attached, and those beyond max_message_bytes put by address";
    }

    /// A message of which there is enough to answer it.
    private static PushMessage unreadable(
            String kind, byte[] text, boolean isTooLarge, BadFrame problem) {
        var named = ANSWERED.get(kind);
        var found = UnreadableMessage.scan(text);
        if (named == null || found.text(named).filter(id -> !id.isBlank()).isEmpty()) {
            throw problem;
        }
        var why = String.valueOf(problem.getMessage());
        return PushMessage.unreadable(kind, new PushMessage.Unreadable(found, why), isTooLarge);
    }

    private static void checkTag(byte[] tag) {
        if (Arrays.equals(tag, TAG)) {
            return;
        }
        var isOfTheFamily =
                tag.length > FAMILY.length
                        && Arrays.equals(tag, 0, FAMILY.length, FAMILY, 0, FAMILY.length);
        throw new BadFrame(
                isOfTheFamily ? RejectCode.BAD_PROTOCOL : RejectCode.BAD_FRAME,
                "this orchestrator understands PUSH/1");
    }

    private static String kind(byte[] bytes) {
        if (bytes.length < 1 || bytes.length > LONGEST_KIND || !isUpperCase(bytes)) {
            throw new BadFrame("a kind has at most " + LONGEST_KIND + " letters from A to Z and _");
        }
        return new String(bytes, US_ASCII);
    }

    private static boolean isUpperCase(byte[] bytes) {
        for (var letter : bytes) {
            if ((letter < 'A' || letter > 'Z') && letter != '_') {
                return false;
            }
        }
        return true;
    }

    /// How many bytes the frames of a message have together.
    static long bytes(List<byte[]> frames) {
        var sum = 0L;
        for (var frame : frames) {
            sum += frame.length;
        }
        return sum;
    }

    private static JsonObject body(byte[] text) {
        try {
            if (ForeignJson.read(text) instanceof JsonObject object) {
                return object;
            }
        } catch (MalformedJson malformed) {
            throw new BadFrame("the body is not JSON: " + malformed.getMessage());
        }
        throw new BadFrame("the body is not a JSON object");
    }

    private static int attachments(JsonObject body) {
        return switch (body.get(ATTACHMENTS).orElse(null)) {
            case null -> 0;
            case JsonNumber number
                    when number.isLong()
                            && number.asLong() >= 0
                            && number.asLong() <= MAX_ATTACHMENTS ->
                    (int) number.asLong();
            case JsonValue _ ->
                    throw new BadFrame(
                            "attachments is a whole number from 0 to " + MAX_ATTACHMENTS);
        };
    }

    /// The frames of a message, without the identity before them.
    static List<byte[]> write(String kind, JsonObject body) {
        return write(kind, body, List.of());
    }

    /// The frames of a message with attachments.
    static List<byte[]> write(String kind, JsonObject body, List<byte[]> attached) {
        var counted =
                attached.isEmpty() ? body : body.with(ATTACHMENTS, JsonNumber.of(attached.size()));
        var frames = new ArrayList<byte[]>();
        frames.add(new byte[0]);
        frames.add(TAG);
        frames.add(kind.getBytes(US_ASCII));
        frames.add(JsonText.write(counted));
        frames.addAll(attached);
        return frames;
    }
}
