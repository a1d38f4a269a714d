package dev.artel.store.payloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.testkit.store.InMemoryObjectStore;
import dev.artel.testkit.store.PayloadStoreContract;
import java.time.InstantSource;
import java.util.Collections;
import org.junit.jupiter.api.Test;

final class StoredPayloadsTest implements PayloadStoreContract {
    private final PayloadStore payloads =
            new StoredPayloads(new InMemoryObjectStore(InstantSource.system()), 200_000);

    @Override
    public PayloadStore payloads() {
        return payloads;
    }

    @Test
    void aValueOverTheLimit_isRefused() {
        assertThatThrownBy(() -> payloads.keep(JsonValue.of("x".repeat(199_999))))
                .isInstanceOf(ValueTooLarge.class)
                .hasMessageContaining("200001 bytes")
                .hasMessageContaining("payloads.max-bytes");
    }

    /// Trap: sixty megabytes of empty lists are a value of a gigabyte, which fills the heap of whatever reads it.
    @Test
    void aValueOfMoreSmallPartsThanMemoryTakes_isNotReadAsAWhole_andItsElementsAre() {
        var large =
                new StoredPayloads(
                        new InMemoryObjectStore(InstantSource.system()), Integer.MAX_VALUE);
        var parts = (int) (ForeignJson.most() / 150);
        var kept = large.put(new JsonArray(Collections.nCopies(parts, JsonArray.EMPTY)));

        assertThatThrownBy(() -> large.resolve(kept))
                .isInstanceOf(ValueTooLarge.class)
                .hasMessageContaining("MiB of memory")
                .hasMessageContaining("one by one");
        try (var elements = large.late(kept).elements()) {
            assertThat(elements.limit(1_000)).hasSize(1_000).containsOnly(JsonArray.EMPTY);
        }
    }
}
