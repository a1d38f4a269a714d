package dev.artel.store.sqlite;

import dev.artel.kernel.store.Append;
import java.util.Set;

/// An append and the bytes of its events.
///
/// @param place its index in the batch
/// @param names of large values
@SuppressWarnings("ArrayRecordComponent") // never compared, written once
record Encoded(int place, Append append, byte[] bytes, Set<String> names) {}
