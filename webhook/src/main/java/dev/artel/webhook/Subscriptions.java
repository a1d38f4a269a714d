package dev.artel.webhook;

import dev.artel.config.SubscriptionSettings;
import dev.artel.config.WebhookSettings;
import dev.artel.json.JsonObject;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The subscriptions: those that the settings name, and those that the API makes, durable when a call returns. Safe for
/// use by many threads.
final class Subscriptions {
    /// No data store of a blueprint has such a name: theirs begin with a blueprint's name and a slash.
    static final String SPACE = "artel.webhooks";

    private static final int MOST = WebhookSettings.MOST_SUBSCRIPTIONS;
    private static final String PREFIX = "subscription ";

    private final KeyValueStore store;
    private volatile List<Subscription> all;

    /// @throws Unusable if there are too many
    Subscriptions(KeyValueStore store, List<SubscriptionSettings> named) {
        this.store = store;
        var found = new ArrayList<>(named.stream().map(Subscription::of).toList());
        if (!(store instanceof UnavailableKeyValueStore)) {
            store.list(SPACE, PREFIX, "", MOST).stream()
                    .map(entry -> Subscription.of((JsonObject) entry.value()))
                    .forEach(found::add);
        }
        all = atMost(found, named.size());
    }

    /// Has the settings name others.
    ///
    /// @throws Unusable if there are too many; those before stay
    synchronized void name(List<SubscriptionSettings> others) {
        var found = new ArrayList<>(others.stream().map(Subscription::of).toList());
        all.stream().filter(one -> !one.isConfigured()).forEach(found::add);
        all = atMost(found, others.size());
    }

    private static List<Subscription> atMost(List<Subscription> found, int named) {
        if (found.size() > MOST) {
            throw new Unusable(
                    "webhooks.subscriptions names "
                            + named
                            + ", the API has made "
                            + (found.size() - named)
                            + ", and there are at most "
                            + MOST
                            + "; take some out of the file, or start without them and delete"
                            + " others with DELETE /api/v1/webhooks/{id}");
        }
        return List.copyOf(found);
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

    /// Keeps one more, unless there is one with its id.
    ///
    /// @return the one that is there then; empty if there was no room
    synchronized Optional<Subscription> addOrFind(Subscription one) {
        return find(one.id()).or(() -> add(one) ? Optional.of(one) : Optional.empty());
    }

    /// Keeps one that the API has made as `change` makes it.
    ///
    /// @return how it is now; empty if it is not there
    synchronized Optional<Subscription> change(String id, UnaryOperator<Subscription> change) {
        var changed = find(id).filter(one -> !one.isConfigured()).map(change);
        changed.ifPresent(other -> {
            var _ = store.put(SPACE, PREFIX + id, KeyValueStore.ANY_VERSION, other.kept());
            all = all.stream().map(one -> one.id().equals(id) ? other : one).toList();
        });
        return changed;
    }

    /// Forgets one that the API has made.
    ///
    /// @return whether it was there
    synchronized boolean remove(String id) {
        if (find(id).filter(one -> !one.isConfigured()).isEmpty()) {
            return false;
        }
        var _ = store.remove(SPACE, PREFIX + id, KeyValueStore.ANY_VERSION);
        all = all.stream().filter(one -> !one.id().equals(id)).toList();
        return true;
    }
}
