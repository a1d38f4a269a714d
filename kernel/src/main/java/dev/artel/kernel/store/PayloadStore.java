package dev.artel.kernel.store;

import dev.artel.json.JsonValue;
import dev.artel.kernel.task.Payload;

/// Keeps values that are too large for events, by their content. Safe for use by many threads.
///
/// Contract tests: `dev.artel.testkit.store.PayloadStoreContract`.
public interface PayloadStore {
    /// `value` itself where its text is shorter than [Payload#INLINE_LIMIT]; otherwise it is kept, and durable
    /// when the call returns. The same value is kept once.
    ///
    /// @throws StoreException.StoreFull if there is no room
    Payload keep(JsonValue value);

    /// The value of `payload`.
    ///
    /// @throws StoreException.StoreCorrupt if it is gone or not what its digest says
    JsonValue resolve(Payload payload);
}
