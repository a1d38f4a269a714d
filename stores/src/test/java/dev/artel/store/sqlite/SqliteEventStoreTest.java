package dev.artel.store.sqlite;

import dev.artel.kernel.store.EventStore;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.testkit.store.DurableEventStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

final class SqliteEventStoreTest implements DurableEventStoreContract {
    @TempDir Path folder;

    private EventStore store;

    @BeforeEach
    void open() {
        store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    public EventStore store() {
        return store;
    }

    @Override
    public void reopen() {
        close();
        open();
    }
}
