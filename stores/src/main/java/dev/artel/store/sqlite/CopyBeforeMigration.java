package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a store as it was before its tables are brought to this version: `NAME.schema-VERSION-TIME` beside it. The newest
/// [#KEPT] stay.
final class CopyBeforeMigration {
    /// How many stay.
    static final int KEPT = 2;

    private static final Logger LOG = LoggerFactory.getLogger(CopyBeforeMigration.class);
    private static final String MARK = ".schema-";
    private static final String UNFINISHED = ".unfinished";

    /// So that names in their order are in that of time.
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final Path file;
    private final Path folder;
    private final InstantSource clock;
    private final Room room;

    /// How much a folder still takes.
    @FunctionalInterface
    interface Room {
        long bytes(Path folder) throws IOException;
    }

    CopyBeforeMigration(Path file, InstantSource clock, Room room) {
        this.file = file.toAbsolutePath();
        this.folder = Objects.requireNonNull(this.file.getParent(), "a file is in a folder");
        this.clock = clock;
        this.room = room;
    }

    /// Makes a copy of the tables of `version`; durable when the call returns.
    ///
    /// @throws StoreUnavailable if it cannot be made
    void make(String version) {
        var copy =
                file.resolveSibling(
                        file.getFileName() + MARK + version + "-" + TIME.format(clock.instant()));
        var half = copy.resolveSibling(copy.getFileName() + UNFINISHED);
        try {
            remove(others().stream().filter(CopyBeforeMigration::isUnfinished).toList());
            checkRoom();
            like(half);
            new SqliteMaintenance(file).copyTo(half);
            try (var written = FileChannel.open(half, StandardOpenOption.WRITE)) {
                written.force(true);
            }
            Files.move(half, copy, StandardCopyOption.ATOMIC_MOVE);
            var all = others();
            remove(all.subList(0, Math.max(0, all.size() - KEPT)));
        } catch (IOException failed) {
            throw refused(failed.toString(), failed);
        }
        LOG.atInfo()
                .addKeyValue("copy", copy)
                .addKeyValue("schema", version)
                .log("the store was copied before its schema changes");
    }

    private void checkRoom() throws IOException {
        var needed = Files.size(file);
        var log = file.resolveSibling(file.getFileName() + "-wal");
        needed += Files.exists(log) ? Files.size(log) : 0;
        var left = room.bytes(folder);
        if (left < needed) {
            throw refused(
                    "it takes up to "
                            + mebibytes(needed)
                            + " MiB, and the folder has room for "
                            + left / (1 << 20)
                            + " MiB",
                    null);
        }
    }

    private static long mebibytes(long bytes) {
        return (bytes + (1 << 20) - 1) / (1 << 20);
    }

    private StoreUnavailable refused(
            String found, @org.jspecify.annotations.Nullable IOException cause) {
        return StoreFile.refusal(
                file,
                "its tables are of an earlier version, and a copy could not be made before they are"
                        + " brought to this one: "
                        + found,
                "make room in "
                        + folder
                        + " and start again; nothing was changed, so that the former version still"
                        + " runs on it",
                cause);
    }

    /// An empty file that those may read who may read the store.
    private void like(Path half) throws IOException {
        var permissions = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (permissions != null) {
            Files.createFile(
                    half,
                    PosixFilePermissions.asFileAttribute(
                            permissions.readAttributes().permissions()));
        } else {
            Files.createFile(half);
        }
    }

    /// The oldest first.
    private List<Path> others() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(each ->
                            each.getFileName().toString().startsWith(file.getFileName() + MARK))
                    .sorted(Comparator.comparing(CopyBeforeMigration::time))
                    .toList();
        }
    }

    private static String time(Path copy) {
        var name = copy.getFileName().toString();
        return name.substring(name.lastIndexOf('-') + 1);
    }

    private static boolean isUnfinished(Path copy) {
        return copy.toString().contains(UNFINISHED);
    }

    private static void remove(List<Path> copies) throws IOException {
        for (var copy : copies) {
            Files.deleteIfExists(copy);
        }
    }
}
