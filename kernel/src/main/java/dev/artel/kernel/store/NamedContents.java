package dev.artel.kernel.store;

import java.util.Optional;

/// Keeps a few small contents, each under a name of its own, and replaces them as a whole. What was written is durable and
/// is what is read from then on, when the call returns; who reads meanwhile gets the former or the new one.
public interface NamedContents extends AutoCloseable {
    /// The content of `name`; none if it is not there.
    ///
    /// @throws StoreException.StoreUnavailable if that is unknown
    Optional<byte[]> read(String name);

    /// Writes the content of `name`.
    ///
    /// @throws StoreException.StoreUnavailable if it is unknown whether it was written
    void write(String name, byte[] content);

    @Override
    void close();
}
