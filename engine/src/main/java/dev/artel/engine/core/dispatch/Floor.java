package dev.artel.engine.core.dispatch;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.Condition;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.placement.Criterion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// All desks, and for each question that placement asks the set of workers of which it is true, kept up to date with
/// every change. Single-threaded.
final class Floor {
    final WorkerSet present = new WorkerSet();
    final WorkerSet unhealthy = new WorkerSet();
    final WorkerSet draining = new WorkerSet();

    /// Without a free slot, or without room by their own word, and nothing worse.
    final WorkerSet busy = new WorkerSet();

    /// Those that would take a task if they asked.
    final WorkerSet silent = new WorkerSet();

    /// Those that take a task now if it fits.
    final WorkerSet ready = new WorkerSet();

    private final SequencedMap<WorkerId, Desk> desks = new LinkedHashMap<>();
    private final List<@Nullable Desk> places = new ArrayList<>();
    private final ArrayDeque<Integer> vacant = new ArrayDeque<>();
    private final Map<Criterion, TypeFacts.Shared> criteria = new LinkedHashMap<>();
    private final Map<String, TypeFacts> types = new LinkedHashMap<>();

    private int[] used = new int[0];

    /// How many slots they would fill now; 0 for those that take nothing new.
    private int[] open = new int[0];

