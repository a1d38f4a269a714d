package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// All offers that wait, by job, and when those are to be looked at again that wait for time. Single-threaded.
final class WaitingOffers {
    /// Most jobs have few tasks that wait at once.
    private static final int FEW = 3;

    private final Map<JobId, SequencedMap<QueuedTask.Key, QueuedTask>> tasks =
            new LinkedHashMap<>();

    private final TreeSet<Timer> timers = new TreeSet<>(Timer.ORDER);

    /// For each task type those that stand in no queue before their time has come.
    private final Map<String, HeldBack> heldBack = new LinkedHashMap<>();

    private final QueueRoom room;

    /// @param room counts them
    WaitingOffers(QueueRoom room) {
        this.room = room;
    }

    /// Tasks of a type that back off.
    static final class HeldBack {
        final WaitTimes times = new WaitTimes();
        private final Set<QueuedTask> tasks = new LinkedHashSet<>();

        /// The one that has been held back longest.
        QueuedTask example() {
            return tasks.iterator().next();
        }
    }

    private record Timer(Instant at, QueuedTask task) {
        static final Comparator<Timer> ORDER =
                Comparator.comparing(Timer::at).thenComparing(timer -> timer.task.key());
    }

    @Nullable QueuedTask find(QueuedTask.Key key) {
        var ofJob = tasks.get(key.job());
        return ofJob == null ? null : ofJob.get(key);
    }

    /// One that is not here.
    void add(QueuedTask task) {
        var ofJob = tasks.computeIfAbsent(task.job(), _ -> new LinkedHashMap<>(FEW));
        ofJob.put(task.key(), task);
        room.add(task.offer().client(), ofJob.size() == 1);
    }

    @Nullable QueuedTask remove(QueuedTask.Key key) {
        var ofJob = tasks.get(key.job());
        var task = ofJob == null ? null : ofJob.remove(key);
        if (task == null || ofJob == null) {
            return null;
        }
        room.remove(task.offer().client(), ofJob.isEmpty());
        if (ofJob.isEmpty()) {
            tasks.remove(key.job());
        }
        disarm(task);
        return task;
    }

    /// Those of a job, in the order in which they came; of no use after a change.
    Iterable<QueuedTask> waiting(JobId job) {
        var ofJob = tasks.get(job);
        return ofJob == null ? List.of() : ofJob.sequencedValues();
    }

    /// Those of a job, as they are now.
    List<QueuedTask> of(JobId job) {
        var ofJob = tasks.get(job);
        return ofJob == null ? List.of() : List.copyOf(ofJob.sequencedValues());
    }

    void arm(QueuedTask task, Instant at) {
        disarm(task);
        task.timer = at;
        timers.add(new Timer(at, task));
        if (task.in == null) {
            var alike =
                    heldBack.computeIfAbsent(task.offer().outline().type(), _ -> new HeldBack());
            alike.times.add(task);
            alike.tasks.add(task);
        }
    }

    private void holdNoLonger(QueuedTask task) {
        var type = task.offer().outline().type();
        var alike = heldBack.get(type);
        if (alike != null && alike.tasks.remove(task)) {
            alike.times.remove(task);
            if (alike.tasks.isEmpty()) {
                heldBack.remove(type);
            }
        }
    }

    /// For each task type those that stand in no queue before their time has come, at least one of each type.
    Map<String, HeldBack> heldBack() {
        return heldBack;
    }

    void disarm(QueuedTask task) {
        if (task.timer != null) {
            timers.remove(new Timer(task.timer, task));
            task.timer = null;
            holdNoLonger(task);
        }
    }

    /// Takes out the first timer that is due; null if none is.
    @Nullable QueuedTask due(Instant now) {
        if (timers.isEmpty() || timers.first().at().isAfter(now)) {
            return null;
        }
        var task = timers.removeFirst().task();
        task.timer = null;
        holdNoLonger(task);
        return task;
    }

    Optional<Instant> next() {
        return timers.isEmpty() ? Optional.empty() : Optional.of(timers.first().at());
    }

    int size() {
        return room.size();
    }
}
