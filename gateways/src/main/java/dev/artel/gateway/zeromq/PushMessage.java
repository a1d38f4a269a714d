package dev.artel.gateway.zeromq;

import dev.artel.json.JsonObject;
import java.util.List;

/// A message of a worker, as its frames have it.
///
/// @param attachments frames with the JSON text of values that are too large for the body
/// @param isTooLarge whether it has more bytes than a message may have, so that something of it may be missing
record PushMessage(String kind, JsonObject body, List<byte[]> attachments, boolean isTooLarge) {
    PushMessage {
        attachments = List.copyOf(attachments);
    }

    Members members() {
        return new Members(body);
    }
}
