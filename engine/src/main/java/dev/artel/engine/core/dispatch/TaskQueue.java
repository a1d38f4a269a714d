package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.SharedLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// Queued tasks of one demand class. Single-threaded.
///
/// Tasks of one priority that name the same limits are a group. Where a limit has no room the whole group is passed over at once,
/// and looked at again when it has. In which order tasks are served is for [Turns], which finds them by the bits of their groups.
final class TaskQueue implements Gates.Waiter {
    private final Turns turns;
    private final Gates gates;
    private final DemandClass demand;

    /// By priority and limits.
    private final Map<Double, Map<List<SharedLimit>, Group>> groups = new LinkedHashMap<>();

    /// Those that do not wait at a limit.
    private final SequencedSet<Group> open = new LinkedHashSet<>();

    /// How many of those have each bit.
    private final int[] openByBit = new int[Long.SIZE];

    /// The bits of those.
    private long bits;

    /// The limits that concern all of them; null if they are to be found out.
    private @Nullable List<Gates.Pass> common;

    /// Where all of them wait; null if nowhere.
    private Gates.@Nullable Pass waitsAt;

    private int size;

    TaskQueue(Turns turns, Gates gates, DemandClass demand) {
        this.turns = turns;
        this.gates = gates;
        this.demand = demand;
    }

    /// The tasks of one priority that name the same limits.
    static final class Group implements Gates.Waiter {
        /// Later groups have higher ones.
        final long number;

        private final TaskQueue queue;
        private final double priority;
        private final List<SharedLimit> limits;
        private final List<Gates.Pass> passes;
        private final int bit;
        private final Map<JobId, Turns.Flow> flows = new LinkedHashMap<>();
        private final WaitTimes times = new WaitTimes();

        /// Where it waits; null if nowhere.
        private Gates.@Nullable Pass waitsAt;

        private Group(TaskQueue queue, double priority, List<SharedLimit> limits) {
            this.queue = queue;
            this.priority = priority;
            this.limits = limits;
            passes = queue.gates.named(limits);
            bit = queue.turns.beginGroup();
            number = queue.turns.begun();
        }

        /// The one of its bit.
        long bits() {
            return 1L << bit;
        }

        /// Whether no limit keeps its tasks; else they wait at it from now on.
        boolean mayGo() {
            if (waitsAt != null || queue.isClosed()) {
                return false;
            }
            waitsAt = queue.gates.closed(passes);
            if (waitsAt == null) {
                return true;
            }
            queue.shut(this);
            queue.gates.park(waitsAt, this);
            return false;
        }

        @Override
        public void lookAgain() {
            waitsAt = null;
            queue.open(this);
        }

        @Override
        public DemandClass demand() {
            return queue.demand;
        }
    }

    private void open(Group group) {
        open.add(group);
        openByBit[group.bit]++;
        bits |= group.bits();
    }

    private void shut(Group group) {
        open.remove(group);
        openByBit[group.bit]--;
        if (openByBit[group.bit] == 0) {
            bits &= ~group.bits();
        }
    }

    int size() {
        return size;
    }

    /// The bits of all tasks that do not wait at a limit of their own.
    long bits() {
        return bits;
    }

    /// Whether it has tasks of this priority.
    boolean has(double priority) {
        return groups.containsKey(priority);
    }

    void add(QueuedTask task) {
        var priority = task.offer().priority();
        var limits = task.offer().outline().limits();
        var alike = groups.computeIfAbsent(priority, _ -> new LinkedHashMap<>(2));
        var group = alike.get(limits);
        if (group == null) {
            group = new Group(this, priority, limits);
            gates.join(group.passes);
            alike.put(limits, group);
            open(group);
        }
        var flow = group.flows.get(task.job());
        if (flow == null) {
            group.flows.put(task.job(), turns.begin(group, task));
        } else if (!turns.add(flow, task)) {
            return;
        }
        size++;
        group.times.add(task);
    }

