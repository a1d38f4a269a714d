package dev.artel.actions;

import dev.artel.worker.InvalidInput;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

/// Files under one folder, which no name leads out of. A file is there in whole or not at all, and stays after a power failure. Safe
/// for use by many threads; of two writers of one file the last one wins.
final class FileStore {
    private static final int LONGEST_NAME = 500;
    private static final String UNFINISHED = ".unfinished-";

    /// How many folders the name of a file has: each may be new, and all of them are looked at by who lists files.
    private static final int MOST_FOLDERS = 16;

    /// How many files and folders are looked at for one list.
    private static final int MOST_ENTRIES = 100_000;

    /// What of the disk is not for files: where jobs are kept on the same one, they go on when files have filled it.
    private static final long SPARE_BYTES = 256L << 20;

    private final Path folder;
    private final int maxBytes;
    private final int mostEntries;
    private final ToLongFunction<Path> usableBytes;

    /// Held where a folder is made for a file, and where one is removed since it is empty.
    private final ReentrantLock folders = new ReentrantLock();

    private final BackgroundCall lists = new BackgroundCall("artel-file-list");

    FileStore(Path folder, int maxBytes) {
        this(folder, maxBytes, MOST_ENTRIES, FileStore::usableBytes);
    }

    /// @param mostEntries how many files and folders are looked at for one list
    /// @param usableBytes how much room the disk of a folder has
    FileStore(Path folder, int maxBytes, int mostEntries, ToLongFunction<Path> usableBytes) {
        this.folder = folder.toAbsolutePath().normalize();
        this.maxBytes = maxBytes;
        this.mostEntries = mostEntries;
        this.usableBytes = usableBytes;
    }

    private static long usableBytes(Path folder) {
        var file = folder.toFile();
        var usable = file.getUsableSpace();
        // Both are 0 where the system does not say.
        return usable == 0 && file.getTotalSpace() == 0 ? Long.MAX_VALUE : usable;
    }

    /// What is known of a file.
    record StoredFile(String path, long bytes, String sha256) {}

    StoredFile write(String name, byte[] content, boolean overwrites) throws IOException {
        requireSize(name, content.length);
        var target = resolve(name);
        requireDepth(name, target);
        var unfinished = begin(name, target, content.length);
        var isDone = false;
        try {
            Files.write(unfinished, content);
            force(unfinished);
            move(name, unfinished, target, overwrites);
            forceFolder(folderOf(target));
            isDone = true;
        } finally {
            Files.deleteIfExists(unfinished);
            if (!isDone) {
                removeEmpty(folderOf(target));
            }
        }
        return new StoredFile(relative(folder, target), content.length, sha256(content));
    }

    /// Makes the file that becomes `target`, and the folders that it needs, which nobody removes in between.
    private Path begin(String name, Path target, int bytes) throws IOException {
        folders.lock();
        try {
            Files.createDirectories(folder);
            requireInside(name, nearest(folderOf(target)));
            requireRoom(name, bytes);
            Files.createDirectories(folderOf(target));
            return Files.createTempFile(folderOf(target), UNFINISHED, ".tmp");
        } finally {
            folders.unlock();
        }
    }

    /// A link to the finished file is made where nothing may be replaced: it fails if the name is taken.
    private static void move(String name, Path unfinished, Path target, boolean overwrites)
            throws IOException {
        if (overwrites) {
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
            return;
        }
        try {
            Files.createLink(target, unfinished);
        } catch (FileAlreadyExistsException taken) {
            throw new InvalidInput(
                    "the file '" + name + "' is there already, and overwrite is false", taken);
        }
    }

