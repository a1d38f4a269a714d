package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Queued tasks in the order in which they are to be served. Single-threaded.
///
/// Rank is (priority, flow, enqueue number): within a priority flows take turns, a flow is a job. The turns are those
/// of start-time fair queueing (Goyal, Vin and Cheng, 1996) with equal shares and unit cost.
final class TaskQueue {
    private final Map<JobId, Flow> flows = new LinkedHashMap<>();
    private final TreeSet<Flow> ranked = new TreeSet<>(TaskQueue::compare);

    /// The first in rank, once somebody asked for it.
    private @Nullable Head head;

    private long turn;
    private int size;

    /// The queued tasks of one job.
    private static final class Flow {
        final JobId job;
        final double priority;

        /// Null if there is none.
        @Nullable QueuedTask first;

        /// Those after the first; null if there never were any, as in most flows.
        private @Nullable TreeSet<QueuedTask> others;

        long turn;

        Flow(QueuedTask first, long turn) {
            job = first.job();
            priority = first.offer().priority();
            this.first = first;
            this.turn = turn;
        }

        QueuedTask first() {
            return Objects.requireNonNull(first);
        }

        /// Whether `task` is not here yet.
        boolean add(QueuedTask task) {
            var order = QueuedTask.ORDER.compare(task, first());
            if (order == 0) {
                return false;
            }
            if (others == null) {
                others = new TreeSet<>(QueuedTask.ORDER);
            }
            if (order > 0) {
                return others.add(task);
            }
            others.add(first());
            first = task;
            return true;
        }

        boolean removeOther(QueuedTask task) {
            return others != null && others.remove(task);
        }

        void removeFirst() {
            first = others == null ? null : others.pollFirst();
        }
    }

    private static int compare(Flow one, Flow other) {
        if (one == other) {
            return 0;
        }
        var byRank = compare(one.priority, one.turn, other.priority, other.turn);
        return byRank != 0 ? byRank : compare(one.first(), other.first());
    }

    private static int compare(double priority, long turn, double others, long othersTurn) {
        var byPriority = Double.compare(others, priority);
        return byPriority != 0 ? byPriority : Long.compare(turn, othersTurn);
    }

    private static int compare(QueuedTask one, QueuedTask other) {
        var byNumber = QueuedTask.ORDER.compare(one, other);
        return byNumber != 0 ? byNumber : one.job().compareTo(other.job());
    }

    /// A task with its rank; the lowest is served first.
    record Head(double priority, long turn, Instant opened, QueuedTask task)
            implements Comparable<Head> {
        @Override
        public int compareTo(Head other) {
            var byRank = TaskQueue.compare(priority, turn, other.priority, other.turn);
            var byAge = byRank != 0 ? byRank : opened.compareTo(other.opened);
            return byAge != 0 ? byAge : TaskQueue.compare(task, other.task);
        }
    }

    int size() {
        return size;
    }

    void add(QueuedTask task) {
        var flow = flows.get(task.job());
        if (flow == null) {
            flow = new Flow(task, turn);
            flows.put(flow.job, flow);
            size++;
        } else if (QueuedTask.ORDER.compare(task, flow.first()) < 0) {
            ranked.remove(flow);
            size += flow.add(task) ? 1 : 0;
        } else {
            size += flow.add(task) ? 1 : 0;
            return;
        }
        ranked.add(flow);
        head = null;
    }

    void remove(QueuedTask task) {
        var flow = flows.get(task.job());
        if (flow == null) {
            return;
        }
        if (QueuedTask.ORDER.compare(task, flow.first()) != 0) {
            size -= flow.removeOther(task) ? 1 : 0;
            return;
        }
        head = null;
        ranked.remove(flow);
        flow.removeFirst();
        size--;
        putBack(flow);
    }

    @Nullable Head head() {
        if (head == null && !ranked.isEmpty()) {
            var flow = ranked.first();
            var first = flow.first();
            head = new Head(flow.priority, flow.turn, first.offer().opened(), first);
        }
        return head;
    }

    /// Takes the head out and ends its flow's turn.
    QueuedTask take() {
        head = null;
        var flow = ranked.pollFirst();
        if (flow == null) {
            throw new IllegalStateException("the queue is empty");
        }
        var task = flow.first();
        flow.removeFirst();
        size--;
        turn = Math.max(turn, flow.turn);
        flow.turn++;
        putBack(flow);
        return task;
    }

    private void putBack(Flow flow) {
        if (flow.first == null) {
            flows.remove(flow.job);
        } else {
            ranked.add(flow);
        }
    }
}
