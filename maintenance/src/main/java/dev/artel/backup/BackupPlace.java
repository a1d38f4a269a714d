package dev.artel.backup;

import dev.artel.config.BackupSettings;
import dev.artel.files.PrivateFiles;
import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.NamedContents;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.store.files.FileBytes;
import dev.artel.store.files.FolderObjectStore;
import dev.artel.store.files.NamedFiles;
import dev.artel.store.s3.S3NamedContents;
import dev.artel.store.s3.S3ObjectStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/// Where copies are: contents under their digests, and the head, which names those with which to begin.
public final class BackupPlace implements AutoCloseable {
    private static final String OBJECTS = "objects";
    private static final int PIECE = 1 << 16;

    /// How much of the memory is taken at most by what is read as a whole.
    private static final int PART_OF_MEMORY = 4;

    private final ObjectStore objects;
    private final NamedContents names;
    private final String shown;

    private BackupPlace(ObjectStore objects, NamedContents names, String shown) {
        this.objects = objects;
        this.names = names;
        this.shown = shown;
    }

    /// The place that `settings` name, to write to; a folder is made, for its owner only, since there are tokens in copies.
    ///
    /// @throws dev.artel.kernel.store.StoreException if it cannot be used
    public static BackupPlace open(BackupSettings settings) {
        return switch (settings.to().orElseThrow()) {
            case BackupSettings.Folder(var path) -> {
                madePrivate(path);
                yield new BackupPlace(
                        FolderObjectStore.open(path.resolve(OBJECTS)),
                        NamedFiles.in(path),
                        path.toString());
            }
            case BackupSettings.Bucket bucket -> inBucket(bucket, settings);
        };
    }

    /// The place that `settings` name, to read from.
    ///
    /// @throws dev.artel.kernel.store.StoreException if it cannot be used
    public static BackupPlace lookInto(BackupSettings settings) {
        return switch (settings.to().orElseThrow()) {
            case BackupSettings.Folder(var path) ->
                    new BackupPlace(
                            FolderObjectStore.lookInto(path.resolve(OBJECTS)),
                            NamedFiles.in(path),
                            path.toString());
            case BackupSettings.Bucket bucket -> inBucket(bucket, settings);
        };
    }

    private static BackupPlace inBucket(BackupSettings.Bucket bucket, BackupSettings settings) {
        var place = settings.s3().withBucket(bucket.name()).withPrefix(bucket.prefix());
        return new BackupPlace(
                S3ObjectStore.open(place.withPrefix(bucket.prefix() + OBJECTS + "/")),
                S3NamedContents.in(place),
                place.toString());
    }

    private static void madePrivate(Path folder) {
        try {
            PrivateFiles.makeFolder(folder);
        } catch (IOException e) {
            throw new dev.artel.kernel.store.StoreException.StoreUnavailable(
                    "making the folder for copies "
                            + folder
                            + ": found "
                            + e
                            + "; make it, or choose another backup.to",
                    e);
        }
    }

    /// The head; none if there is no copy yet.
    Optional<Head> head() {
        return names.read(Head.NAME).map(Head::read);
    }

    void head(Head head) {
        names.write(Head.NAME, head.write());
    }

    ObjectStore objects() {
        return objects;
    }

    /// Keeps `content` and reads it back.
    ///
    /// @return its digest
    String keep(byte[] content) {
        var digest = VerifiedBytes.digestOf(content);
        keep(digest, content.length, () -> new BytesInMemory(content));
        return digest;
    }

    /// Keeps the first `length` bytes of `file` and reads them back, piece by piece.
    ///
    /// @return their digest
    /// @throws IllegalArgumentException if they change meanwhile; they were not kept
    /// @throws java.nio.file.NoSuchFileException if the file is gone
    /// @throws StoreUnavailable if it cannot be read, or is gone
    String keep(Path file, long length) throws IOException {
        String digest;
        try (var bytes = FirstBytes.of(file, length)) {
            digest = VerifiedBytes.digestOf(bytes);
        }
        keep(digest, length, () -> opened(file, length));
        return digest;
    }

    private static ObjectStore.Bytes opened(Path file, long length) {
        try {
            return FirstBytes.of(file, length);
        } catch (IOException e) {
            throw new StoreUnavailable(
                    "reading " + file + " for the copy: found " + e + "; the next look sees it", e);
        }
    }

    private void keep(String digest, long length, Supplier<ObjectStore.Bytes> content) {
        objects.put(digest, length, content);
        try {
            check(digest);
        } catch (StoreCorrupt torn) {
            // One that was there already and is not what it was.
            objects.remove(digest, Instant.MAX);
            objects.put(digest, length, content);
            check(digest);
        }
    }

    /// The beginning of a file that may grow.
    private static final class FirstBytes implements ObjectStore.Bytes {
        private final FileBytes bytes;
        private long left;

        private FirstBytes(FileBytes bytes, long length) {
            this.bytes = bytes;
            this.left = length;
        }

        static FirstBytes of(Path file, long length) throws IOException {
            return new FirstBytes(FileBytes.open(file), length);
        }

        @Override
        public int read(byte[] into, int offset, int most) {
            if (left == 0) {
                return -1;
            }
            var read = bytes.read(into, offset, (int) Math.min(most, left));
            left -= Math.max(0, read);
            return read;
        }

        @Override
        public void close() {
            bytes.close();
        }
    }

    /// The content of `digest`, which is small enough for memory.
    ///
    /// @throws StoreCorrupt if it is not there, not what it was, or not small enough
    byte[] read(String digest) {
        var bytes = objects.find(digest).map(ObjectStore.Kept::bytes).orElse(0L);
        var most = Runtime.getRuntime().maxMemory() / PART_OF_MEMORY;
        if (bytes > most) {
            throw new StoreCorrupt(
                    "reading "
                            + digest
                            + " of the copy in "
                            + this
                            + ": it has "
                            + bytes
                            + " bytes, more than "
                            + most
                            + "; restore with more memory (-Xmx), or another backup",
                    null);
        }
        var all = new ByteArrayOutputStream();
        pieces(digest, all::write);
        return all.toByteArray();
    }

    /// Writes the content of `digest` to `file`, piece by piece.
    ///
    /// @throws StoreCorrupt if it is not there, or not what it was
    void copy(String digest, Path file) throws IOException {
        try (var out = Files.newOutputStream(file)) {
            pieces(digest, out::write);
        }
    }

    private void check(String digest) {
        pieces(digest, (_, _, _) -> {});
    }

    /// What takes the pieces of a content.
    @FunctionalInterface
    private interface Taking<E extends Exception> {
        void take(byte[] from, int offset, int length) throws E;
    }

    private <E extends Exception> void pieces(String digest, Taking<E> taking) throws E {
        try (var bytes =
                objects.open(digest)
                        .orElseThrow(() ->
                                new StoreCorrupt(
                                        "reading "
                                                + digest
                                                + " of the copy in "
                                                + this
                                                + ": it is not there; restore another backup",
                                        null))) {
            var piece = new byte[PIECE];
            for (var read = bytes.read(piece, 0, PIECE);
                    read >= 0;
                    read = bytes.read(piece, 0, PIECE)) {
                taking.take(piece, 0, read);
            }
        }
    }

    @Override
    public String toString() {
        return shown;
    }

    @Override
    public void close() {
        names.close();
        objects.close();
    }
}
