package dev.artel.testkit.store;

import dev.artel.kernel.store.EventStore;

final class InMemoryEventStoreTest implements DurableEventStoreContract {
    private final EventStore store = new InMemoryEventStore();

    @Override
    public EventStore store() {
        return store;
    }

    @Override
    public void reopen() {
        store.close();
    }
}
