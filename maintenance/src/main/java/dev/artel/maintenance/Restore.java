package dev.artel.maintenance;

import dev.artel.backup.BackupPlace;
import dev.artel.backup.CopiedStore;
import dev.artel.files.PrivateFiles;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.store.StoreException;
import dev.artel.store.sqlite.SqliteMaintenance;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/// Puts a backup into the place of a data folder whose orchestrator does not run.
public final class Restore {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Path data;

    /// Restores to the data folder `data`.
    public Restore(Path data) {
        this.data = data.toAbsolutePath().normalize();
    }

    /// What was restored.
    ///
    /// @param made when the backup was made
    /// @param before where the former data folder is now; empty if there was none
    public record Restored(long jobs, String made, Optional<Path> before) {}

    /// Restores `backup`. It is checked first; the former folder is put aside, not removed.
    ///
    /// @param replace whether a data folder that holds a database may be put aside
    /// @throws MaintenanceFailed if it cannot be done; the data folder is as it was then
    public Restored from(Path backup, boolean replace, Instant now) {
        var source = backup.toAbsolutePath().normalize();
        var attempted = "restore of " + source + " to " + data + ": ";
        if (!Files.exists(source)) {
            throw new MaintenanceFailed(attempted + "there is no such backup", null);
        }
        return from(
                attempted,
                beside -> {
                    if (Files.isDirectory(source)) {
                        copy(source, beside);
                    } else {
                        unpack(source, beside);
                    }
                    var made = check(beside, attempted).string("made").orElse("?");
                    Files.deleteIfExists(beside.resolve(DataFiles.MANIFEST));
                    return made;
                },
                replace,
                now);
    }

    /// Restores the copy that an orchestrator kept in `place` while it ran, up to the last that arrived there.
    ///
    /// @param replace whether a data folder that holds a database may be put aside
    /// @throws MaintenanceFailed if it cannot be done; the data folder is as it was then
    public Restored from(BackupPlace place, boolean replace, Instant now) {
        return from(
                "restore of the copy in " + place + " to " + data + ": ",
                beside -> new CopiedStore(place).into(beside).toString(),
                replace,
                now);
    }

    /// Fills an empty folder, and returns when the backup was made.
    private interface Filling {
        String fill(Path beside) throws IOException;
    }

    private Restored from(String attempted, Filling filling, boolean replace, Instant now) {
        var isOccupied = Files.exists(data.resolve(DataFiles.DATABASE));
        if (isOccupied && new SqliteMaintenance(data.resolve(DataFiles.DATABASE)).isHeld()) {
            throw new MaintenanceFailed(
                    attempted + "an orchestrator has the data folder open; stop it first", null);
        }
        if (isOccupied && !replace) {
            throw new MaintenanceFailed(
                    attempted
                            + "there are jobs in it; give --replace to put them aside, or choose"
                            + " another --data",
                    null);
        }
        var beside = data.resolveSibling(data.getFileName() + ".unfinished");
        try {
            DataFiles.remove(beside);
            if (beside.getParent() != null) {
                Files.createDirectories(beside.getParent());
            }
            DataFiles.privateFolder(beside);
            var made = filling.fill(beside);
            PrivateFiles.restrictTree(beside);
            var jobs = look(beside, attempted);
            var before = putAside(now);
            Files.move(beside, data, StandardCopyOption.ATOMIC_MOVE);
            return new Restored(jobs, made, before);
        } catch (StoreException failed) {
            throw new MaintenanceFailed(attempted + failed.getMessage(), failed);
        } catch (IOException failed) {
            throw new MaintenanceFailed(attempted + failed, failed);
        } finally {
            removeQuietly(beside);
        }
    }

    private static void copy(Path source, Path beside) throws IOException {
        var files = DataFiles.plainFiles(source);
        files.add(Path.of(DataFiles.DATABASE));
        files.add(Path.of(DataFiles.MANIFEST));
        for (var file : files) {
            var to = beside.resolve(file);
            Files.createDirectories(to.getParent());
            Files.copy(source.resolve(file), to, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private static void unpack(Path archive, Path beside) throws IOException {
        try (var in =
                new ZipInputStream(
                        new BufferedInputStream(Files.newInputStream(archive), 1 << 16))) {
            for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                var to = beside.resolve(entry.getName()).normalize();
                if (!to.startsWith(beside) || entry.isDirectory()) {
                    throw new IOException(
                            "it is no backup: it has an entry '" + entry.getName() + "'");
                }
                Files.createDirectories(to.getParent());
                Files.copy(in, to);
            }
        }
    }

    private static JsonObject check(Path beside, String attempted) throws IOException {
        var file = beside.resolve(DataFiles.MANIFEST);
        if (!Files.exists(file) || !Files.exists(beside.resolve(DataFiles.DATABASE))) {
            throw noBackup(
                    attempted,
                    DataFiles.MANIFEST + " or " + DataFiles.DATABASE + " is missing",
                    null);
        }
        JsonObject manifest;
        try {
            manifest =
                    JsonText.read(Files.readAllBytes(file)) instanceof JsonObject object
                            ? object
                            : JsonObject.EMPTY;
        } catch (MalformedJson malformed) {
            throw noBackup(attempted, DataFiles.MANIFEST + " cannot be read", malformed);
        }
        var digest = Digests.of(beside.resolve(DataFiles.DATABASE));
        if (!manifest.string("database_sha256").equals(Optional.of(digest))) {
            throw noBackup(attempted, "its database is not the one that was copied", null);
        }
        return manifest;
    }

    private static MaintenanceFailed noBackup(
            String attempted, String found, @Nullable Throwable cause) {
        return new MaintenanceFailed(
                attempted + "it is no whole backup: " + found + "; take another one", cause);
    }

    private static long look(Path beside, String attempted) {
        try {
            var findings = new SqliteMaintenance(beside.resolve(DataFiles.DATABASE)).look();
            if (!findings.damage().isEmpty()) {
                throw noBackup(attempted, "its database is damaged: " + findings.damage(), null);
            }
            return findings.jobs();
        } catch (StoreException unreadable) {
            throw noBackup(attempted, String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    private Optional<Path> putAside(Instant now) throws IOException {
        if (!Files.exists(data)) {
            return Optional.empty();
        }
        var aside = data.resolveSibling(data.getFileName() + ".before-" + STAMP.format(now));
        Files.move(data, aside, StandardCopyOption.ATOMIC_MOVE);
        return Optional.of(aside);
    }

    private static void removeQuietly(Path folder) {
        try {
            DataFiles.remove(folder);
        } catch (IOException left) {
            org.slf4j.LoggerFactory.getLogger(Restore.class)
                    .atWarn()
                    .addKeyValue("folder", folder)
                    .setCause(left)
                    .log("unfinished files could not be removed");
        }
    }
}
