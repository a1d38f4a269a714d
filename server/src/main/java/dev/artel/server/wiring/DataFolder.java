package dev.artel.server.wiring;

import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.server.config.PayloadSettings;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.store.files.FolderObjectStore;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.store.s3.S3ObjectStore;
import dev.artel.store.sqlite.SqliteEventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Where an orchestrator keeps what must outlive it.
final class DataFolder {
    private static final String DATABASE = "artel.db";
    private static final String PAYLOADS = "payloads";

    private final Path path;

    private DataFolder(Path path) {
        this.path = path;
    }

    /// The folder `path`, made if it is missing.
    ///
    /// @throws CannotStart if it cannot be made or written to
    static DataFolder at(Path path) {
        var folder = path.toAbsolutePath().normalize();
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new CannotStart(
                    "cannot make the data folder "
                            + folder
                            + " ("
                            + e
                            + "); make it, or choose another --data",
                    e);
        }
        if (!Files.isWritable(folder)) {
            throw new CannotStart(
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

    Tokens tokens() {
        return TokenFile.in(path);
    }

    /// @throws CannotStart if another process has it open, or it cannot be read
    Storage open(PayloadSettings settings) {
        try {
            var store = SqliteEventStore.open(path.resolve(DATABASE), new JsonEventCodec());
            try {
                var objects = objects(settings);
                return new Storage(
                        store,
                        new StoredPayloads(objects, settings.maxBytes()),
                        Optional.of(objects),
                        store.fleet(),
                        store.keyValues());
            } catch (StoreException e) {
                store.close();
                throw e;
            }
        } catch (StoreException e) {
            throw new CannotStart(oneLine(String.valueOf(e.getMessage())), e);
        }
    }

    private ObjectStore objects(PayloadSettings settings) {
        return settings.s3().isPresent()
                ? S3ObjectStore.open(settings.s3().get())
                : FolderObjectStore.open(path.resolve(PAYLOADS));
    }

    static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
