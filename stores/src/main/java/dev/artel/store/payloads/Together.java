package dev.artel.store.payloads;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.kernel.task.Payload;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes many values as the elements of a few arrays, none of which is larger than it has to be. For one call and one
/// thread.
final class Together {
    /// An array takes no further value from this length on.
    private static final int FULL = 8 << 20;

    private static final byte[] BETWEEN = ",\n".getBytes(US_ASCII);

    private final ObjectStore objects;
    private final long maxBytes;
    private final ByteArrayOutputStream array = new ByteArrayOutputStream();

    /// The values of [#array], by their digests, in their order.
    private final Map<String, Place> places = new LinkedHashMap<>();

    /// Those that are kept, by their digests.
    private final Map<String, Payload.Slice> kept = new LinkedHashMap<>();

    Together(ObjectStore objects, long maxBytes) {
        this.objects = objects;
        this.maxBytes = maxBytes;
    }

    private record Place(int from, int bytes) {}

    List<Payload.Slice> keep(List<JsonValue> values) {
        var digests = new ArrayList<String>(values.size());
        for (var value : values) {
            digests.add(add(JsonText.write(value)));
            if (array.size() >= FULL) {
                put();
            }
        }
        put();
        return digests.stream().map(kept::get).toList();
    }

    private String add(byte[] text) {
        if (text.length > maxBytes) {
            throw new ValueTooLarge(text.length, maxBytes);
        }
        var digest = VerifiedBytes.digestOf(text);
        if (!kept.containsKey(digest) && !places.containsKey(digest)) {
            if (places.isEmpty()) {
                array.write('[');
            } else {
                array.writeBytes(BETWEEN);
            }
            places.put(digest, new Place(array.size(), text.length));
            array.writeBytes(text);
        }
        return digest;
    }

    private void put() {
        if (places.isEmpty()) {
            return;
        }
        array.write(']');
        var all = array.toByteArray();
        var whole = VerifiedBytes.digestOf(all);
        objects.put(whole, all.length, () -> new BytesInMemory(all));
        places.forEach((digest, place) ->
                kept.put(digest, new Payload.Slice(whole, place.from(), place.bytes(), digest)));
        places.clear();
        array.reset();
    }
}
