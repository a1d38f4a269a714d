package dev.artel.engine.core.dispatch;

import dev.artel.kernel.fleet.WorkerProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// All demand classes, and for each task type those that have tasks. Single-threaded.
final class ClassBook {
    /// How many classes are kept that have no task now: the next one of the kind comes soon.
    private static final int MOST_EMPTY = 512;

    private final Floor floor;
    private final Map<DemandClass.Key, DemandClass> classes = new LinkedHashMap<>();
    private final SequencedMap<DemandClass.Key, DemandClass> empty = new LinkedHashMap<>();
    private final Map<String, List<DemandClass>> waiting = new LinkedHashMap<>();

    ClassBook(Floor floor) {
        this.floor = floor;
    }

    /// The class of `key`, which exists from now on until it is empty and others are needed more.
    DemandClass of(DemandClass.Key key) {
        var known = classes.get(key);
        if (known != null) {
            return known;
        }
        while (empty.size() >= MOST_EMPTY) {
            var oldest = empty.pollFirstEntry().getValue();
            classes.remove(oldest.key);
            floor.release(oldest);
        }
        var created = new DemandClass(key, floor);
        classes.put(key, created);
        empty.put(key, created);
        return created;
    }

    void add(DemandClass demand, QueuedTask task) {
        demand.queue.add(task);
        task.in = demand;
        if (demand.slot < 0) {
            empty.remove(demand.key);
            var alike = waiting.computeIfAbsent(demand.key.type(), _ -> new ArrayList<>());
            demand.slot = alike.size();
            alike.add(demand);
        }
    }

    void remove(QueuedTask task) {
        var demand = task.in;
        if (demand != null) {
            demand.queue.remove(task);
            task.in = null;
            settle(demand);
        }
    }

    QueuedTask take(DemandClass demand) {
        var task = demand.queue.take();
        task.in = null;
        settle(demand);
        return task;
    }

    private void settle(DemandClass demand) {
        var alike = waiting.get(demand.key.type());
        if (demand.queue.size() > 0 || demand.slot < 0 || alike == null) {
            return;
        }
        var last = alike.removeLast();
        if (last != demand) {
            alike.set(demand.slot, last);
            last.slot = demand.slot;
        }
        demand.slot = -1;
        empty.put(demand.key, demand);
        if (alike.isEmpty()) {
            waiting.remove(demand.key.type());
        }
    }

    /// After a change of a desk's profile.
    void update(Desk desk) {
        var isPresent = desk.profile() != null;
        classes.values().forEach(demand -> demand.update(desk.place, isPresent));
    }

    /// The class whose first task a ready worker is to take; null if there is none.
    @Nullable DemandClass bestFor(Desk desk, WorkerProfile profile) {
        DemandClass best = null;
        TaskQueue.Head bestHead = null;
        var types = profile.tasks();
        for (var t = 0; t < types.size(); t++) {
            var alike = waiting.get(types.get(t));
            for (var i = 0; alike != null && i < alike.size(); i++) {
                var demand = alike.get(i);
                if (demand.isServedBy(desk.place)) {
                    var head = demand.queue.head();
                    if (head != null && (bestHead == null || head.compareTo(bestHead) < 0)) {
                        best = demand;
                        bestHead = head;
                    }
                }
            }
        }
        return best;
    }
}
