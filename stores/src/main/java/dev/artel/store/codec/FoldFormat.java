package dev.artel.store.codec;

import java.io.IOException;

/// How values of a type are written.
interface FoldFormat {
    void write(Object value, FoldOut out) throws IOException;

    /// The next value.
    ///
    /// @throws RuntimeException if there is no such value
    Object read(FoldIn in) throws IOException;
}
