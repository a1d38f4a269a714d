package dev.artel.actions;

import dev.artel.worker.InvalidInput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// Files under one folder, which no name leads out of. A file is there in whole or not at all, and stays after a power failure. Safe
/// for use by many threads; of two writers of one file the last one wins.
final class FileStore {
    private static final int LONGEST_NAME = 500;
    private static final String UNFINISHED = ".unfinished-";

    private final Path folder;
    private final int maxBytes;

    FileStore(Path folder, int maxBytes) {
        this.folder = folder.toAbsolutePath().normalize();
        this.maxBytes = maxBytes;
    }

    /// What is known of a file.
    record StoredFile(String path, long bytes, String sha256) {}

    StoredFile write(String name, byte[] content, boolean overwrites) throws IOException {
        requireSize(name, content.length);
        var target = resolve(name);
        Files.createDirectories(folder);
        requireInside(name, nearest(folderOf(target)));
        Files.createDirectories(folderOf(target));
        var unfinished = Files.createTempFile(folderOf(target), UNFINISHED, ".tmp");
        try {
            Files.write(unfinished, content);
            force(unfinished);
            move(name, unfinished, target, overwrites);
            force(folderOf(target));
        } finally {
            Files.deleteIfExists(unfinished);
        }
        return new StoredFile(relative(target), content.length, sha256(content));
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

    byte[] read(String name) throws IOException {
        var file = existing(name);
        requireSize(name, Files.size(file));
        return Files.readAllBytes(file);
    }

    boolean exists(String name) throws IOException {
        var file = resolve(name);
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isInside(folderOf(file));
    }

    /// Deletes a file.
    ///
    /// @return whether there was one
    boolean delete(String name) throws IOException {
        return exists(name) && Files.deleteIfExists(resolve(name));
    }

    /// The names of files that begin with `prefix`, sorted.
    List<String> list(String prefix, int most) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.walk(folder)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .filter(file -> !file.getFileName().toString().startsWith(UNFINISHED))
                    .map(this::relative)
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .limit(most)
                    .toList();
        }
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
                    && !file.getFileName().toString().startsWith(UNFINISHED)) {
                return file;
            }
        } catch (InvalidPathException malformed) {
            throw new InvalidInput("'" + name + "' is no name of a file", malformed);
        }
        throw new InvalidInput(
                "a file is named like reports/2026.md, inside of the folder of the actions and with at most "
                        + LONGEST_NAME
                        + " characters, was '"
                        + (name.length() <= 100 ? name : name.substring(0, 100) + "...")
                        + "'");
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

    private String relative(Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
