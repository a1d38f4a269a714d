package dev.artel.kernel.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Keeps contents of any length under their SHA-256, in lower-case hexadecimal. Safe for use by many threads; belongs to
/// one orchestrator at a time.
///
/// - A content is there whole or not at all, and never changes. It has a time at which it was put, which begins anew
///   with each [#put].
/// - Nothing is ever held in memory as a whole.
/// - Each call has a deadline of its own.
///
/// Contract tests: `dev.artel.testkit.store.ObjectStoreContract`.
public interface ObjectStore extends AutoCloseable {
    /// Keeps a content. It is durable when the call returns.
    ///
    /// @param bytes its length
    /// @param content opens it; perhaps several times, since a failed try may be repeated
    /// @throws IllegalArgumentException if the content does not match `digest` and `bytes`; it was not kept
    /// @throws StoreException.StoreFull if there is no room
    /// @throws StoreException.StoreUnavailable if it is unknown whether it was kept
    void put(String digest, long bytes, Supplier<Bytes> content);

    /// The content of `digest`, to be closed by the caller; none if it is not there. What is read is checked: the end is
    /// returned only if all of it matches the digest.
    ///
    /// @throws StoreException.StoreUnavailable if the store does not answer, also while it is read
    Optional<Bytes> open(String digest);

    /// A piece of the content of `digest`, to be closed by the caller; none if the content is not there. The piece is not
    /// checked, which is the caller's to do, and ends where the content does.
    ///
    /// @param from where it begins, in bytes
    /// @param bytes its length, at least 1
    /// @throws StoreException.StoreUnavailable if the store does not answer, also while it is read
    Optional<Bytes> open(String digest, long from, int bytes);

    /// What is known of a content without reading it; none if it is not there.
    ///
    /// @throws StoreException.StoreUnavailable if the store does not answer
    Optional<Kept> find(String digest);

    /// Removes a content that was put last before `before`; leaves a younger one. Never overlaps with a [#put] of the
    /// same content: that either comes first, and the content stays, or keeps it again.
    ///
    /// @return whether one was removed
    /// @throws StoreException.StoreUnavailable if it is unknown whether it was removed
    boolean remove(String digest, Instant before);

    /// What is kept with digests behind `after`, in their order, at most `limit`; behind the empty text is all.
    ///
    /// @throws StoreException.StoreUnavailable if the store does not answer
    List<Kept> list(String after, int limit);

    /// Where it keeps them, for people: a folder, or a bucket.
    String place();

    @Override
    void close();

    /// A content that is kept.
    ///
    /// @param put when it was put last
    record Kept(String digest, long bytes, Instant put) {}

    /// Bytes that are read in pieces, once. Not safe for use by many threads.
    interface Bytes extends AutoCloseable {
        /// Reads at least one byte and at most `most` of them.
        ///
        /// @return how many; -1 at the end
        /// @throws StoreException if they cannot be read, or are not what they should be
        int read(byte[] into, int offset, int most);

        @Override
        void close();
    }
}
