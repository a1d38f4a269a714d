package dev.artel.testkit.store;

import static dev.artel.kernel.store.KeyValueStore.ANY_VERSION;
import static dev.artel.kernel.store.KeyValueStore.NO_ENTRY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.JsonDataStore;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.KeyValueStore.Entry;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What every [KeyValueStore] does. A test class of a store implements [#keyValues] and nothing else.
public interface KeyValueStoreContract {
    /// The store under test: empty at the start of each test, and the same one throughout it.
    KeyValueStore keyValues();

    @Test
    default void whatIsPut_isThere() {
        var value = JsonObject.of("text", JsonValue.of("\u00e4\ud83d\ude00"));

        var version = keyValues().put("a", "key", ANY_VERSION, value).orElseThrow();

        assertThat(keyValues().get("a", "key")).contains(new Entry("key", version, value));
        assertThat(keyValues().get("a", "other")).isEmpty();
        assertThat(keyValues().get("b", "key")).isEmpty();
    }

    @Test
    default void aPutThatExpectsAnotherVersion_changesNothing() {
        var first = keyValues().put("a", "key", NO_ENTRY, JsonValue.of(1)).orElseThrow();
        var second = keyValues().put("a", "key", first, JsonValue.of(2)).orElseThrow();

        assertThat(keyValues().put("a", "key", first, JsonValue.of(3))).isEmpty();
        assertThat(keyValues().put("a", "key", NO_ENTRY, JsonValue.of(3))).isEmpty();
        assertThat(keyValues().put("a", "none", second, JsonValue.of(3))).isEmpty();
        assertThat(keyValues().get("a", "key")).contains(new Entry("key", second, JsonValue.of(2)));
    }

    /// Trap: a writer that was slow takes an entry that was removed and made anew for the one it knew.
    @Test
    default void aVersion_neverComesBack() {
        var first = keyValues().put("a", "key", NO_ENTRY, JsonValue.of(1)).orElseThrow();
        keyValues().remove("a", "key", first);

        var second = keyValues().put("a", "key", NO_ENTRY, JsonValue.of(1)).orElseThrow();

        assertThat(second).isGreaterThan(first);
        assertThat(keyValues().put("a", "key", first, JsonValue.of(2))).isEmpty();
    }

    @Test
    default void anEntry_isRemovedAtItsVersionOnly() {
        var version = keyValues().put("a", "key", NO_ENTRY, JsonValue.of(1)).orElseThrow();

        assertThat(keyValues().remove("a", "key", version + 1)).isFalse();
        assertThat(keyValues().remove("a", "key", version)).isTrue();
        assertThat(keyValues().remove("a", "key", ANY_VERSION)).isFalse();
        assertThat(keyValues().get("a", "key")).isEmpty();
    }

    @Test
    default void entries_areListedByKey_pageByPage() {
        for (var key : List.of("b/2", "a", "b/1", "b%", "c", "b/\ud83d\ude00", "b/\uff5e")) {
            keyValues().put("s", key, ANY_VERSION, JsonValue.of(key));
        }

        var first = keyValues().list("s", "b/", "", 2);
        var second = keyValues().list("s", "b/", first.getLast().key(), 10);

        assertThat(first).extracting(Entry::key).containsExactly("b/1", "b/2");
        assertThat(second).extracting(Entry::key).containsExactly("b/\uff5e", "b/\ud83d\ude00");
        assertThat(keyValues().list("s", "", "", 10)).hasSize(7);
        assertThat(keyValues().list("other", "", "", 10)).isEmpty();
    }

    /// Trap: two steps read, add and write, and one of the additions is lost.
    @Test
    default void concurrentUpdates_loseNothing() throws Exception {
        var store = JsonDataStore.of(keyValues(), "counters");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<JsonValue> increment =
                    () -> store.update("hits", JsonValue.of(0), KeyValueStoreContract::plusOne);
            for (var done :
                    threads.invokeAll(Stream.generate(() -> increment).limit(40).toList())) {
                done.get();
            }
        }

        assertThat(store.get("hits")).contains(JsonValue.of(40));
    }

    private static JsonValue plusOne(JsonValue value) {
        return JsonValue.of(((JsonNumber) value).asLong() + 1);
    }
}
