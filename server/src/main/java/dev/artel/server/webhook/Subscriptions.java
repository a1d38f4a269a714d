package dev.artel.server.webhook;

import dev.artel.json.JsonObject;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.NoKeyValueStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The subscriptions, durable when a call returns. Safe for use by many threads.
final class Subscriptions {
    /// No data store of a blueprint has such a name: theirs begin with a blueprint's name and a slash.
    static final String SPACE = "artel.webhooks";

    /// One place is left for the webhook that a job names itself.
    static final int MOST = 19;

    private static final String PREFIX = "subscription ";

    private final KeyValueStore store;
    private volatile List<Subscription> all;

    Subscriptions(KeyValueStore store) {
        this.store = store;
        all =
                store instanceof NoKeyValueStore
                        ? List.of()
                        : store.list(SPACE, PREFIX, "", MOST).stream()
                                .map(entry -> Subscription.of((JsonObject) entry.value()))
                                .toList();
    }

    List<Subscription> all() {
        return all;
    }

    Optional<Subscription> find(String id) {
        return all.stream().filter(one -> one.id().equals(id)).findFirst();
    }

    /// Keeps one more.
    ///
    /// @return whether there was room
    synchronized boolean add(Subscription one) {
        if (all.size() >= MOST) {
            return false;
        }
        var _ = store.put(SPACE, PREFIX + one.id(), KeyValueStore.ANY_VERSION, one.kept());
        var more = new ArrayList<>(all);
        more.add(one);
        all = List.copyOf(more);
        return true;
    }

    /// Forgets one.
    ///
    /// @return whether it was there
    synchronized boolean remove(String id) {
        if (find(id).isEmpty()) {
            return false;
        }
        var _ = store.remove(SPACE, PREFIX + id, KeyValueStore.ANY_VERSION);
        all = all.stream().filter(one -> !one.id().equals(id)).toList();
        return true;
    }
}
