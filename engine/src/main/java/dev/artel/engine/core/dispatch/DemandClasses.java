package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// All demand classes, and which of them have tasks. Single-threaded.
final class DemandClasses {
    /// How many classes are kept that have no task now: the next one of the kind comes soon, and to find out anew who could take it
    /// takes a look at all workers.
    private static final int MOST_EMPTY = 8_192;

    /// How many characters the keys of those may have: clients choose how much a task asks for.
    private static final int MOST_EMPTY_CHARACTERS = 4_000_000;

    /// How many classes are looked at for one that a worker could do.
    private static final int MOST_LOOKED_AT = 64;

    /// How many priorities that were passed over are looked at for one that a worker takes.
    private static final int MOST_AGED = 16;

    private final WorkerIndex workerIndex;
    private final Turns turns;
    private final Gates gates;
    private final Search search = new Search();
    private final Map<DemandClass.Key, DemandClass> classes = new LinkedHashMap<>();

    /// Those without a task, the one that was asked for last at the end.
    private final SequencedSet<DemandClass> empty = new LinkedHashSet<>();

    private long emptyCharacters;

    /// Those with tasks.
    private final SequencedSet<DemandClass> waiting = new LinkedHashSet<>();

    /// The one that was asked for last; null if none was.
    private @Nullable DemandClass latest;

    DemandClasses(WorkerIndex workerIndex, Turns turns, Gates gates) {
        this.workerIndex = workerIndex;
        this.turns = turns;
        this.gates = gates;
    }

    /// The class of an offer of `job`.
    DemandClass of(JobId job, Effect.Offer offer, Instant now) {
        return of(keyOf(job, offer, now));
    }

    /// The key of the class of an offer of `job`.
    DemandClass.Key keyOf(JobId job, Effect.Offer offer, Instant now) {
        return DemandClassifier.offer(offer, workerIndex.isWaryOf(job, offer), now);
    }

    /// The class of `key`, which exists from now on until it is empty and others are needed more.
    DemandClass of(DemandClass.Key key) {
        // The tasks of a fan-out follow one another: to compare is cheaper than to hash all that a
        // task demands.
        var known = latest != null && latest.key.equals(key) ? latest : classes.get(key);
        if (known == null) {
            latest = create(key);
        } else {
            latest = known;
            if (known.slot < 0) {
                empty.addLast(known);
            }
        }
        return latest;
    }

    private DemandClass create(DemandClass.Key key) {
        var created = new DemandClass(key, workerIndex, turns, gates);
        classes.put(key, created);
        created.facts.add(created);
        empty(created);
        return created;
    }

    /// `demand` has no task.
    private void empty(DemandClass demand) {
        empty.add(demand);
        emptyCharacters += demand.keyCharacters;
        while (empty.size() > MOST_EMPTY
                || (emptyCharacters > MOST_EMPTY_CHARACTERS && empty.size() > 1)) {
            var oldest = empty.removeFirst();
            emptyCharacters -= oldest.keyCharacters;
            classes.remove(oldest.key);
            oldest.queue.reconfigure();
            workerIndex.release(oldest);
            if (oldest == latest) {
                latest = null;
            }
        }
    }

    /// How many there are.
    int size() {
        return classes.size();
    }

    /// Other limits are in force.
    void reconfigure() {
        classes.values().forEach(demand -> demand.queue.reconfigure());
    }

    void add(DemandClass demand, QueuedTask task) {
        var priority = task.offer().priority();
        if (!demand.queue.has(priority)) {
            demand.facts.ages.begin(priority);
        }
        demand.queue.add(task);
        task.in = demand;
        if (demand.slot < 0) {
            empty.remove(demand);
            emptyCharacters -= demand.keyCharacters;
            var alike = demand.facts.waiting;
            demand.slot = alike.size();
            alike.add(demand);
            waiting.add(demand);
        }
    }

    void remove(QueuedTask task) {
        var demand = task.in;
        if (demand != null) {
            demand.queue.remove(task);
            leave(demand, task);
        }
    }

    /// Takes out the first task of `flow` and ends its turn.
    QueuedTask take(Turns.Flow flow) {
        var demand = flow.group.demand();
        var task = demand.queue.take(flow);
        demand.facts.ages.served(task.offer().priority());
        leave(demand, task);
        return task;
    }

    private void leave(DemandClass demand, QueuedTask task) {
        task.in = null;
        var priority = task.offer().priority();
        if (!demand.queue.has(priority)) {
            demand.facts.ages.end(priority);
        }
        settle(demand);
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
        waiting.remove(demand);
        empty(demand);
    }

    /// Those with tasks.
    SequencedSet<DemandClass> waiting() {
        return waiting;
    }

    /// Whether a worker that is here may get a task when it asks; true if it would take long to find out.
    boolean isHopeful() {
        var looked = 0;
        for (var demand : waiting) {
            if (looked == MOST_LOOKED_AT || (demand.fits.size() > 0 && demand.queue.mayGo())) {
                return true;
            }
            looked++;
        }
        return false;
    }

    /// What a ready worker is to take; null if there is nothing.
    ///
    /// @param aging how often a priority is passed over before it goes first; 0: always
    Turns.@Nullable Flow bestFor(ConnectedWorker connectedWorker, int aging) {
        search.begin();
        for (var facts : connectedWorker.takes()) {
            want(facts, connectedWorker);
        }
        var best = Turns.first(search);
        if (best == null || aging == 0) {
            return best;
        }
        var aged = agedFor(connectedWorker, aging, best.priority());
        return aged == null ? best : aged;
    }

    private void want(TaskTypeIndex facts, ConnectedWorker connectedWorker) {
        for (var demand : facts.waiting) {
            if (demand.isServedBy(connectedWorker.place)) {
                search.want(demand);
            }
        }
    }

    /// The first of what `demands` have that no limit keeps; null if there is nothing.
    Turns.@Nullable Flow bestOf(Iterable<DemandClass> demands) {
        search.begin();
        demands.forEach(search::want);
        return Turns.first(search);
    }

    /// What was passed over most often of all types that the worker takes, and so often that it goes before `highest`.
    private Turns.@Nullable Flow agedFor(
            ConnectedWorker connectedWorker, int aging, double highest) {
        Turns.Flow oldest = null;
        var leastPasses = (long) aging;
        for (var facts : connectedWorker.takes()) {
            var overdue =
                    facts.ages.overdue(
                            leastPasses,
                            highest,
                            MOST_AGED,
                            priority -> firstOf(facts, priority, connectedWorker));
            if (overdue != null) {
                oldest = overdue.found();
                leastPasses = overdue.passes() + 1;
            }
        }
        return oldest;
    }

    private Turns.@Nullable Flow firstOf(
            TaskTypeIndex facts, double priority, ConnectedWorker connectedWorker) {
        search.begin();
        want(facts, connectedWorker);
        search.keepOnly(priority);
        return Turns.first(search);
    }
}
