package dev.artel.engine.core.dispatch;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// What the dispatcher knows of one worker: its profile, its slots and its asks. Single-threaded.
final class Desk {
    final WorkerId id;

    /// Where it stands on the [Floor].
    final int place;

    /// Until when its asks are refused; it does not ask meanwhile, but would.
    Instant limitedUntil = Instant.MIN;

    /// Empty for a worker of which only leases are known, after a restart.
    private @Nullable WorkerProfile profile;

    /// Reserved, live and lingering alike: each occupies a slot.
    private final SequencedMap<LeaseToken, Slot> slots = new LinkedHashMap<>();

    /// Category to the slots that it takes up; only those that have a limit.
    private final Map<String, Integer> crowds = new LinkedHashMap<>();

    private final SequencedMap<Long, Ask> asks = new LinkedHashMap<>();
    private final SequencedSet<Ask> open = new LinkedHashSet<>();

    Desk(WorkerId id, int place) {
        this.id = id;
        this.place = place;
    }

    /// What takes up a slot.
    ///
    /// @param category what the task says of itself
    record Slot(String type, Optional<String> category) {}

    /// A worker's wish for tasks.
    static final class Ask {
        final long id;
        final Desk desk;
        final int max;

        /// Granted, and not yet durable.
        final SequencedSet<LeaseToken> reserved = new LinkedHashSet<>();

        final List<HandOut> ready = new ArrayList<>();

        /// Whether the first of its grants is durable: it takes no more, and is answered with the last.
        boolean closing;

        Ask(long id, Desk desk, int max) {
            this.id = id;
            this.desk = desk;
            this.max = max;
        }
    }

    @Nullable WorkerProfile profile() {
        return profile;
    }

    void profile(@Nullable WorkerProfile next) {
        profile = next;
        crowds.clear();
        slots.values().forEach(slot -> crowd(slot, 1));
    }

    // Slots

    SequencedSet<LeaseToken> tokens() {
        return slots.sequencedKeySet();
    }

    int used() {
        return slots.size();
    }

    boolean occupies(LeaseToken token) {
        return slots.containsKey(token);
    }

    /// Whether a category may have become full.
    boolean occupy(LeaseToken token, Slot slot) {
        return slots.putIfAbsent(token, slot) == null && crowd(slot, 1);
    }

    /// Whether a category may have got room.
    boolean free(LeaseToken token) {
        var slot = slots.remove(token);
        return slot != null && crowd(slot, -1);
    }

    private boolean crowd(Slot slot, int change) {
        if (profile == null || profile.slots().limits().isEmpty()) {
            return false;
        }
        var limits = profile.slots().limits();
        var category = profile.slots().categoryOf(slot.type(), slot.category());
        if (category.filter(limits::containsKey).isEmpty()) {
            return false;
        }
        crowds.merge(category.get(), change, Integer::sum);
        return true;
    }

    /// How many slots a category takes up.
    int crowd(String category) {
        return crowds.getOrDefault(category, 0);
    }

    /// Whether it takes no task of `type` because of the type or its category.
    boolean isCrowded(String type, Optional<String> said) {
        if (profile == null || !profile.tasks().contains(type)) {
            return true;
        }
        var limits = profile.slots().limits();
        if (limits.isEmpty()) {
            return false;
        }
        var category = profile.slots().categoryOf(type, said);
        if (category.isEmpty()) {
            return false;
        }
        var limit = limits.get(category.get());
        return limit != null && crowd(category.get()) >= limit;
    }

    // Asks

    SequencedMap<Long, Ask> asks() {
        return asks;
    }

    Ask ask(long number, int max) {
        var ask = new Ask(number, this, max);
        asks.put(number, ask);
        open.add(ask);
        return ask;
    }

    void forget(Ask ask) {
        asks.remove(ask.id);
        open.remove(ask);
    }

    /// The oldest ask that takes more.
    @Nullable Ask openAsk() {
        return open.isEmpty() ? null : open.getFirst();
    }

    /// After a change of `ask`.
    void review(Ask ask) {
        var wantsMore = !ask.closing && ask.reserved.size() + ask.ready.size() < ask.max;
        if (!wantsMore) {
            open.remove(ask);
        } else if (asks.containsKey(ask.id)) {
            open.add(ask);
        }
    }

    boolean isForgettable() {
        return profile == null && slots.isEmpty() && asks.isEmpty();
    }
}
