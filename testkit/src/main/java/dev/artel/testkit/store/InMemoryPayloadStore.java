package dev.artel.testkit.store;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.task.Payload;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The reference: keeps large values by their digest, without what makes them durable.
public final class InMemoryPayloadStore implements PayloadStore {
    private final Map<String, JsonValue> values = new ConcurrentHashMap<>();

    /// A store without values.
    public InMemoryPayloadStore() {}

    @Override
    public Payload keep(JsonValue value) {
        var text = JsonText.write(value);
        if (text.length < Payload.INLINE_LIMIT) {
            return Payload.of(value);
        }
        var digest = HexFormat.of().formatHex(sha256().digest(text));
        values.putIfAbsent(digest, value);
        return new Payload.Ref(digest, text.length);
    }

    @Override
    public JsonValue resolve(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> value;
            case Payload.Ref(var digest, var _) -> {
                var value = values.get(digest);
                if (value == null) {
                    throw new StoreCorrupt("reading payload " + digest + ": it is not there", null);
                }
                yield value;
            }
        };
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
