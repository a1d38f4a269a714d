package dev.artel.store.sqlite;

import dev.artel.kernel.fleet.Fleet;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.testkit.store.FleetContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

final class SqliteFleetTest implements FleetContract {
    @TempDir Path folder;

    private SqliteEventStore store;

    @BeforeEach
    void open() {
        store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    public Fleet fleet() {
        return store.fleet();
    }

    @Override
    public void reopen() {
        close();
        open();
    }
}
