package dev.artel.testkit.store;

import dev.artel.kernel.store.KeyValueStore;

final class InMemoryKeyValueStoreTest implements KeyValueStoreContract {
    private final KeyValueStore keyValues = new InMemoryKeyValueStore();

    @Override
    public KeyValueStore keyValues() {
        return keyValues;
    }
}
