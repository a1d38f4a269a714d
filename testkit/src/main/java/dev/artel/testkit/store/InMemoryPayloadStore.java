package dev.artel.testkit.store;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.Parts;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.kernel.task.Payload;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

/// The reference: keeps large values by their digest, without what makes them durable.
public final class InMemoryPayloadStore implements PayloadStore {
    private static final long MAX_BYTES = 64L << 20;

    private final Map<String, JsonValue> values = new ConcurrentHashMap<>();
    private final AtomicLong reads = new AtomicLong();

    /// A store without values.
    public InMemoryPayloadStore() {}

    /// How often a value that is kept was read as a whole.
    public long reads() {
        return reads.get();
    }

    @Override
    public Payload keep(JsonValue value) {
        return bytes(value) < Payload.INLINE_LIMIT ? Payload.of(value) : put(value);
    }

    @Override
    public Payload.Ref put(JsonValue value) {
        var text = JsonText.write(value);
        if (text.length > MAX_BYTES) {
            throw new ValueTooLarge(text.length, MAX_BYTES);
        }
        var digest = HexFormat.of().formatHex(sha256().digest(text));
        values.putIfAbsent(digest, value);
        return new Payload.Ref(digest, text.length);
    }

    @Override
    public List<Payload.Slice> keepTogether(List<JsonValue> values) {
        var whole = put(new JsonArray(values)).digest();
        var slices = new ArrayList<Payload.Slice>();
        for (var value : values) {
            var ref = put(value);
            slices.add(new Payload.Slice(whole, slices.size(), (int) ref.bytes(), ref.digest()));
        }
        return slices;
    }

    @Override
    public long bytes(JsonValue value) {
        return JsonText.write(value).length;
    }

    @Override
    public long maxBytes() {
        return MAX_BYTES;
    }

    @Override
    public Payload split(Payload.Ref whole) {
        return split(whole, bytes -> Optional.of(Parts.apart(bytes, MAX_BYTES)));
    }

    @Override
    public Payload split(Payload.Ref whole, long inline) {
        return split(whole, bytes -> Parts.below(bytes, MAX_BYTES, inline));
    }

    private Payload split(
            Payload.Ref whole, Function<SequencedMap<String, Long>, Optional<Set<String>>> choice) {
        if (!(find(whole) instanceof JsonObject object)) {
            return whole;
        }
        var bytes = new LinkedHashMap<String, Long>();
        object.members().forEach((name, value) -> bytes.put(name, bytes(value)));
        var chosen = choice.apply(bytes);
        if (chosen.isEmpty()) {
            return whole;
        }
        var apart = chosen.get();
        if (apart.isEmpty()) {
            return Payload.of(object);
        }
        var members = new LinkedHashMap<String, Payload>();
        object.members()
                .forEach((name, value) ->
                        members.put(name, apart.contains(name) ? put(value) : Payload.of(value)));
        return new Payload.Members(members);
    }

    @Override
    public JsonValue resolve(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> value;
            case Payload.Ref ref -> {
                reads.incrementAndGet();
                yield find(ref);
            }
            case Payload.Slice slice -> {
                reads.incrementAndGet();
                yield find(new Payload.Ref(slice.digest(), slice.bytes()));
            }
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
            case Payload.Ref ref -> JsonText.write(find(ref));
            case Payload.Slice slice ->
                    JsonText.write(find(new Payload.Ref(slice.digest(), slice.bytes())));
            case Payload.Inline _, Payload.Members _ ->
                    throw new IllegalArgumentException("no text is kept of " + kept);
        };
    }

    @Override
    public ObjectStore.Bytes open(Payload.Ref whole) {
        return new BytesInMemory(JsonText.write(find(whole)));
    }

    @Override
    public LateValue late(Payload.Ref whole) {
        return new LateValue() {
            @Override
            public JsonValue read() {
                return resolve(whole);
            }

            @Override
            public Stream<JsonValue> elements() {
                if (find(whole) instanceof JsonArray array) {
                    return array.stream();
                }
                throw new IllegalStateException("the value is no array; read it as a whole");
            }

            @Override
            public long bytes() {
                return whole.bytes();
            }
        };
    }

    private JsonValue find(Payload.Ref ref) {
        var value = values.get(ref.digest());
        if (value == null) {
            throw new StoreCorrupt("reading payload " + ref.digest() + ": it is not there", null);
        }
        return value;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
