package dev.artel.engine.core;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// What the dispatcher knows of one worker: its profile, its slots and its asks. Single-threaded.
final class Desk {
    private final WorkerId id;

    /// Empty for a worker of which only leases are known, after a restart.
    private @Nullable WorkerProfile profile;

    /// Reserved, live and lingering alike: each occupies a slot.
    private final SequencedSet<LeaseToken> slots = new LinkedHashSet<>();

    private final SequencedMap<Long, Ask> asks = new LinkedHashMap<>();

    Desk(WorkerId id) {
        this.id = id;
    }

    /// A worker's wish for tasks.
    static final class Ask {
        final long id;
        final WorkerId worker;
        final int max;

        /// Granted, and not yet durable.
        final SequencedSet<LeaseToken> reserved = new LinkedHashSet<>();

        final List<HandOut> ready = new ArrayList<>();

        /// Whether the first of its grants is durable: it takes no more, and is answered with the last.
        boolean closing;

        Ask(long id, WorkerId worker, int max) {
            this.id = id;
            this.worker = worker;
            this.max = max;
        }

        boolean wantsMore() {
            return !closing && reserved.size() + ready.size() < max;
        }
    }

    WorkerId id() {
        return id;
    }

    @Nullable WorkerProfile profile() {
        return profile;
    }

    void profile(@Nullable WorkerProfile next) {
        profile = next;
    }

    SequencedSet<LeaseToken> slots() {
        return slots;
    }

    SequencedMap<Long, Ask> asks() {
        return asks;
    }

    int free() {
        return profile == null || profile.draining() ? 0 : profile.capacity() - slots.size();
    }

    @Nullable Ask openAsk() {
        for (var ask : asks.values()) {
            if (ask.wantsMore()) {
                return ask;
            }
        }
        return null;
    }

    boolean canTake() {
        return free() > 0 && openAsk() != null;
    }

    boolean isForgettable() {
        return profile == null && slots.isEmpty() && asks.isEmpty();
    }
}
