package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.StoreException.StoreFull;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.testkit.store.KeyValueStoreContract;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteKeyValueStoreTest implements KeyValueStoreContract {
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
    public KeyValueStore keyValues() {
        return store.keyValues();
    }

    @Test
    void whatWasPut_isThereAfterARestart_andItsVersionsGoOn() {
        var first = put("key", JsonValue.of(1));
        close();
        open();

        assertThat(keyValues().get("a", "key")).isPresent();
        assertThat(put("key", JsonValue.of(2))).isGreaterThan(first);
    }

    @Test
    void aFullDisk_isReported_andTheStoreGoesOn() throws SQLException {
        var large = JsonValue.of("x".repeat(100_000));
        put("small", JsonValue.of(1));
        store.limitPages(20);

        assertThatExceptionOfType(StoreFull.class).isThrownBy(() -> put("large", large));
        store.limitPages(10_000);

        assertThat(put("large", large)).isPositive();
        assertThat(keyValues().get("a", "small")).isPresent();
    }

    private long put(String key, JsonValue value) {
        return keyValues().put("a", key, KeyValueStore.ANY_VERSION, value).orElseThrow();
    }
}
