package dev.artel.store.payloads;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.CheckedBytes;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.kernel.task.Payload;
import org.jspecify.annotations.Nullable;

/// Keeps each large value as its JSON text in an object store.
public final class StoredPayloads implements PayloadStore {
    private final ObjectStore objects;
    private final long maxBytes;

    /// Values of at most `maxBytes` in `objects`, which stays the caller's to close.
    public StoredPayloads(ObjectStore objects, long maxBytes) {
        this.objects = objects;
        this.maxBytes = maxBytes;
    }

    @Override
    public Payload keep(JsonValue value) {
        var text = JsonText.write(value);
        if (text.length < Payload.INLINE_LIMIT) {
            return Payload.of(value);
        }
        if (text.length > maxBytes) {
            throw new ValueTooLarge(text.length, maxBytes);
        }
        var digest = CheckedBytes.digestOf(text);
        objects.put(digest, text.length, () -> new BytesInMemory(text));
        return new Payload.Ref(digest, text.length);
    }

    @Override
    public JsonValue resolve(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> value;
            case Payload.Ref(var digest, var bytes) -> read(digest, bytes);
        };
    }

    private JsonValue read(String digest, long bytes) {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw corrupt(digest, "it has " + bytes + " bytes, more than fit into memory", null);
        }
        try (var content =
                objects.open(digest).orElseThrow(() -> corrupt(digest, "it is not there", null))) {
            var text = new byte[(int) bytes];
            var count = 0;
            while (count < text.length) {
                var read = content.read(text, count, text.length - count);
                if (read < 0) {
                    throw corrupt(digest, "found only " + count + " bytes of " + bytes, null);
                }
                count += read;
            }
            if (content.read(new byte[1], 0, 1) >= 0) {
                throw corrupt(digest, "found more than its " + bytes + " bytes", null);
            }
            return JsonText.readWritten(text);
        } catch (MalformedJson e) {
            throw corrupt(digest, "found " + e.getMessage(), e);
        }
    }

    private StoreCorrupt corrupt(String digest, String found, @Nullable Exception cause) {
        return new StoreCorrupt(
                "reading payload "
                        + digest
                        + " of "
                        + objects.place()
                        + ": "
                        + found
                        + "; restore it from a backup",
                cause);
    }
}
