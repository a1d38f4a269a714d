package dev.artel.testkit.store;

import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.VerifiedBytes;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The reference: keeps contents without what makes them durable.
public final class InMemoryObjectStore implements ObjectStore {
    private final InstantSource clock;
    private final TreeMap<String, Content> contents = new TreeMap<>();

    private static final class Content {
        private final byte[] bytes;
        private final Instant put;

        private Content(byte[] bytes, Instant put) {
            this.bytes = bytes;
            this.put = put;
        }
    }

    /// A store without contents, whose times are those of `clock`.
    public InMemoryObjectStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized void put(String digest, long bytes, Supplier<Bytes> content) {
        var known = contents.get(digest);
        contents.put(
                digest,
                new Content(
                        known == null ? read(digest, bytes, content) : known.bytes,
                        clock.instant()));
    }

    private static byte[] read(String digest, long length, Supplier<Bytes> content) {
        var all = new ByteArrayOutputStream();
        try (var bytes =
                new VerifiedBytes(content.get(), digest, length, found -> refused(digest, found))) {
            var piece = new byte[1 << 16];
            for (var read = bytes.read(piece, 0, piece.length);
                    read >= 0;
                    read = bytes.read(piece, 0, piece.length)) {
                all.write(piece, 0, read);
            }
        }
        return all.toByteArray();
    }

    private static IllegalArgumentException refused(String digest, String found) {
        return new IllegalArgumentException("keeping payload " + digest + ": " + found);
    }

    @Override
    public synchronized Optional<Bytes> open(String digest) {
        require(digest);
        return Optional.ofNullable(contents.get(digest))
                .map(content -> new BytesInMemory(content.bytes));
    }

    @Override
    public synchronized Optional<Bytes> open(String digest, long from, int bytes) {
        require(digest);
        return Optional.ofNullable(contents.get(digest))
                .map(content -> new BytesInMemory(content.bytes, from, bytes));
    }

    @Override
    public synchronized Optional<Kept> find(String digest) {
        require(digest);
        return Optional.ofNullable(contents.get(digest))
                .map(content -> new Kept(digest, content.bytes.length, content.put));
    }

    @Override
    public synchronized boolean remove(String digest, Instant before) {
        require(digest);
        var content = contents.get(digest);
        return content != null && content.put.isBefore(before) && contents.remove(digest) != null;
    }

    @Override
    public synchronized List<Kept> list(String after, int limit) {
        return contents.tailMap(after, false).entrySet().stream()
                .limit(limit)
                .map(each ->
                        new Kept(each.getKey(), each.getValue().bytes.length, each.getValue().put))
                .toList();
    }

    private static void require(String digest) {
        if (!VerifiedBytes.isDigest(digest)) {
            throw new StoreCorrupt("looking for payload " + digest + ": no SHA-256 digest", null);
        }
    }

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public void close() {}
}
