package dev.artel.store.files;

import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreFull;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.VerifiedBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// Keeps each content as a file named by its SHA-256: `ab/cd/abcd...`. A file is whole from the moment it has its name,
/// and is never changed; when it was put last is the time of its last change. What a crash leaves half written is
/// removed when the store is opened.
public final class FolderObjectStore implements ObjectStore {
    private static final String UNFINISHED = "unfinished";
    private static final int FAN_OUT = 2;
    private static final int LOCKS = 64;

    /// A write that failed with less room than this failed for it.
    private static final long SPARE_BYTES = 1 << 20;

    private final Path folder;
    private final Path unfinished;

    /// Held while a thread puts or removes a content; one for many of them.
    private final List<ReentrantLock> locks = new ArrayList<>();

    private FolderObjectStore(Path folder) {
        this.folder = folder;
        this.unfinished = folder.resolve(UNFINISHED);
        for (var i = 0; i < LOCKS; i++) {
            locks.add(new ReentrantLock());
        }
    }

    /// The store in `folder`, which is made if it is not there. It belongs to one orchestrator at a time.
    ///
    /// @throws StoreUnavailable if the folder cannot be used
    public static FolderObjectStore open(Path folder) {
        var store = new FolderObjectStore(folder.toAbsolutePath());
        try {
            Files.createDirectories(store.unfinished);
            try (var left = Files.newDirectoryStream(store.unfinished)) {
                for (var file : left) {
                    Files.delete(file);
                }
            }
            return store;
        } catch (IOException e) {
            throw new StoreUnavailable(
                    "opening payload store "
                            + store.folder
                            + ": found "
                            + e
                            + "; make it a folder that the user "
                            + System.getProperty("user.name")
                            + " can write",
                    e);
        }
    }

    /// The store in `folder`, for those who only look at it: nothing is made or removed.
    public static FolderObjectStore lookInto(Path folder) {
        return new FolderObjectStore(folder.toAbsolutePath());
    }

    @Override
    public void put(String digest, long bytes, Supplier<Bytes> content) {
        var file = fileOf(digest);
        var lock = lockOf(digest);
        lock.lock();
        try {
            if (Files.exists(file) && Files.size(file) == bytes) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            } else {
                try (var checked =
                        new VerifiedBytes(content.get(), digest, bytes, refusal(digest))) {
                    DurableFiles.write(checked, Files.createTempFile(unfinished, digest, ""), file);
                }
            }
            // Also for a file that was there: its writer may not have synced it yet.
            DurableFiles.syncFolders(file, folder);
        } catch (IOException e) {
            throw failed(digest, bytes, e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Bytes> open(String digest) {
        var file = fileOf(digest);
        try {
            return Optional.of(
                    new VerifiedBytes(
                            FileBytes.open(file),
                            digest,
                            found ->
                                    new StoreCorrupt(
                                            "reading payload "
                                                    + file
                                                    + ": "
                                                    + found
                                                    + "; restore the file from a backup",
                                            null)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    @Override
    public Optional<Bytes> open(String digest, long from, int bytes) {
        var file = fileOf(digest);
        try {
            return Optional.of(FileBytes.open(file, from, bytes));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    @Override
    public Optional<Kept> find(String digest) {
        var file = fileOf(digest);
        try {
            return Optional.of(kept(file));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    @Override
    public boolean remove(String digest, Instant before) {
        var file = fileOf(digest);
        var lock = lockOf(digest);
        lock.lock();
        try {
            return Files.exists(file)
                    && Files.getLastModifiedTime(file).toInstant().isBefore(before)
                    && Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new StoreUnavailable(
                    "removing payload " + file + ": found " + e + "; check the disk", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Kept> list(String after, int limit) {
        var found = new ArrayList<Kept>();
        try {
            for (var outer : named(folder, after.length() < FAN_OUT ? "" : after.substring(0, 2))) {
                for (var inner : named(outer, behind(outer, after))) {
                    for (var file : named(inner, after)) {
                        var name = file.getFileName().toString();
                        if (VerifiedBytes.isDigest(name) && name.compareTo(after) > 0) {
                            addTo(found, file);
                        }
                        if (found.size() == limit) {
                            return found;
                        }
                    }
                }
            }
            return found;
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    private static void addTo(List<Kept> found, Path file) throws IOException {
        try {
            found.add(kept(file));
        } catch (NoSuchFileException _) {
            // removed meanwhile
        }
    }

    private static Kept kept(Path file) throws IOException {
        return new Kept(
                file.getFileName().toString(),
                Files.size(file),
                Files.getLastModifiedTime(file).toInstant());
    }

    /// The second part of the path, where the first one is that of `after`.
    private static String behind(Path outer, String after) {
        return after.length() >= 2 * FAN_OUT
                        && outer.getFileName().toString().equals(after.substring(0, FAN_OUT))
                ? after.substring(FAN_OUT, 2 * FAN_OUT)
                : "";
    }

    /// What is in `place` with names from `first` on, in order.
    private static List<Path> named(Path place, String first) throws IOException {
        var found = new ArrayList<Path>();
        try (var all = Files.newDirectoryStream(place)) {
            for (var each : all) {
                var name = each.getFileName().toString();
                if (!name.equals(UNFINISHED) && name.compareTo(first) >= 0) {
                    found.add(each);
                }
            }
        } catch (NotDirectoryException | NoSuchFileException _) {
            return List.of(); // nothing of ours, or not there yet
        }
        found.sort(null);
        return found;
    }

    @Override
    public String place() {
        return folder.toString();
    }

    @Override
    public void close() {}

    private ReentrantLock lockOf(String digest) {
        return locks.get(Math.floorMod(digest.hashCode(), LOCKS));
    }

    private Path fileOf(String digest) {
        if (!VerifiedBytes.isDigest(digest)) {
            throw new StoreCorrupt(
                    "looking for payload " + digest + " in " + folder + ": no SHA-256 digest",
                    null);
        }
        return folder.resolve(digest.substring(0, FAN_OUT))
                .resolve(digest.substring(FAN_OUT, 2 * FAN_OUT))
                .resolve(digest);
    }

    private static Function<String, IllegalArgumentException> refusal(String digest) {
        return found ->
                new IllegalArgumentException(
                        "keeping payload " + digest + ": " + found + "; nothing was kept");
    }

    private StoreException failed(String digest, long bytes, IOException failure) {
        var what =
                "keeping payload " + digest + " of " + bytes + " bytes in " + folder + ": found ";
        return hasRoom(bytes)
                ? new StoreUnavailable(what + failure + "; check the disk", failure)
                : new StoreFull(
                        what + failure + "; make room on the disk, it then goes on", failure);
    }

    private boolean hasRoom(long bytes) {
        try {
            return UsableSpace.of(folder) > bytes + SPARE_BYTES;
        } catch (IOException e) {
            return true; // then room is not what is missing
        }
    }

    private static StoreUnavailable unreadable(Path file, IOException failure) {
        return new StoreUnavailable(
                "reading payload " + file + ": found " + failure + "; check the disk", failure);
    }
}
