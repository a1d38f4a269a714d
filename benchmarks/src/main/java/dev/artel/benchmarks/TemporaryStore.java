package dev.artel.benchmarks;

import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.store.files.FolderObjectStore;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.store.sqlite.SqliteEventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A store on the disk of the working directory, removed at the end: the system's temporary folder may be memory.
final class TemporaryStore implements AutoCloseable {
    private final Path folder;
    private SqliteEventStore events;

    private TemporaryStore(Path folder) {
        this.folder = folder;
        events = open();
    }

    static TemporaryStore create() throws IOException {
        var parent = Files.createDirectories(Path.of("target", "bench"));
        return new TemporaryStore(Files.createTempDirectory(parent, "store-"));
    }

    private SqliteEventStore open() {
        return SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
    }

    EventStore events() {
        return events;
    }

    Fleet fleet() {
        return events.fleet();
    }

    PayloadStore payloads() {
        return new StoredPayloads(
                FolderObjectStore.open(folder.resolve("payloads")), Long.MAX_VALUE);
    }

    /// Closes the store and opens it again, as after a restart.
    void reopen() {
        events.close();
        events = open();
    }

    @Override
    public void close() throws IOException {
        events.close();
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
