package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import java.util.LinkedHashMap;
import java.util.Map;
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
        final TreeSet<QueuedTask> tasks = new TreeSet<>(QueuedTask.ORDER);

        /// The first of `tasks`, as long as the flow is ranked.
        @Nullable QueuedTask first;

        long turn;

        Flow(JobId job, double priority, long turn) {
            this.job = job;
            this.priority = priority;
            this.turn = turn;
        }

        QueuedTask first() {
            var known = first;
            return known == null ? tasks.first() : known;
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
    record Head(double priority, long turn, QueuedTask task) implements Comparable<Head> {
        @Override
        public int compareTo(Head other) {
            var byRank = TaskQueue.compare(priority, turn, other.priority, other.turn);
            return byRank != 0 ? byRank : TaskQueue.compare(task, other.task);
        }
    }

    int size() {
        return size;
    }

    void add(QueuedTask task) {
        head = null;
        var flow = flows.get(task.job());
        if (flow == null) {
            flow = new Flow(task.job(), task.offer().priority(), turn);
            flows.put(task.job(), flow);
        } else {
            ranked.remove(flow);
        }
        size += flow.tasks.add(task) ? 1 : 0;
        flow.first = flow.tasks.first();
        ranked.add(flow);
    }

    void remove(QueuedTask task) {
        var flow = flows.get(task.job());
        if (flow == null || !flow.tasks.contains(task)) {
            return;
        }
        head = null;
        ranked.remove(flow);
        flow.tasks.remove(task);
        size--;
        putBack(flow);
    }

    @Nullable Head head() {
        if (head == null && !ranked.isEmpty()) {
            var flow = ranked.first();
            head = new Head(flow.priority, flow.turn, flow.first());
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
        var task = flow.tasks.removeFirst();
        size--;
        turn = Math.max(turn, flow.turn);
        flow.turn++;
        putBack(flow);
        return task;
    }

    private void putBack(Flow flow) {
        if (flow.tasks.isEmpty()) {
            flows.remove(flow.job);
        } else {
            flow.first = flow.tasks.first();
            ranked.add(flow);
        }
    }
}
