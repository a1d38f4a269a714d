package dev.artel.engine.core.dispatch;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// All demand classes, and which of them have tasks. Single-threaded.
final class ClassBook {
    /// How many classes are kept that have no task now: the next one of the kind comes soon.
    private static final int MOST_EMPTY = 512;

    private final Floor floor;
    private final Map<DemandClass.Key, DemandClass> classes = new LinkedHashMap<>();

    /// Those without a task, the one that was asked for last at the end.
    private final SequencedSet<DemandClass> empty = new LinkedHashSet<>();

    ClassBook(Floor floor) {
        this.floor = floor;
    }

    /// The class of `key`, which exists from now on until it is empty and others are needed more.
    DemandClass of(DemandClass.Key key) {
        var known = classes.get(key);
        if (known != null) {
            if (known.slot < 0) {
                empty.addLast(known);
            }
            return known;
        }
        while (empty.size() >= MOST_EMPTY) {
            var oldest = empty.removeFirst();
            classes.remove(oldest.key);
            floor.release(oldest);
        }
        var created = new DemandClass(key, floor);
        classes.put(key, created);
        created.facts.classes.add(created);
        empty.add(created);
        return created;
    }

    void add(DemandClass demand, QueuedTask task) {
        demand.queue.add(task);
        task.in = demand;
        if (demand.slot < 0) {
            empty.remove(demand);
            var alike = demand.facts.waiting;
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
        if (demand.queue.size() > 0 || demand.slot < 0) {
            return;
        }
        var alike = demand.facts.waiting;
        var last = alike.removeLast();
        if (last != demand) {
            alike.set(demand.slot, last);
            last.slot = demand.slot;
        }
        demand.slot = -1;
        empty.add(demand);
    }

    /// The class whose first task a ready worker is to take; null if there is none.
    @Nullable DemandClass bestFor(Desk desk) {
        DemandClass best = null;
        TaskQueue.Head first = null;
        for (var facts : desk.takes()) {
            for (var demand : facts.waiting) {
                var head = demand.queue.head();
                if (head != null
                        && (first == null || head.compareTo(first) < 0)
                        && demand.isServedBy(desk.place)) {
                    best = demand;
                    first = head;
                }
            }
        }
        return best;
    }
}