    private static void force(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void forceFolder(Path dir) throws IOException {
        try {
            force(dir);
        } catch (NoSuchFileException _) {
            // The file was deleted as soon as it was there, and its folder with it.
        }
    }

    byte[] read(String name) throws IOException {
        var file = existing(name);
        requireSize(name, Files.size(file));
        return Files.readAllBytes(file);
    }

    boolean exists(String name) throws IOException {
        var file = resolve(name);
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isInside(folderOf(file));
    }

    /// Deletes a file, and the folders that it leaves empty.
    ///
    /// @return whether there was one
    boolean delete(String name) throws IOException {
        if (!exists(name)) {
            return false;
        }
        var file = resolve(name);
        var isDeleted = Files.deleteIfExists(file);
        removeEmpty(folderOf(file));
        return isDeleted;
    }

    /// Removes `empty` and the folders above it, as far as there is nothing in them.
    private void removeEmpty(Path empty) throws IOException {
        folders.lock();
        try {
            var dir = empty;
            // To remove a symbolic link would remove no folder.
            while (!dir.equals(folder) && Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(dir);
                dir = folderOf(dir);
            }
        } catch (FileSystemException _) {
            // It has other files, or is not to be removed, as where a disk is mounted: it stays.
        } finally {
            folders.unlock();
        }
    }

    /// The names of files that begin with `prefix`, sorted. Looks at nothing outside of the folder that `prefix` names.
    ///
    /// @throws InvalidInput if there is more in that folder than is looked at
    NameSearch.Found list(String prefix, int most) throws IOException {
        try {
            return lists.run(() -> found(prefix, most));
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private NameSearch.Found found(String prefix, int most) {
        try {
            if (!Files.isDirectory(folder)) {
                return NameSearch.Found.NOTHING;
            }
            var top = folder.toRealPath();
            var named = prefix.substring(0, prefix.lastIndexOf('/') + 1);
            var start = top.resolve("./" + named).normalize();
            var isInside =
                    start.startsWith(top)
                            && (relative(top, start) + "/").equals(named.isEmpty() ? "/" : named)
                            && Files.isDirectory(start)
                            && start.toRealPath().equals(start);
            return isInside
                    ? NameSearch.of(
                            top,
                            start,
                            name -> name.startsWith(prefix) && !isUnfinished(Path.of(name)),
                            most,
                            mostEntries)
                    : NameSearch.Found.NOTHING;
        } catch (InvalidPathException malformed) {
            throw new InvalidInput("'" + prefix + "' is no beginning of a name", malformed);
        } catch (NoSuchFileException _) {
            return NameSearch.Found.NOTHING; // deleted meanwhile
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean isUnfinished(Path file) {
        return file.getFileName().toString().startsWith(UNFINISHED);
    }

    private Path existing(String name) throws IOException {
        if (!exists(name)) {
            throw new InvalidInput("there is no file '" + name + "' in the folder of the actions");
        }
        return resolve(name);
    }

    private Path resolve(String name) {
        try {
            var file = folder.resolve(name).normalize();
            if (!name.isBlank()
                    && name.length() <= LONGEST_NAME
                    && !Path.of(name).isAbsolute()
                    && file.startsWith(folder)
                    && !file.equals(folder)
                    && !isUnfinished(file)) {
                return file;
            }
        } catch (InvalidPathException malformed) {
            throw new InvalidInput("'" + name + "' is no name of a file", malformed);
        }
        throw new InvalidInput(
                "a file is named like reports/2026.md, inside of the folder of the actions and with at most "
                        + LONGEST_NAME
                        + " characters, was '"
                        + shown(name)
                        + "'");
    }

    private static String shown(String name) {
        return name.length() <= 100 ? name : name.substring(0, 100) + "...";
    }

    /// What is in the folder has a parent.
    private static Path folderOf(Path file) {
        return Objects.requireNonNull(file.getParent(), "a file has a folder");
    }

    /// The folder itself, or the closest one above it that is there: what is made is made below it.
    private static Path nearest(Path folder) {
        var there = folder;
        while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            there = folderOf(there);
        }
        return there;
    }

    private void requireInside(String name, Path parent) throws IOException {
        if (!isInside(parent)) {
            throw new InvalidInput(
                    "'" + name + "' leads out of the folder of the actions by a symbolic link");
        }
    }

    private boolean isInside(Path parent) throws IOException {
        return Files.isDirectory(parent) && parent.toRealPath().startsWith(folder.toRealPath());
    }

    private void requireRoom(String name, int bytes) throws IOException {
        var usable = usableBytes.applyAsLong(folder);
        if (usable - bytes < SPARE_BYTES) {
            throw new IOException(
                    String.format(
                            Locale.ROOT,
                            "no room for the file '%s': the disk has %,d bytes left, and %,d of them are not for files; make room",
                            shown(name),
                            usable,
                            SPARE_BYTES));
        }
    }

    private void requireDepth(String name, Path file) {
        if (folder.relativize(file).getNameCount() - 1 > MOST_FOLDERS) {
            throw new InvalidInput(
                    "the name '" + shown(name) + "' has more than " + MOST_FOLDERS + " folders");
        }
    }

    private void requireSize(String name, long bytes) {
        if (bytes > maxBytes) {
            throw new InvalidInput(
                    String.format(
                            Locale.ROOT,
                            "the file '%s' has %,d bytes; at most %,d are allowed (actions.max-bytes)",
                            name,
                            bytes,
                            maxBytes));
        }
    }

    /// The name of `file`, which is in `folder`, with `/` between folders.
    static String relative(Path folder, Path file) {
        return folder.relativize(file).toString().replace(File.separatorChar, '/');
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
