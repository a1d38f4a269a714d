package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Criterion;
import java.time.Instant;
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
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// All connected workers, and for each question that placement asks the set of workers of which it is true, kept up to date with
/// every change. Single-threaded.
final class WorkerIndex {
    final WorkerSet present = new WorkerSet();
    final WorkerSet unhealthy = new WorkerSet();
    final WorkerSet suspended = new WorkerSet();
    final WorkerSet draining = new WorkerSet();

    /// Without a free slot, or without room by their own word, and nothing worse.
    final WorkerSet busy = new WorkerSet();

    /// Those that would take a task if they asked.
    final WorkerSet silent = new WorkerSet();

    /// Those that take a task now if it fits.
    final WorkerSet ready = new WorkerSet();

    private final SequencedMap<WorkerId, ConnectedWorker> connectedWorkers = new LinkedHashMap<>();
    private final List<@Nullable ConnectedWorker> places = new ArrayList<>();
    private final ArrayDeque<Integer> vacant = new ArrayDeque<>();
    private final Map<CriterionKey, TaskTypeIndex.Shared> criteria = new LinkedHashMap<>();
    private final Map<String, TaskTypeIndex> types = new LinkedHashMap<>();

    private final GivenBack givenBack = new GivenBack();
    private final CameBack cameBack = new CameBack();

    private int[] used = new int[0];

    /// How many slots they would fill now; 0 for those that take nothing new.
    private int[] open = new int[0];

    private int[] total = new int[0];
    private double[] reputation = new double[0];
    private long[] since = new long[0];
    private long clock;
    private long profiles;
    private long changes;

    // Workers

    ConnectedWorker workerOf(WorkerId worker) {
        var connectedWorker = connectedWorkers.get(worker);
        return connectedWorker == null ? begin(worker) : connectedWorker;
    }

    private ConnectedWorker begin(WorkerId worker) {
        var place = vacant.isEmpty() ? places.size() : vacant.pop();
        var connectedWorker = new ConnectedWorker(worker, place);
        connectedWorker.givenBack = givenBack.of(worker);
        connectedWorkers.put(worker, connectedWorker);
        if (place == places.size()) {
            places.add(connectedWorker);
        } else {
            places.set(place, connectedWorker);
        }
        if (place >= used.length) {
            var room = Math.max(16, 2 * place);
            used = Arrays.copyOf(used, room);
            open = Arrays.copyOf(open, room);
            total = Arrays.copyOf(total, room);
            reputation = Arrays.copyOf(reputation, room);
            since = Arrays.copyOf(since, room);
        }
        return connectedWorker;
    }

    @Nullable ConnectedWorker find(WorkerId worker) {
        return connectedWorkers.get(worker);
    }

    ConnectedWorker at(int place) {
        var connectedWorker = places.get(place);
        if (connectedWorker == null) {
            throw new IllegalStateException("no worker is at place " + place);
        }
        return connectedWorker;
    }

    SequencedMap<WorkerId, ConnectedWorker> connected() {
        return connectedWorkers;
    }