    private int[] total = new int[0];
    private double[] reputation = new double[0];
    private long[] since = new long[0];
    private long clock;
    private long profiles;
    private long changes;

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
            open = Arrays.copyOf(open, room);
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
        return present.size();
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
        for (var facts : desk.offers()) {
            facts.end(desk);
            facts.workers--;
            forgetIfUnused(facts);
        }
        desk.profile(profile, this::typeOf);
        for (var facts : desk.offers()) {
            facts.workers++;
        }
        var place = desk.place;
        present.put(place, profile != null);
        if (profile != null) {
            criteria.forEach(
                    (criterion, shared) -> shared.set.put(place, criterion.admits(profile)));
            desk.offers().forEach(facts -> facts.begin(desk, profile));
            total[place] = profile.capacity();
            reputation[place] = profile.reputation();
        }
        var condition = profile == null ? Condition.READY : profile.condition();
        unhealthy.put(place, condition == Condition.UNHEALTHY);
        draining.put(place, condition == Condition.DRAINING);
        var isOpen = profile != null && condition == Condition.READY && !profile.tasks().isEmpty();
        open[place] = isOpen ? total[place] : 0;
        refresh(desk, true);
    }

    /// After a change of slots or asks.
    ///
    /// @param crowds whether a category may have become full or got room
    void refresh(Desk desk, boolean crowds) {
        changes++;
        var place = desk.place;
        used[place] = desk.used();
        var isOpen = used[place] < open[place];
        var isReady = isOpen && desk.openAsk() != null;
        var isWell = present.has(place) && !unhealthy.has(place) && !draining.has(place);
        busy.put(place, isWell && !isOpen);
        silent.put(place, isOpen && !isReady);
        if (isReady && !ready.has(place)) {
            clock++;
            since[place] = clock;
        }
        ready.put(place, isReady);
        if (crowds) {
            desk.offers().forEach(facts -> facts.crowd(desk));
        }
    }

    // What classes look at

    private TypeFacts typeOf(String type) {
        return types.computeIfAbsent(type, TypeFacts::new);
    }

    /// What is known about `type`, for a class of it.
    TypeFacts type(String type) {
        var facts = typeOf(type);
        if (!facts.hasClasses()) {
            for (var desk : desks.values()) {
                if (desk.offers().contains(facts)) {
                    facts.note(desk, profileOf(desk));
                }
            }
        }
        return facts;
    }

    WorkerSet criterion(Criterion criterion, TypeFacts facts) {
        if (criterion instanceof Criterion.OffersType) {
            return facts.offering;
        }
        var all = isAbout(criterion, facts) ? facts.criteria : criteria;
        var shared = all.get(criterion);
        if (shared == null) {
            shared = new TypeFacts.Shared();
            all.put(criterion, shared);
            var set = shared.set;
            each(
                    isAbout(criterion, facts) ? facts.offering : present,
                    desk -> set.put(desk.place, criterion.admits(profileOf(desk))));
        }
        shared.users++;
        return shared.set;
    }

    /// Whether it is asked of those alone that offer the type.
    private static boolean isAbout(Criterion criterion, TypeFacts facts) {
        return switch (criterion) {
            case Criterion.OffersType(var type) -> type.equals(facts.type);
            case Criterion.CostsAtMost(var type, var _) -> type.equals(facts.type);
            case Criterion.IsWarm(var type) -> type.equals(facts.type);
            case Criterion.ServesClient _,
                    Criterion.HasLabel _,
                    Criterion.HasAmount _,
                    Criterion.HasDevices _,
                    Criterion.HasModel _,
                    Criterion.IsWorker _,
                    Criterion.IsNotWorker _ ->
                    false;
        };
    }

    WorkerSet room(Optional<String> said, TypeFacts facts) {
        var shared = facts.rooms.get(said);
        if (shared == null) {
            shared = new TypeFacts.Shared();
            facts.rooms.put(said, shared);
            var set = shared.set;
            each(facts.offering, desk -> set.put(desk.place, desk.isCrowded(facts.type, said)));
        }
        shared.users++;
        return shared.set;
    }

    void release(DemandClass demand) {
        var facts = demand.facts;
        for (var criterion : demand.criteria) {
            release(criterion, isAbout(criterion, facts) ? facts.criteria : criteria);
        }
        release(demand.key.demand().category(), facts.rooms);
        facts.classes.remove(demand);
        if (!facts.hasClasses()) {
            facts.forget();
            forgetIfUnused(facts);
        }
    }

    private void forgetIfUnused(TypeFacts facts) {
        if (facts.workers == 0 && !facts.hasClasses()) {
            types.remove(facts.type);
        }
    }

    private static <K> void release(K key, Map<K, TypeFacts.Shared> all) {
        var shared = all.get(key);
        if (shared != null && --shared.users == 0) {
            all.remove(key);
        }
    }

    private void each(WorkerSet set, Consumer<Desk> sink) {
        for (var at = 0; at < words(); at++) {
            each(at, set.word(at), place -> sink.accept(at(place)));
        }
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

    // Figures by worker

    /// For each worker the tokens that occupy its slots.
    SequencedMap<WorkerId, SequencedSet<LeaseToken>> slots() {
        var slots = new LinkedHashMap<WorkerId, SequencedSet<LeaseToken>>();
        desks.forEach((id, desk) ->
                slots.put(
                        id,
                        Collections.unmodifiableSequencedSet(new LinkedHashSet<>(desk.tokens()))));
        return slots;
    }

    /// For each worker that limits categories how many slots each of them takes up.
    SequencedMap<WorkerId, SequencedMap<String, Integer>> crowds() {
        var crowds = new LinkedHashMap<WorkerId, SequencedMap<String, Integer>>();
        desks.forEach((id, desk) -> {
            var profile = desk.profile();
            if (profile != null && !profile.slots().limits().isEmpty()) {
                var crowd = new LinkedHashMap<String, Integer>();
                profile.slots()
                        .limits()
                        .keySet()
                        .forEach(category -> crowd.put(category, desk.crowd(category)));
                crowds.put(id, crowd);
            }
        });
        return crowds;
    }

    /// Hands the places of `word`, which begins at `64 * at`, to `sink` in ascending order.
    static void each(int at, long word, IntConsumer sink) {
        for (var rest = word; rest != 0; rest &= rest - 1) {
            sink.accept((at << 6) + Long.numberOfTrailingZeros(rest));
        }
    }
}
