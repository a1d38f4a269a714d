package dev.artel.testkit.store;

import dev.artel.kernel.store.PayloadStore;

final class InMemoryPayloadStoreTest implements PayloadStoreContract {
    private final PayloadStore payloads = new InMemoryPayloadStore();

    @Override
    public PayloadStore payloads() {
        return payloads;
    }
}
