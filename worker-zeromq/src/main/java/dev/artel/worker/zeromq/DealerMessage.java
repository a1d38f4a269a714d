package dev.artel.worker.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.protocol.MalformedMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A message of `PUSH/1`: an empty frame, the tag, the kind, the body and the attachments.
record DealerMessage(String kind, JsonObject body, List<byte[]> attachments) {
    /// The largest body, in bytes.
    static final int MAX_BODY = 1 << 20;

    private static final byte[] TAG = "PUSH/1".getBytes(US_ASCII);
    private static final int HEAD = 4;
    private static final String FRAME = "$frame";

    DealerMessage {
        attachments = List.copyOf(attachments);
    }

    /// The message in `frames`; empty if there is none that this worker understands.
    static Optional<DealerMessage> read(List<byte[]> frames) {
        if (frames.size() < HEAD || !Arrays.equals(frames.get(1), TAG)) {
            return Optional.empty();
        }
        try {
            return JsonText.read(frames.get(3)) instanceof JsonObject body
                    ? Optional.of(
                            new DealerMessage(
                                    new String(frames.get(2), US_ASCII),
                                    body,
                                    frames.subList(HEAD, frames.size())))
                    : Optional.empty();
        } catch (MalformedJson malformed) {
            return Optional.empty();
        }
    }

    /// The frames of a message.
    static List<byte[]> frames(String kind, JsonObject body, List<byte[]> attached) {
        var counted =
                attached.isEmpty() ? body : body.with("attachments", JsonValue.of(attached.size()));
        var frames = new ArrayList<byte[]>();
        frames.add(new byte[0]);
        frames.add(TAG);
        frames.add(kind.getBytes(US_ASCII));
        frames.add(JsonText.write(counted));
        frames.addAll(attached);
        return frames;
    }

    /// What stands for attachment 0.
    static JsonObject reference() {
        return JsonObject.of(FRAME, JsonValue.of(0));
    }

    String text(String name) {
        return body.string(name).orElse("");
    }

    /// A member as JSON text, which is an attachment if there are some. Empty if it is missing or null.
    ///
    /// @throws MalformedMessage if it names an attachment that is not there
    byte[] bytes(String name) {
        var value = body.get(name).orElse(JsonNull.NULL);
        if (value instanceof JsonNull) {
            return new byte[0];
        }
        if (attachments.isEmpty()
                || !(value instanceof JsonObject object)
                || object.size() != 1
                || !(object.get(FRAME).orElse(null) instanceof JsonNumber number)) {
            return JsonText.write(value);
        }
        if (!number.isLong() || number.asLong() < 0 || number.asLong() >= attachments.size()) {
            throw new MalformedMessage(FRAME, "the number of an attachment", number.toString());
        }
        return attachments.get((int) number.asLong());
    }
}
