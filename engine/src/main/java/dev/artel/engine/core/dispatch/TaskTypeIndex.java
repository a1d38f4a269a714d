package dev.artel.engine.core.dispatch;

import dev.artel.kernel.fleet.WorkerProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What the workers that offer one task type have to do with it, by their places; of the others nothing is kept, and
/// nothing at all while there is no class of the type. Single-threaded.
final class TaskTypeIndex {
    private static final double[] NONE = new double[0];

    /// No category is called by the empty text.
    private static final Comparator<Optional<String>> BY_NAME =
            Comparator.comparing(category -> category.orElse(""));

    final String type;
    final WorkerSet offering = new WorkerSet();
    final WorkerSet warm = new WorkerSet();

    /// The questions of classes that are about this type.
    final Map<CriterionKey, Shared> criteria = new LinkedHashMap<>();

    /// The categories that tasks name, and the clients of those, to the workers that have no slot for them.
    final Map<Optional<String>, Map<String, Shared>> rooms = new TreeMap<>(BY_NAME);

    /// All that are about this type.
    private final List<DemandClass> classes = new ArrayList<>(2);

    /// Those of `classes` that have tasks.
    final List<DemandClass> waiting = new ArrayList<>();

    /// Of the priorities of those.
    final Ages ages = new Ages();

    /// How many workers offer it.
    int workers;

    /// Who was chosen last.
    int last = -1;

    private double[] costs = NONE;

    TaskTypeIndex(String type) {
        this.type = type;
    }

    /// A set that several classes use.
    static final class Shared {
        final WorkerSet set = new WorkerSet();
        int users;
    }

    boolean hasClasses() {
        return !classes.isEmpty();
    }

    void add(DemandClass demand) {
        demand.place = classes.size();
        classes.add(demand);
    }

    void remove(DemandClass demand) {
        var last = classes.removeLast();
        if (last != demand) {
            classes.set(demand.place, last);
            last.place = demand.place;
        }
    }

    /// A worker that offers the type is there, or has changed.
    void begin(ConnectedWorker connectedWorker, WorkerProfile profile) {
        if (hasClasses()) {
            note(connectedWorker, profile);
            for (var demand : classes) {
                demand.begin(connectedWorker.place);
            }
        }
    }

    /// What `profile` has to do with the type.
    void note(ConnectedWorker connectedWorker, WorkerProfile profile) {
        var place = connectedWorker.place;
        if (place >= costs.length) {
            costs = Arrays.copyOf(costs, Math.max(place + 1, costs.length * 2));
        }
        offering.put(place, true);
        costs[place] = profile.costOf(type);
        warm.put(place, profile.capabilities().isWarmFor(type));
        criteria.forEach((key, shared) -> shared.set.put(place, key.criterion().admits(profile)));
        crowd(connectedWorker, true);
    }

    /// The last class is gone.
    void forget() {
        offering.clear();
        warm.clear();
        costs = NONE;
    }

    /// A worker that offered the type is gone, or is about to change.
    void end(ConnectedWorker connectedWorker) {
        offering.put(connectedWorker.place, false);
        for (var demand : classes) {
            demand.end(connectedWorker.place);
        }
    }

    /// A category of the worker may have become full or got room.
    ///
    /// @param isOther whether it is another worker than before at its place, or has changed
    void crowd(ConnectedWorker connectedWorker, boolean isOther) {
        var place = connectedWorker.place;
        var isShared = connectedWorker.isShared();
        rooms.forEach((declared, byClient) -> {
            if (isShared) {
                byClient.forEach((client, room) ->
                        room.set.put(place, connectedWorker.isCrowded(type, declared, client)));
                return;
            }
            var isCrowded = connectedWorker.isCrowded(type, declared);
            // It is full for all clients or for none.
            if (isOther || byClient.values().iterator().next().set.has(place) != isCrowded) {
                byClient.values().forEach(room -> room.set.put(place, isCrowded));
            }
        });
    }

    double cost(int place) {
        return costs[place];
    }
}
