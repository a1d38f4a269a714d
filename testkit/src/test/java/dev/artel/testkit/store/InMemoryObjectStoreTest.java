package dev.artel.testkit.store;

import dev.artel.kernel.store.ObjectStore;
import java.time.InstantSource;

final class InMemoryObjectStoreTest implements ObjectStoreContract {
    private final ObjectStore objects = new InMemoryObjectStore(InstantSource.system());

    @Override
    public ObjectStore objects() {
        return objects;
    }
}
