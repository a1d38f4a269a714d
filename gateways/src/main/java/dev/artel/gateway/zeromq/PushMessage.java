package dev.artel.gateway.zeromq;

import dev.artel.gateway.shell.UnreadableMessage;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import java.util.List;
import java.util.Optional;

/// A message of a worker, as its frames have it.
///
/// @param body of one that cannot be read: the strings that were found
/// @param attachments frames with the JSON text of values that are too large for the body
/// @param isTooLarge whether it has more bytes than a message may have, so that something of it may be missing
/// @param unreadable of a message whose body cannot be read: what was found in it
record PushMessage(
        String kind,
        JsonObject body,
        List<byte[]> attachments,
        boolean isTooLarge,
        Optional<Unreadable> unreadable) {
    /// A body that cannot be read.
    ///
    /// @param problem what is wrong with it
    record Unreadable(UnreadableMessage found, String problem) {}

    private static final List<String> HEAD =
            List.of("call_id", "op", "token", "session", "lease_id");

    PushMessage {
        attachments = List.copyOf(attachments);
    }

    static PushMessage unreadable(String kind, Unreadable unreadable, boolean isTooLarge) {
        var body = JsonObject.builder();
        for (var name : HEAD) {
            unreadable.found().text(name).ifPresent(text -> body.put(name, new JsonString(text)));
        }
        return new PushMessage(kind, body.build(), List.of(), isTooLarge, Optional.of(unreadable));
    }

    Members members() {
        return new Members(body);
    }
}
