package dev.artel.webhook;

import dev.artel.config.WebhookSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/// Which call is made next, and for which there is room: clients take turns, and within a client its receivers do. Not
/// safe for use by many threads: [Outbox] guards it.
///
/// Of the calls that are made at once and of those that wait, a client may have as many as it leaves free, and a receiver
/// as many as its client leaves free of these: however many receivers are dead, and whosever they are, there is room for
/// the next one (Choudhury and Hahne, Dynamic queue length thresholds, 1998).
final class Lanes {
    private final Map<String, Owner> owners = new LinkedHashMap<>();

    /// Those of whom something is ready, in the order of their turns.
    private final SequencedSet<Owner> turns = new LinkedHashSet<>();

    private WebhookSettings.Limits limits;
    private int running;
    private int waiting;

    /// Where a call waits for its turn.
    ///
    /// @param owner the client whose jobs name the receiver, or the subscription
    /// @param host with its port
    record Place(String owner, String host) {}

    private static final class Owner {
        final Map<String, Lane> lanes = new LinkedHashMap<>();
        final SequencedSet<Lane> turns = new LinkedHashSet<>();
        int running;
        int waiting;
    }

    private static final class Lane {
        final Deque<WebhookDelivery> ready = new ArrayDeque<>();
        int running;
        int waiting;
    }

    Lanes(WebhookSettings.Limits limits) {
        this.limits = limits;
    }

    /// Has `other` hold from now on.
    void limit(WebhookSettings.Limits other) {
        limits = other;
    }

    /// Whether one more may wait at `place`.
    boolean hasRoom(Place place) {
        var owner = owners.get(place.owner());
        var lane = owner == null ? null : owner.lanes.get(place.host());
        var left = limits.maxPendingAll() - waiting - (owner == null ? 0 : owner.waiting);
        return (lane == null ? 0 : lane.waiting) < Math.min(limits.maxPending(), left);
    }

    /// One more waits at its place, which is [#ready] at times, until it is [#over].
    void add(WebhookDelivery webhookDelivery) {
        var owner = owners.computeIfAbsent(webhookDelivery.place.owner(), _ -> new Owner());
        var lane = owner.lanes.computeIfAbsent(webhookDelivery.place.host(), _ -> new Lane());
        waiting++;
        owner.waiting++;
        lane.waiting++;
    }

    /// `parcel` is to be called as soon as it is its turn.
    void ready(WebhookDelivery webhookDelivery) {
        var owner = owner(webhookDelivery.place);
        var lane = lane(webhookDelivery.place);
        lane.ready.add(webhookDelivery);
        owner.turns.add(lane);
        turns.add(owner);
    }

    /// The one whose turn it is, if there is room for a further call; its slot is taken until it is [#freed].
    Optional<WebhookDelivery> next() {
        for (var owner : turns) {
            var left = limits.atOnce() - running - owner.running;
            for (var lane : owner.turns) {
                if (lane.running < Math.min(limits.perHost(), left)) {
                    return Optional.of(take(owner, lane));
                }
            }
        }
        return Optional.empty();
    }

    private WebhookDelivery take(Owner owner, Lane lane) {
        var webhookDelivery = lane.ready.remove();
        owner.turns.remove(lane);
        turns.remove(owner);
        if (!lane.ready.isEmpty()) {
            owner.turns.add(lane);
        }
        if (!owner.turns.isEmpty()) {
            turns.add(owner);
        }
        running++;
        owner.running++;
        lane.running++;
        return webhookDelivery;
    }

    /// A call at `place` takes no slot any more.
    void freed(Place place) {
        running--;
        owner(place).running--;
        lane(place).running--;
        forget(place);
    }

    /// A parcel at `place` waits no more; what it takes up of a slot it keeps until that is [#freed].
    void over(Place place) {
        waiting--;
        owner(place).waiting--;
        lane(place).waiting--;
        forget(place);
    }

    /// Whether nothing waits and nothing is called.
    boolean isEmpty() {
        return owners.isEmpty() && turns.isEmpty() && running == 0 && waiting == 0;
    }

    private void forget(Place place) {
        var owner = owner(place);
        var lane = lane(place);
        if (lane.waiting == 0 && lane.running == 0) {
            owner.lanes.remove(place.host());
        }
        if (owner.lanes.isEmpty()) {
            owners.remove(place.owner());
        }
    }

    private Owner owner(Place place) {
        var owner = owners.get(place.owner());
        if (owner == null) {
            throw new IllegalStateException("nothing waits at " + place);
        }
        return owner;
    }

    private Lane lane(Place place) {
        var lane = owner(place).lanes.get(place.host());
        if (lane == null) {
            throw new IllegalStateException("nothing waits at " + place);
        }
        return lane;
    }
}
