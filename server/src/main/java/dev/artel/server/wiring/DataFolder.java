package dev.artel.server.wiring;

import dev.artel.backup.NotedValues;
import dev.artel.config.PayloadSettings;
import dev.artel.files.Instance;
import dev.artel.files.PrivateFiles;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.store.files.FolderObjectStore;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.store.s3.S3ObjectStore;
import dev.artel.store.sqlite.SqliteEventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where an orchestrator keeps what must outlive it.
final class DataFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    static final String DATABASE = "artel.db";
    private static final String PAYLOADS = "payloads";

    private final Path path;

    private DataFolder(Path path) {
        this.path = path;
    }

    /// The folder `path`, made if it is missing.
    ///
    /// @throws StartupException if it cannot be made or written to
    static DataFolder at(Path path) {
        var folder = path.toAbsolutePath().normalize();
        DiskRoom.await(folder);
        try {
            PrivateFiles.makeFolder(folder);
        } catch (IOException e) {
            throw new StartupException(
                    "cannot make the data folder "
                            + folder
                            + " ("
                            + e
                            + "); make it, or choose another --data",
                    e);
        }
        if (!Files.isWritable(folder)) {
            throw new StartupException(
                    "cannot write to the data folder "
                            + folder
                            + "; give it to the user "
                            + System.getProperty("user.name")
                            + ", or choose another --data",
                    null);
        }
        return new DataFolder(folder);
    }

    Path path() {
        return path;
    }

    /// Writes down which run of an orchestrator has this folder, for those who look at it.
    ///
    /// @throws StartupException if it cannot be written
    void belongsTo(Instance instance) {
        try {
            instance.writeTo(path);
        } catch (IOException e) {
            throw new StartupException(
                    "cannot write to the data folder " + path + " (" + e + ")", e);
        }
    }

    /// Logs it if others than its owner may look into the folder.
    private void warnOfOpenDoors() {
        try {
            PrivateFiles.openTo(path)
                    .ifPresent(permissions ->
                            LOG.atWarn()
                                    .addKeyValue("folder", path)
                                    .addKeyValue("permissions", permissions)
                                    .log(
                                            "others on this machine may look into the data folder,"
                                                    + " which holds keys and jobs; run chmod -R go= "
                                                    + path));
        } catch (IOException unknown) {
            LOG.atWarn()
                    .addKeyValue("folder", path)
                    .setCause(unknown)
                    .log("cannot read the permissions of the data folder");
        }
    }

    Tokens tokens() {
        return TokenFile.in(path);
    }

    /// @param isCopied whether what changes is copied to another place
    /// @throws StartupException if another process has it open, or it cannot be read
    Storage open(PayloadSettings settings, boolean isCopied) {
        warnOfOpenDoors();
        try {
            // SQLite gives its other files the permissions of this one.
            PrivateFiles.makeFile(path.resolve(DATABASE));
            PrivateFiles.makeFile(path.resolve(DATABASE + ".lock"));
            var store = SqliteEventStore.open(path.resolve(DATABASE), new JsonEventCodec());
            try {
                var objects = objects(settings);
                var noted =
                        isCopied && settings.s3().isEmpty()
                                ? Optional.of(new NotedValues(objects))
                                : Optional.<NotedValues>empty();
                var values = noted.<ObjectStore>map(it -> it).orElse(objects);
                return new Storage(
                        store,
                        new StoredPayloads(values, settings.maxBytes()),
                        Optional.of(values),
                        store.fleet(),
                        store.keyValues(),
                        isCopied
                                ? Optional.of(new Storage.Copied(store, noted))
                                : Optional.empty());
            } catch (StoreException | IOException e) {
                store.close();
                throw e;
            }
        } catch (StoreException e) {
            throw new StartupException(oneLine(String.valueOf(e.getMessage())), e);
        } catch (IOException e) {
            throw new StartupException(
                    "cannot write to the data folder " + path + " (" + e + ")", e);
        }
    }

    private ObjectStore objects(PayloadSettings settings) throws IOException {
        if (settings.s3().isEmpty()) {
            PrivateFiles.makeFolder(path.resolve(PAYLOADS));
        }
        return settings.s3().isPresent()
                ? S3ObjectStore.open(settings.s3().get())
                : FolderObjectStore.open(path.resolve(PAYLOADS));
    }

    static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