    void forgetIfIdle(ConnectedWorker connectedWorker) {
        if (connectedWorker.isForgettable()
                && connectedWorkers.remove(connectedWorker.id) != null) {
            places.set(connectedWorker.place, null);
            vacant.push(connectedWorker.place);
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

    void change(ConnectedWorker connectedWorker, @Nullable WorkerProfile profile) {
        profiles++;
        for (var facts : connectedWorker.offers()) {
            facts.end(connectedWorker);
            facts.workers--;
            forgetIfUnused(facts);
        }
        if (connectedWorker.profile() == null && profile != null) {
            connectedWorker.lastBack = cameBack.joined();
        }
        connectedWorker.profile(profile, this::typeOf);
        for (var facts : connectedWorker.offers()) {
            facts.workers++;
        }
        var place = connectedWorker.place;
        present.put(place, profile != null);
        if (profile != null) {
            criteria.forEach(
                    (key, shared) -> shared.set.put(place, key.criterion().admits(profile)));
            connectedWorker.offers().forEach(facts -> facts.begin(connectedWorker, profile));
            total[place] = profile.capacity();
            reputation[place] = profile.reputation();
        }
        var availability = profile == null ? Availability.READY : profile.availability();
        unhealthy.put(place, availability == Availability.UNHEALTHY);
        suspended.put(place, availability == Availability.SUSPENDED);
        draining.put(place, availability == Availability.DRAINING);
        var isOpen =
                profile != null && availability == Availability.READY && !profile.tasks().isEmpty();
        open[place] = isOpen ? total[place] : 0;
        refresh(connectedWorker, true);
    }

    /// After a change of slots or asks.
    ///
    /// @param crowds whether a category may have become full or got room
    void refresh(ConnectedWorker connectedWorker, boolean crowds) {
        changes++;
        var place = connectedWorker.place;
        used[place] = connectedWorker.used();
        var isOpen = used[place] < open[place];
        var isReady = isOpen && connectedWorker.openAsk() != null;
        var isWell =
                present.has(place)
                        && !unhealthy.has(place)
                        && !suspended.has(place)
                        && !draining.has(place);
        busy.put(place, isWell && !isOpen);
        silent.put(place, isOpen && !isReady);
        if (isReady && !ready.has(place)) {
            clock++;
            since[place] = clock;
        }
        ready.put(place, isReady);
        if (crowds) {
            connectedWorker.offers().forEach(facts -> facts.crowd(connectedWorker, false));
        }
    }

    /// It is `now`.
    void at(Instant now) {
        givenBack.at(now);
        cameBack.at(now);
    }

    /// A worker has given a task back that it had not begun.
    void gaveBack(WorkerId worker, LeaseToken token) {
        cameBack.count(token);
        var account = givenBack.count(worker);
        var connectedWorker = connectedWorkers.get(worker);
        if (connectedWorker != null) {
            connectedWorker.givenBack = account;
            connectedWorker.lastBack = cameBack.count(connectedWorker.holder());
        }
    }

    /// Whether a task that waits came back from workers again and again.
    boolean isWaryOf(JobId job, Effect.Offer offer) {
        return cameBack.isOften(job, offer.task(), offer.attempt());
    }

    /// Whether some workers come behind others, as they gave tasks back.
    boolean isAnyBehind() {
        return givenBack.isAnyBehind();
    }

    // What classes look at

    private TaskTypeIndex typeOf(String type) {
        return types.computeIfAbsent(type, TaskTypeIndex::new);
    }

    /// What is known about `type`, for a class of it.
    TaskTypeIndex type(String type) {
        var facts = typeOf(type);
        if (!facts.hasClasses()) {
            for (var connectedWorker : connectedWorkers.values()) {
                if (connectedWorker.offers().contains(facts)) {
                    facts.note(connectedWorker, profileOf(connectedWorker));
                }
            }
        }
        return facts;
    }

    WorkerSet criterion(Criterion criterion, TaskTypeIndex facts) {
        if (criterion instanceof Criterion.OffersType) {
            return facts.offering;
        }
        var all = isAbout(criterion, facts) ? facts.criteria : criteria;
        var key = new CriterionKey(criterion);
        var shared = all.get(key);
        if (shared == null) {
            shared = new TaskTypeIndex.Shared();
            all.put(key, shared);
            var set = shared.set;
            each(
                    isAbout(criterion, facts) ? facts.offering : present,
                    connectedWorker ->
                            set.put(
                                    connectedWorker.place,
                                    criterion.admits(profileOf(connectedWorker))));
        }
        shared.users++;
        return shared.set;
    }

    /// Whether it is asked of those alone that offer the type.
    private static boolean isAbout(Criterion criterion, TaskTypeIndex facts) {
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

    WorkerSet room(Optional<String> declared, String client, TaskTypeIndex facts) {
        var byClient = facts.rooms.computeIfAbsent(declared, _ -> new TreeMap<>());
        var shared = byClient.get(client);
        if (shared == null) {
            shared = new TaskTypeIndex.Shared();
            // A worker whose slots clients do not share is full for all of them or for none.
            var ofAnother = byClient.isEmpty() ? null : byClient.values().iterator().next().set;
            byClient.put(client, shared);
            var set = shared.set;
            each(
                    facts.offering,
                    connectedWorker ->
                            set.put(
                                    connectedWorker.place,
                                    (ofAnother == null || connectedWorker.isShared())
                                            ? connectedWorker.isCrowded(
                                                    facts.type, declared, client)
                                            : ofAnother.has(connectedWorker.place)));
        }
        shared.users++;
        return shared.set;
    }

    void release(DemandClass demand) {
        var facts = demand.facts;
        for (var criterion : demand.criteria) {
            release(
                    new CriterionKey(criterion),
                    isAbout(criterion, facts) ? facts.criteria : criteria);
        }
        var declared = demand.key.demand().category();
        var byClient = facts.rooms.get(declared);
        if (byClient != null) {
            release(demand.key.client(), byClient);
            if (byClient.isEmpty()) {
                facts.rooms.remove(declared);
            }
        }
        facts.remove(demand);
        if (!facts.hasClasses()) {
            facts.forget();
            forgetIfUnused(facts);
        }
    }

    private void forgetIfUnused(TaskTypeIndex facts) {
        if (facts.workers == 0 && !facts.hasClasses()) {
            types.remove(facts.type);
        }
    }

    private static <K> void release(K key, Map<K, TaskTypeIndex.Shared> all) {
        var shared = all.get(key);
        if (shared != null && --shared.users == 0) {
            all.remove(key);
        }
    }

    private void each(WorkerSet set, Consumer<ConnectedWorker> sink) {
        for (var at = 0; at < words(); at++) {
            each(at, set.word(at), place -> sink.accept(at(place)));
        }
    }

    private static WorkerProfile profileOf(ConnectedWorker connectedWorker) {
        var profile = connectedWorker.profile();
        if (profile == null) {
            throw new IllegalStateException("worker " + connectedWorker.id + " has no profile");
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

    /// How often the worker has given something back lately.
    int timesGivenBack(int place) {
        return givenBack.times(at(place).givenBack);
    }

    /// When the worker gave something back last, or came: lower is longer ago, and each has another one.
    long lastBack(int place) {
        return at(place).lastBack;
    }

    /// When a worker with its token gave something back last: lower is longer ago.
    long lastBackOfToken(int place) {
        return cameBack.lastOf(at(place).holder());
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
        connectedWorkers.forEach((id, connectedWorker) ->
                slots.put(
                        id,
                        Collections.unmodifiableSequencedSet(
                                new LinkedHashSet<>(connectedWorker.tokens()))));
        return slots;
    }

    /// For each worker that limits categories how many slots each of them takes up.
    SequencedMap<WorkerId, SequencedMap<String, Integer>> crowds() {
        var crowds = new LinkedHashMap<WorkerId, SequencedMap<String, Integer>>();
        connectedWorkers.forEach((id, connectedWorker) -> {
            var profile = connectedWorker.profile();
            if (profile != null && !profile.slots().limits().isEmpty()) {
                var crowd = new LinkedHashMap<String, Integer>();
                profile.slots()
                        .limits()
                        .keySet()
                        .forEach(category -> crowd.put(category, connectedWorker.crowd(category)));
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
