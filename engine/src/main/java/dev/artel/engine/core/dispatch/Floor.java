package dev.artel.engine.core.dispatch;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.Condition;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.placement.Criterion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// All desks, and for each question that placement asks the set of workers of which it is true, kept up to date with
/// every change. Single-threaded.
final class Floor {
    final WorkerSet present = new WorkerSet();
    final WorkerSet unhealthy = new WorkerSet();
    final WorkerSet draining = new WorkerSet();

    /// Without a free slot, or without room by their own word.
    final WorkerSet full = new WorkerSet();

    final WorkerSet asking = new WorkerSet();

    /// Those that take a task now if it fits.
    final WorkerSet ready = new WorkerSet();

    private final SequencedMap<WorkerId, Desk> desks = new LinkedHashMap<>();
    private final List<@Nullable Desk> places = new ArrayList<>();
    private final ArrayDeque<Integer> vacant = new ArrayDeque<>();
    private final Map<Criterion, Shared> criteria = new LinkedHashMap<>();
    private final Map<Room, Shared> rooms = new LinkedHashMap<>();
    private final Map<String, TypeFacts> types = new LinkedHashMap<>();

    private int[] used = new int[0];
    private int[] total = new int[0];
    private double[] reputation = new double[0];
    private long[] since = new long[0];
    private long clock;
    private int workers;
    private long profiles;
    private long changes;

    /// A set that several classes use.
    static final class Shared {
        final WorkerSet set = new WorkerSet();
        private int users;
    }

    /// The slots for a type, or for the category of a task.
    record Room(String type, Optional<String> said) {}

    // Desks

    Desk deskOf(WorkerId worker) {
        var desk = desks.get(worker);
        return desk == null ? begin(worker) : desk;
    }

    private Desk begin(WorkerId worker) {
        var place = vacant.isEmpty() ? places.size() : vacant.pop();
        var desk = new Desk(worker, place);
        desks.put(worker, desk);
        if (place == places.size()) {
            places.add(desk);
        } else {
            places.set(place, desk);
        }
        if (place >= used.length) {
            var room = Math.max(16, 2 * place);
            used = Arrays.copyOf(used, room);
            total = Arrays.copyOf(total, room);
            reputation = Arrays.copyOf(reputation, room);
            since = Arrays.copyOf(since, room);
        }
        return desk;
    }

    @Nullable Desk find(WorkerId worker) {
        return desks.get(worker);
    }

    Desk at(int place) {
        var desk = places.get(place);
        if (desk == null) {
            throw new IllegalStateException("nobody is at place " + place);
        }
        return desk;
    }

    SequencedMap<WorkerId, Desk> desks() {
        return desks;
    }

    void forgetIfIdle(Desk desk) {
        if (desk.isForgettable() && desks.remove(desk.id) != null) {
            places.set(desk.place, null);
            vacant.push(desk.place);
        }
    }

    /// How many workers are there.
    int workers() {
        return workers;
    }

    /// How many words of a set are in use.
    int words() {
        return (places.size() + 63) >>> 6;
    }

    /// The version of all profiles together.
    long profiles() {
        return profiles;
    }

    /// The version of all that placement looks at.
    long changes() {
        return changes;
    }

    // Changes

    void change(Desk desk, @Nullable WorkerProfile profile) {
        profiles++;
        workers += (profile == null ? 0 : 1) - (desk.profile() == null ? 0 : 1);
        desk.profile(profile);
        var place = desk.place;
        present.put(place, profile != null);
        if (profile != null) {
            criteria.forEach(
                    (criterion, shared) -> shared.set.put(place, criterion.admits(profile)));
            types.values().forEach(facts -> facts.update(place, profile));
            total[place] = profile.capacity();
            reputation[place] = profile.reputation();
        }
        var condition = profile == null ? Condition.READY : profile.condition();
        unhealthy.put(place, condition == Condition.UNHEALTHY);
        draining.put(place, condition == Condition.DRAINING);
        refresh(desk, true);
    }

    /// After a change of slots or asks.
    ///
    /// @param crowds whether a category may have become full or got room
    void refresh(Desk desk, boolean crowds) {
        changes++;
        var place = desk.place;
        var profile = desk.profile();
        used[place] = desk.used();
        if (profile == null) {
            full.put(place, false);
            asking.put(place, false);
            ready.put(place, false);
            return;
        }
        var isFull =
                desk.used() >= profile.capacity()
                        || profile.condition() == Condition.BUSY
                        || profile.tasks().isEmpty();
        var asks = desk.openAsk() != null;
        var isReady = asks && !isFull && profile.condition() == Condition.READY;
        full.put(place, isFull);
        asking.put(place, asks);
        if (isReady && !ready.has(place)) {
            clock++;
            since[place] = clock;
        }
        ready.put(place, isReady);
        if (crowds) {
            rooms.forEach((room, shared) ->
                    shared.set.put(place, desk.isCrowded(room.type(), room.said())));
        }
    }

    // What classes look at

    Shared criterion(Criterion criterion) {
        var shared =
                criteria.computeIfAbsent(
                        criterion, it -> filled(desk -> it.admits(profileOf(desk))));
        shared.users++;
        return shared;
    }

    Shared room(Room room) {
        var shared =
                rooms.computeIfAbsent(
                        room, it -> filled(desk -> desk.isCrowded(it.type(), it.said())));
        shared.users++;
        return shared;
    }

    TypeFacts type(String type) {
        var facts = types.get(type);
        if (facts == null) {
            facts = new TypeFacts(type);
            types.put(type, facts);
            for (var desk : desks.values()) {
                var profile = desk.profile();
                if (profile != null) {
                    facts.update(desk.place, profile);
                }
            }
        }
        facts.users++;
        return facts;
    }

    void release(Criterion criterion) {
        var shared = criteria.get(criterion);
        if (shared != null && --shared.users == 0) {
            criteria.remove(criterion);
        }
    }

    void release(Room room) {
        var shared = rooms.get(room);
        if (shared != null && --shared.users == 0) {
            rooms.remove(room);
        }
    }

    void release(TypeFacts facts) {
        if (--facts.users == 0) {
            types.remove(facts.type);
        }
    }

    private Shared filled(Predicate<Desk> test) {
        var shared = new Shared();
        for (var desk : desks.values()) {
            if (desk.profile() != null) {
                shared.set.put(desk.place, test.test(desk));
            }
        }
        return shared;
    }

    private static WorkerProfile profileOf(Desk desk) {
        var profile = desk.profile();
        if (profile == null) {
            throw new IllegalStateException("worker " + desk.id + " has no profile");
        }
        return profile;
    }

    // Figures by place

    int used(int place) {
        return used[place];
    }

    double load(int place) {
        return (double) used[place] / total[place];
    }

    double reputation(int place) {
        return reputation[place];
    }

    /// Lower has waited longer.
    long since(int place) {
        return since[place];
    }

    int places() {
        return places.size();
    }

    /// Hands the places of `word`, which begins at `64 * at`, to `sink` in ascending order.
    static void each(int at, long word, IntConsumer sink) {
        for (var rest = word; rest != 0; rest &= rest - 1) {
            sink.accept((at << 6) + Long.numberOfTrailingZeros(rest));
        }
    }
}
