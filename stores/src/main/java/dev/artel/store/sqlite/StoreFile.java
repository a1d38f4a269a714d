package dev.artel.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// The file of a store, held by one process at a time through a lock on a file beside it, which the system drops when
/// the process ends, however it ends.
final class StoreFile implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;

    private StoreFile(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /// @throws StoreUnavailable if the place cannot be used or another process has it
    static StoreFile hold(Path file) {
        var path = file.toAbsolutePath();
        checkPlace(path);
        var beside = path.resolveSibling(path.getFileName() + ".lock");
        try {
            return new StoreFile(path, locked(path, beside));
        } catch (IOException e) {
            throw refusal(
                    path, "cannot lock " + beside + " (" + e + ")", "check its permissions", e);
        }
    }

    Path path() {
        return path;
    }

    /// The file into which SQLite writes first.
    Path writeAheadLog() {
        return path.resolveSibling(path.getFileName() + "-wal");
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    static StoreUnavailable refusal(
            Path path, String found, String toDo, @Nullable Throwable cause) {
        return new StoreUnavailable("opening store " + path + ": " + found + "; " + toDo, cause);
    }

    private static void checkPlace(Path path) {
        var folder = path.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw refusal(
                    path,
                    "there is no folder " + folder,
                    "create it, or configure another place",
                    null);
        }
        if (Files.isDirectory(path)) {
            throw refusal(path, "it is a folder", "configure the name of a file", null);
        }
        var toWrite = Files.exists(path) ? path : folder;
        if (!Files.isWritable(toWrite)) {
            throw refusal(
                    path,
                    "no permission to write " + toWrite,
                    "give it to the user " + System.getProperty("user.name"),
                    null);
        }
    }

    private static FileChannel locked(Path path, Path beside) throws IOException {
        var channel =
                FileChannel.open(
                        beside,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw held(path, "process " + Files.readString(beside, UTF_8).strip());
            }
            var owner = Long.toString(ProcessHandle.current().pid());
            channel.truncate(0).write(ByteBuffer.wrap(owner.getBytes(UTF_8)), 0);
            return channel;
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw held(path, "this process");
        } catch (IOException | StoreUnavailable e) {
            channel.close();
            throw e;
        }
    }

    private static StoreUnavailable held(Path path, String owner) {
        return refusal(
                path,
                owner + " has it open",
                "stop that one first: a store belongs to one orchestrator",
                null);
    }
}
