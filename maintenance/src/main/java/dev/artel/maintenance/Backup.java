package dev.artel.maintenance;

import dev.artel.files.PrivateFiles;
import dev.artel.kernel.store.StoreException;
import dev.artel.store.sqlite.SqliteMaintenance;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// A copy of a data folder as it was at one moment, made while its orchestrator runs.
///
/// The database is copied first, as one snapshot; the large values that its events name were durable before the events
/// were and never change, so that whatever the snapshot names is among the files that are copied afterwards.
public final class Backup {
    private final Path data;
    private final boolean hasValues;

    /// A backup of the data folder `data`.
    ///
    /// @param hasValues whether large values are in it, rather than in a bucket
    public Backup(Path data, boolean hasValues) {
        this.data = data.toAbsolutePath().normalize();
        this.hasValues = hasValues;
    }

    /// What was copied.
    ///
    /// @param files how many files beside the database
    public record Copied(Path place, int files, long bytes) {}

    /// Copies to `target`: a file if its name ends with `.zip`, otherwise a folder; it must not exist. It is there,
    /// whole and durable, when the call returns, and otherwise not at all.
    ///
    /// @throws MaintenanceFailed if it cannot be done
    public Copied to(Path target, Instant now) {
        var place = target.toAbsolutePath().normalize();
        var attempted = "backup of " + data + " to " + place + ": ";
        var database = data.resolve(DataFiles.DATABASE);
        if (!Files.exists(database)) {
            throw new MaintenanceFailed(
                    attempted + "there is no " + database + "; name the data folder with --data",
                    null);
        }
        if (Files.exists(place)) {
            throw new MaintenanceFailed(
                    attempted + "it is there already; choose another name", null);
        }
        var beside = place.resolveSibling(place.getFileName() + ".unfinished");
        try {
            if (place.getParent() != null) {
                Files.createDirectories(place.getParent());
            }
            DataFiles.remove(beside);
            DataFiles.privateFolder(beside);
            new SqliteMaintenance(database).copyTo(beside.resolve(DataFiles.DATABASE));
            return DataFiles.isArchive(place) ? pack(beside, place, now) : copy(beside, place, now);
        } catch (StoreException failed) {
            throw new MaintenanceFailed(attempted + failed.getMessage(), failed);
        } catch (UnreadableName odd) {
            throw new MaintenanceFailed(attempted + odd.getMessage() + "; nothing was made", odd);
        } catch (IOException failed) {
            throw new MaintenanceFailed(attempted + failed + "; nothing was made", failed);
        } finally {
            removeQuietly(beside);
        }
    }

    private Copied copy(Path beside, Path place, Instant now) throws IOException {
        var named = new TreeMap<String, Manifest.Content>();
        named.put(DataFiles.DATABASE, Digests.of(beside.resolve(DataFiles.DATABASE)));
        var copied = new HashSet<String>();
        for (var file : DataFiles.plainFiles(data)) {
            var to = beside.resolve(file);
            Files.createDirectories(to.getParent());
            try {
                Files.copy(data.resolve(file), to, StandardCopyOption.COPY_ATTRIBUTES);
            } catch (NoSuchFileException gone) {
                continue; // an unfinished one, or a log that was put aside
            }
            sync(to);
            named.put(DataFiles.name(file), Digests.of(to));
            noteValue(file, copied);
        }
        checkValues(beside, copied);
        var manifest = Manifest.of(now.toString(), named);
        Files.write(beside.resolve(DataFiles.MANIFEST), manifest.write());
        sync(beside.resolve(DataFiles.DATABASE));
        sync(beside.resolve(DataFiles.MANIFEST));
        Files.move(beside, place, StandardCopyOption.ATOMIC_MOVE);
        return new Copied(place, named.size() - 1, manifest.bytes());
    }

    private Copied pack(Path beside, Path place, Instant now) throws IOException {
        var half = beside.resolve("archive.zip");
        var named = new TreeMap<String, Manifest.Content>();
        var copied = new HashSet<String>();
        try (var out =
                new ZipOutputStream(
                        new BufferedOutputStream(Files.newOutputStream(half), 1 << 16))) {
            out.setLevel(Deflater.BEST_SPEED);
            named.put(
                    DataFiles.DATABASE,
                    add(out, DataFiles.DATABASE, beside.resolve(DataFiles.DATABASE)));
            for (var file : DataFiles.plainFiles(data)) {
                try {
                    var name = DataFiles.name(file);
                    named.put(name, add(out, name, data.resolve(file)));
                    noteValue(file, copied);
                } catch (NoSuchFileException gone) {
                    // an unfinished one, or a log that was put aside
                }
            }
            checkValues(beside, copied);
            out.putNextEntry(new ZipEntry(DataFiles.MANIFEST));
            out.write(Manifest.of(now.toString(), named).write());
            out.closeEntry();
        }
        sync(half);
        PrivateFiles.restrict(half);
        if (Files.exists(place)) {
            throw new FileAlreadyExistsException(place.toString());
        }
        Files.move(half, place, StandardCopyOption.ATOMIC_MOVE);
        return new Copied(place, named.size() - 1, Files.size(place));
    }

    /// Others may have the name of a value elsewhere.
    private static void noteValue(Path file, Set<String> copied) {
        if (file.startsWith(DataFiles.PAYLOADS)) {
            copied.add(file.getFileName().toString());
        }
    }

    /// What no event named any more when it was the turn of its file may be named by the copy of the database, if copying
    /// took longer than such values are kept.
    private void checkValues(Path beside, Set<String> copied) {
        if (!hasValues) {
            return;
        }
        var unknown = new ArrayList<String>();
        var jobs = new SqliteMaintenance(beside.resolve(DataFiles.DATABASE));
        jobs.namedPayloads(digest -> {
            if (!copied.contains(digest)) {
                unknown.add(digest);
            }
        });
        var missing = unknown.stream().filter(jobs::isReference).toList();
        if (!missing.isEmpty()) {
            throw new MaintenanceFailed(
                    "backup of "
                            + data
                            + ": "
                            + missing.size()
                            + " large values that its jobs name are not in it, such as payload "
                            + missing.getFirst()
                            + "; ask ./artel doctor whether they are there, and make payloads.grace"
                            + " longer than a backup takes",
                    null);
        }
    }

    /// Opens the file before there is an entry of it, since it may be gone.
    private static Manifest.Content add(ZipOutputStream out, String name, Path file)
            throws IOException {
        try (var in = Files.newInputStream(file)) {
            out.putNextEntry(new ZipEntry(name));
            var written = Digests.copy(in, out);
            out.closeEntry();
            return written;
        }
    }

    private static void sync(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void removeQuietly(Path folder) {
        try {
            DataFiles.remove(folder);
        } catch (IOException left) {
            org.slf4j.LoggerFactory.getLogger(Backup.class)
                    .atWarn()
                    .addKeyValue("folder", folder)
                    .setCause(left)
                    .log("unfinished files could not be removed");
        }
    }
}
