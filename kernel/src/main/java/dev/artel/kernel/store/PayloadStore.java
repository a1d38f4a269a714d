package dev.artel.kernel.store;

import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;
import dev.artel.kernel.task.Payload;
import java.util.List;

/// Keeps values that are too large for events, by their content. Safe for use by many threads.
///
/// Contract tests: `dev.artel.testkit.store.PayloadStoreContract`.
public interface PayloadStore {
    /// `value` itself where its text is shorter than [Payload#INLINE_LIMIT]; otherwise it is kept, and durable
    /// when the call returns. The same value is kept once.
    ///
    /// @throws StoreException.StoreFull if there is no room
    Payload keep(JsonValue value);

    /// Keeps `value` apart, whatever its size; durable when the call returns.
    ///
    /// @throws ValueTooLarge if it is larger than [#maxBytes]
    /// @throws StoreException.StoreFull if there is no room
    Payload.Ref put(JsonValue value);

    /// Keeps `values` together, whatever their sizes, so that each can be read without the others; durable when the call
    /// returns. Equal values are kept once.
    ///
    /// @return one for each, in their order
    /// @throws ValueTooLarge if one is larger than [#maxBytes]
    /// @throws StoreException.StoreFull if there is no room
    List<Payload.Slice> keepTogether(List<JsonValue> values);

    /// The length of the text of `value`.
    long bytes(JsonValue value);

    /// The length of the largest value that is kept.
    long maxBytes();

    /// The same value as `whole`, with the members of an object in their places: what is small is inline, the largest
    /// members are kept one by one. Anything but an object stays what it is.
    ///
    /// @throws ValueTooLarge if its small members alone are more than an event takes
    /// @throws UnreadableValue if a member of it is no JSON that can be kept
    /// @throws StoreException.StoreCorrupt if it is gone or not what its digest states
    Payload split(Payload.Ref whole);

    /// The same, but for an object of so many small members that `inline` bytes of text or more would stay: `whole`.
    Payload split(Payload.Ref whole, long inline);

    /// The value of `payload`.
    ///
    /// @throws StoreException.StoreCorrupt if it is gone or not what its digest states
    JsonValue resolve(Payload payload);

    /// The JSON text of `kept`, a [Payload.Ref] or a [Payload.Slice], in memory; its digest was checked.
    ///
    /// @throws StoreException.StoreCorrupt if it is gone or not what its digest states
    /// @throws IllegalArgumentException if it is a payload of another kind
    byte[] text(Payload kept);

    /// The text of `whole`, to be closed by the caller.
    ///
    /// @throws StoreException.StoreCorrupt if it is gone, or, at its end, if it is not what its digest states
    ObjectStore.Bytes open(Payload.Ref whole);

    /// The value of `whole`, to be read on demand. The elements of an array come one by one, without the
    /// others in memory; what they came from is checked at their end.
    LateValue late(Payload.Ref whole);
}