    void remove(QueuedTask task) {
        var group = groupOf(task);
        var flow = group == null ? null : group.flows.get(task.job());
        if (group != null && flow != null && turns.remove(flow, task)) {
            removed(group, flow, task);
        }
    }

    /// Takes the first task of `flow`, which is here, out and ends its turn.
    QueuedTask take(Turns.Flow flow) {
        var task = flow.first();
        turns.serve(flow);
        removed(flow.group, flow, task);
        return task;
    }

    private void removed(Group group, Turns.Flow flow, QueuedTask task) {
        size--;
        group.times.remove(task);
        if (flow.isEmpty()) {
            group.flows.remove(task.job());
            if (group.flows.isEmpty()) {
                end(group);
            }
        }
    }

    private void end(Group group) {
        if (group.waitsAt == null) {
            shut(group);
        } else {
            gates.unpark(group.waitsAt.gate(), group);
        }
        gates.leave(group.passes);
        turns.endGroup(group.bit);
        var alike = Objects.requireNonNull(groups.get(group.priority));
        alike.remove(group.limits);
        if (alike.isEmpty()) {
            groups.remove(group.priority);
        }
    }

    private @Nullable Group groupOf(QueuedTask task) {
        var alike = groups.get(task.offer().priority());
        return alike == null ? null : alike.get(task.offer().outline().limits());
    }

    // Limits

    /// Whether there is a task that no limit keeps.
    boolean mayGo() {
        while (!open.isEmpty() && !isClosed()) {
            if (open.getFirst().mayGo()) {
                return true;
            }
        }
        return false;
    }

    /// Whether a limit keeps all of them; then they wait at it from now on.
    private boolean isClosed() {
        if (waitsAt != null) {
            return true;
        }
        waitsAt = gates.closed(common());
        if (waitsAt == null) {
            return false;
        }
        gates.park(waitsAt, this);
        return true;
    }

    private List<Gates.Pass> common() {
        if (common == null) {
            common = gates.common(demand.key.type(), demand.key.blueprint());
            gates.join(common);
        }
        return common;
    }

    @Override
    public void lookAgain() {
        waitsAt = null;
    }

    @Override
    public DemandClass demand() {
        return demand;
    }

    /// Other limits may concern all of them from now on; also to forget the queue, which is empty then.
    void reconfigure() {
        if (waitsAt != null) {
            gates.unpark(waitsAt.gate(), this);
            waitsAt = null;
        }
        if (common != null) {
            gates.leave(common);
            common = null;
        }
    }

    // Questions

    /// Tasks of the same priority that name the same limits.
    ///
    /// @param example one of the job that has been here longest
    record Alike(QueuedTask example, WaitTimes times) {}

    /// All tasks, those together that wait for the same reason.
    List<Alike> alike() {
        var all = new ArrayList<Alike>();
        for (var ofPriority : groups.values()) {
            for (var group : ofPriority.values()) {
                var flow = group.flows.values().iterator().next();
                all.add(new Alike(flow.first(), group.times));
            }
        }
        return all;
    }

    /// The limit that keeps `task`, which is here; null if none does.
    Gates.@Nullable Closed closed(QueuedTask task) {
        for (var passes : List.of(common(), Objects.requireNonNull(groupOf(task)).passes)) {
            var closed = gates.closed(passes);
            if (closed != null) {
                return gates.closed(closed);
            }
        }
        return null;
    }

    /// Whose turn it is before that of `task`, which is here.
    ///
    /// @param most up to so many of its job are counted
    Place place(QueuedTask task, int most) {
        var flow = Objects.requireNonNull(groupOf(task)).flows.get(task.job());
        var share = Objects.requireNonNull(flow).turn.share;
        return new Place(share.lane.clients(), share.jobs(), flow.before(task, most));
    }

    /// Where a task stands.
    ///
    /// @param clients how many clients have tasks of its priority that wait
    /// @param jobs how many jobs of its client do
    /// @param before how many tasks of its job here go first
    record Place(int clients, int jobs, int before) {}
}
