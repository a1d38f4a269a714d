package dev.artel.store.payloads;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.Parts;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.kernel.task.Payload;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
        return text.length < Payload.INLINE_LIMIT ? Payload.of(value) : put(text);
    }

    @Override
    public Payload.Ref put(JsonValue value) {
        return put(JsonText.write(value));
    }

    private Payload.Ref put(byte[] text) {
        if (text.length > maxBytes) {
            throw new ValueTooLarge(text.length, maxBytes);
        }
        var digest = VerifiedBytes.digestOf(text);
        objects.put(digest, text.length, () -> new BytesInMemory(text));
        return new Payload.Ref(digest, text.length);
    }

    @Override
    public List<Payload.Slice> keepTogether(List<JsonValue> values) {
        return new Together(objects, maxBytes).keep(values);
    }

    @Override
    public long bytes(JsonValue value) {
        return JsonText.length(value);
    }

    @Override
    public long maxBytes() {
        return maxBytes;
    }

    @Override
    public Payload split(Payload.Ref whole) {
        if (whole.bytes() < Payload.INLINE_LIMIT) {
            return Payload.of(read(whole));
        }
        try (var content = open(whole);
                var spooled = Spooled.of(content)) {
            return spooled.split(
                    whole,
                    objects,
                    bytes -> Optional.of(Parts.apart(bytes, maxBytes, Payload.INLINE_LIMIT)));
        }
    }

    @Override
    public Payload split(Payload.Ref whole, long inline) {
        if (whole.bytes() < inline) {
            return Payload.of(read(whole));
        }
        try (var content = open(whole);
                var spooled = Spooled.of(content)) {
            return spooled.split(whole, objects, bytes -> Parts.below(bytes, maxBytes, inline));
        }
    }

    @Override
    public JsonValue resolve(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> value;
            case Payload.Ref ref -> read(ref);
            case Payload.Slice slice -> read(slice);
            case Payload.Members(var members) -> {
                var object = JsonObject.builder();
                members.forEach((name, member) -> object.put(name, resolve(member)));
                yield object.build();
            }
        };
    }

    @Override
    public byte[] text(Payload kept) {
        return switch (kept) {
            case Payload.Ref ref -> text(ref);
            case Payload.Slice slice -> text(slice);
            case Payload.Inline _, Payload.Members _ ->
                    throw new IllegalArgumentException("no text is kept of " + kept);
        };
    }

    @Override
    public LateValue late(Payload.Ref whole) {
        return new Late(whole);
    }

    @Override
    public ObjectStore.Bytes open(Payload.Ref ref) {
        return objects.open(ref.digest())
                .orElseThrow(() -> corrupt(ref.digest(), "it is not there", null));
    }

    private JsonValue read(Payload kept) {
        var text = text(kept);
        var weight = ForeignJson.weightIfLarge(text);
        if (ForeignJson.isTooHeavy(weight)) {
            throw ValueTooLarge.inMemory(text.length, weight, ForeignJson.most());
        }
        try {
            return JsonText.readWritten(text);
        } catch (MalformedJson e) {
            throw corrupt(digest(kept), "found " + e.getMessage(), e);
        }
    }

    private static String digest(Payload kept) {
        return kept instanceof Payload.Slice slice ? slice.digest() : ((Payload.Ref) kept).digest();
    }

    private byte[] text(Payload.Slice slice) {
        var digest = slice.digest();
        var piece =
                objects.open(slice.whole(), slice.from(), slice.bytes())
                        .orElseThrow(() -> corrupt(slice.whole(), "it is not there", null));
        try (var content =
                new VerifiedBytes(
                        piece,
                        digest,
                        found ->
                                corrupt(
                                        slice.whole(),
                                        "at " + slice.from() + " " + found + ", not " + digest,
                                        null))) {
            return text(digest, slice.bytes(), content);
        }
    }

    private byte[] text(Payload.Ref ref) {
        var digest = ref.digest();
        if (ref.bytes() > Integer.MAX_VALUE - 8) {
            throw corrupt(
                    digest, "it has " + ref.bytes() + " bytes, more than fit into memory", null);
        }
        try (var content = open(ref)) {
            return text(digest, (int) ref.bytes(), content);
        }
    }

    private byte[] text(String digest, int bytes, ObjectStore.Bytes content) {
        var text = new byte[bytes];
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
        return text;
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

    private final class Late implements LateValue {
        private final Payload.Ref ref;

        private Late(Payload.Ref ref) {
            this.ref = ref;
        }

        @Override
        public JsonValue read() {
            return StoredPayloads.this.read(ref);
        }

        @Override
        public Stream<JsonValue> elements() {
            return JsonText.elements(new StoredText(open(ref)));
        }

        @Override
        public long bytes() {
            return ref.bytes();
        }
    }
}
