package dev.artel.store.payloads;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.testkit.store.InMemoryObjectStore;
import dev.artel.testkit.store.PayloadStoreContract;
import java.time.InstantSource;
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
}
