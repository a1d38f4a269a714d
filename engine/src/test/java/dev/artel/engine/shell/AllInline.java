package dev.artel.engine.shell;

import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.task.Payload;
import java.util.List;

/// Takes every value for small.
class AllInline implements PayloadStore {
    @Override
    public Payload keep(JsonValue value) {
        return Payload.of(value);
    }

    @Override
    public Payload.Ref put(JsonValue value) {
        throw new AssertionError("all is inline, also " + value);
    }

    @Override
    public List<Payload.Slice> keepTogether(List<JsonValue> values) {
        throw new AssertionError("all is inline, also " + values);
    }

    @Override
    public long bytes(JsonValue value) {
        return 1;
    }

    @Override
    public long maxBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public Payload split(Payload.Ref whole) {
        throw new AssertionError("all is inline, also " + whole);
    }

    @Override
    public Payload split(Payload.Ref whole, long inline) {
        throw new AssertionError("all is inline, also " + whole);
    }

    @Override
    public JsonValue resolve(Payload payload) {
        if (payload instanceof Payload.Inline(var value)) {
            return value;
        }
        throw new AssertionError("all is inline, also " + payload);
    }

    @Override
    public byte[] text(Payload kept) {
        throw new AssertionError("all is inline, also " + kept);
    }

    @Override
    public ObjectStore.Bytes open(Payload.Ref whole) {
        throw new AssertionError("all is inline, also " + whole);
    }

    @Override
    public LateValue late(Payload.Ref whole) {
        throw new AssertionError("all is inline, also " + whole);
    }
}
