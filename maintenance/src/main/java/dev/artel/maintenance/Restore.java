package dev.artel.maintenance;

import dev.artel.backup.BackupPlace;
import dev.artel.backup.CopiedStore;
import dev.artel.files.PrivateFiles;
import dev.artel.kernel.store.StoreException;
import dev.artel.store.files.UsableSpace;
import dev.artel.store.sqlite.SqliteMaintenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// Puts a backup into the place of a data folder whose orchestrator does not run.
public final class Restore {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String BLUEPRINTS = "blueprints/";

    private static final Kept CARDS = new Kept("cards", "", "card");
    private static final Kept SCHEDULES = new Kept("artel.schedules", "definition ", "schedule");
    private static final Kept WEBHOOKS = new Kept("artel.webhooks", "subscription ", "webhook");

    private final Path data;
    private final boolean isUnchecked;

    /// Restores to the data folder `data`.
    public Restore(Path data) {
        this(data, false);
    }

    private Restore(Path data, boolean isUnchecked) {
        this.data = data.toAbsolutePath().normalize();
        this.isUnchecked = isUnchecked;
    }

    /// The same that also takes backups whose `backup.json` does not name their files, as versions before wrote it: all
    /// files that are in it, as they are. The database must be the one of which such a version wrote the SHA-256.
    public Restore unchecked() {
        return new Restore(data, true);
    }

    /// What was restored.
    ///
    /// @param made when the backup was made
    /// @param before where the former data folder is now; empty if there was none
    /// @param code the jars and cards of blueprints that it brought, by their names in the data folder, in order, and the cards of its database
    /// @param tokens the files with tokens and rights of clients and workers that it brought, as well
    /// @param settings the files that begin or bound jobs which it brought, and what of its database begins jobs or sends what becomes of them
    public record Restored(
            long jobs,
            String made,
            Optional<Path> before,
            List<String> code,
            List<String> tokens,
            List<String> settings) {
        /// Copies the lists.
        public Restored {
            code = List.copyOf(code);
            tokens = List.copyOf(tokens);
            settings = List.copyOf(settings);
        }
    }

    /// What a database has that somebody should look at before a start.
    ///
    /// @param space of the key-value store
    /// @param prefix of the keys
    private record Kept(String space, String prefix, String one) {
        private static final int MOST = 20;

        /// The name of each, and how many more there are.
        Stream<String> names(SqliteMaintenance store) {
            var entries = store.entries(space, prefix, MOST);
            var more = entries.all() - entries.first().size();
            var named =
                    entries.first().stream()
                            .map(key -> key.substring(prefix.length()))
                            .map(name -> one + " " + BackupFiles.shown(name) + " of the database");
            return more > 0 ? Stream.concat(named, Stream.of(more + " more of these")) : named;
        }
    }

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
                    try (var files = BackupFiles.open(source)) {
                        return take(files, beside, attempted);
                    }
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
            var names = DataFiles.plainFiles(beside).stream().map(DataFiles::name).toList();
            var store = new SqliteMaintenance(beside.resolve(DataFiles.DATABASE));
            var code =
                    Stream.concat(
                                    names.stream()
                                            .filter(name -> name.startsWith(BLUEPRINTS))
                                            .map(BackupFiles::shown),
                                    CARDS.names(store))
                            .toList();
            var settings =
                    Stream.of(
                                    names.stream().filter(DataFiles.WITH_SETTINGS::contains),
                                    SCHEDULES.names(store),
                                    WEBHOOKS.names(store))
                            .flatMap(Function.identity())
                            .toList();
            var before = putAside(now);
            Files.move(beside, data, StandardCopyOption.ATOMIC_MOVE);
            return new Restored(
                    jobs,
                    made,
                    before,
                    code,
                    names.stream().filter(DataFiles.WITH_TOKENS::contains).toList(),
                    settings);
        } catch (StoreException failed) {
            throw new MaintenanceFailed(attempted + failed.getMessage(), failed);
        } catch (UnreadableName odd) {
            throw new MaintenanceFailed(attempted + odd.getMessage(), odd);
        } catch (IOException failed) {
            throw new MaintenanceFailed(attempted + failed, failed);
        } finally {
            removeQuietly(beside);
        }
    }

    /// Writes the files of a backup to `beside`: those that its manifest names, and only if they are what it says.
    ///
    /// @return when the backup was made
    private String take(BackupFiles files, Path beside, String attempted) throws IOException {
        var manifest = manifest(files, attempted);
        var names = files.names();
        if (!names.contains(DataFiles.DATABASE)) {
            throw noBackup(attempted, DataFiles.DATABASE + " is missing", null);
        }
        if (manifest.files().isEmpty()) {
            if (!isUnchecked) {
                throw new MaintenanceFailed(
                        attempted
                                + DataFiles.MANIFEST
                                + " does not name its files, as an older version wrote it; if you"
                                + " trust all that is in it, give --unchecked",
                        null);
            }
            for (var name : names) {
                var most = UsableSpace.of(beside);
                var content = write(files, name, beside, most);
                if (name.equals(DataFiles.DATABASE)
                        && !manifest.database().orElse(content.sha256()).equals(content.sha256())) {
                    throw noBackup(attempted, name + " is not what was copied", null);
                }
            }
            return manifest.made();
        }
        var named = manifest.files().get();
        for (var name : names) {
            if (!named.containsKey(name)) {
                throw noBackup(
                        attempted,
                        DataFiles.MANIFEST + " does not name " + BackupFiles.shown(name),
                        null);
            }
        }
        for (var name : named.keySet()) {
            if (!names.contains(name)) {
                throw noBackup(attempted, BackupFiles.shown(name) + " is missing", null);
            }
        }
        checkRoom(manifest, beside, attempted);
        for (var file : named.entrySet()) {
            var name = file.getKey();
            var content = file.getValue();
            try {
                if (write(files, name, beside, content.bytes()).equals(content)) {
                    continue;
                }
            } catch (ZipException torn) {
                throw noBackup(attempted, BackupFiles.shown(name) + ": " + torn.getMessage(), torn);
            } catch (Digests.TooLarge larger) {
                throw noBackup(
                        attempted,
                        BackupFiles.shown(name) + " is not what was copied: " + larger.getMessage(),
                        larger);
            }
            throw noBackup(attempted, BackupFiles.shown(name) + " is not what was copied", null);
        }
        return manifest.made();
    }

    private static Manifest manifest(BackupFiles files, String attempted) throws IOException {
        try (var in = files.open(DataFiles.MANIFEST)) {
            return Manifest.read(in);
        } catch (NoSuchFileException missing) {
            throw noBackup(attempted, DataFiles.MANIFEST + " is missing", missing);
        }
    }

    private static void checkRoom(Manifest manifest, Path beside, String attempted)
            throws IOException {
        var room = UsableSpace.of(beside);
        var isEnough = false;
        var needed = "more";
        try {
            needed = manifest.bytes() + " bytes";
            isEnough = manifest.bytes() <= room;
        } catch (ArithmeticException larger) {
            // larger than any disk
        }
        if (!isEnough) {
            throw new MaintenanceFailed(
                    attempted
                            + "its files take "
                            + needed
                            + ", and there is room for "
                            + room
                            + " bytes; make room, or choose another --data",
                    null);
        }
    }

    private static Manifest.Content write(BackupFiles files, String name, Path beside, long most)
            throws IOException {
        var to = beside.resolve(name);
        Files.createDirectories(to.getParent());
        try (var in = files.open(name);
                var out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
            return Digests.copy(in, out, most);
        }
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
