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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Queued tasks of one demand class. Single-threaded.
///
/// Tasks of one priority that name the same limits are a group. Where a limit has no room the whole group is passed over at once,
/// and looked at again when it has. In which order tasks are served is for [Turns], which finds those of a client by the bits
/// of their groups.
final class TaskQueue implements Gates.Waiter {
    private final Turns turns;
    private final Gates gates;
    private final DemandClass demand;

    private final Map<Double, Band> bands = new LinkedHashMap<>(2);

    /// The only band, as in most queues; null if there are none or several.
    private @Nullable Band only;

    /// How many groups do not wait at a limit.
    private int open;

    /// How many groups name no limit.
    private int unlimited;

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

    /// The tasks of one priority.
    private static final class Band {
        final Turns.Share share;
        final Map<List<SharedLimit>, Group> groups = new TreeMap<>(TaskQueue::compare);

        /// Those that do not wait at a limit.
        final SequencedSet<Group> open = new LinkedHashSet<>(2);

        /// The bits of those, and of some that do now; empty if there are none.
        final Bits bits = new Bits();

        /// How many have left the open ones since their bits were found out.
        int shut;

        Band(Turns.Share share) {
            this.share = share;
        }

        void open(Group group) {
            open.add(group);
            bits.add(group.bits);
        }

        void shut(Group group) {
            open.remove(group);
            shut++;
            if (shut > open.size()) {
                shut = 0;
                bits.clear();
                open.forEach(each -> bits.add(each.bits));
            }
        }
    }

    private static int compare(List<SharedLimit> one, List<SharedLimit> other) {
        if (one.size() != other.size()) {
            return Integer.compare(one.size(), other.size());
        }
        for (var i = 0; i < one.size(); i++) {
            var byLimit = one.get(i).compareTo(other.get(i));
            if (byLimit != 0) {
                return byLimit;
            }
        }
        return 0;
    }

    /// The tasks of one priority that name the same limits.
    static final class Group implements Gates.Waiter {
        /// Later groups of a client have higher ones.
        final long number;

        private final TaskQueue queue;
        private final Band band;
        private final List<SharedLimit> limits;
        private final List<Gates.Pass> passes;
        private final int bit;
        private final Bits bits = new Bits();
        private final Map<JobId, Turns.Flow> flows = new LinkedHashMap<>();
        private final WaitTimes times = new WaitTimes();

        /// Where it waits; null if nowhere.
        private Gates.@Nullable Pass waitsAt;

        private Group(TaskQueue queue, Band band, List<SharedLimit> limits) {
            this.queue = queue;
            this.band = band;
            this.limits = limits;
            passes = queue.gates.named(limits);
            bit = band.share.beginGroup();
            bits.add(bit);
            number = band.share.groupsEver();
        }

        Turns.Share share() {
            return band.share;
        }

        /// The one of its bit.
        Bits bits() {
            return bits;
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
        open++;
        unlimited += group.passes.isEmpty() ? 1 : 0;
        group.band.open(group);
    }

    private void shut(Group group) {
        open--;
        unlimited -= group.passes.isEmpty() ? 1 : 0;
        group.band.shut(group);
    }

    int size() {
        return size;
    }

    /// Has `search` look for all tasks that do not wait at a limit of their own.
    void wantedBy(Search search) {
        if (only != null) {
            search.want(only.share, only.bits);
            return;
        }
        for (var band : bands.values()) {
            if (!band.open.isEmpty()) {
                search.want(band.share, band.bits);
            }
        }
    }

    /// Whether it has tasks of this priority.
    boolean has(double priority) {
        return band(priority) != null;
    }

    private @Nullable Band band(double priority) {
        return only != null
                ? Double.compare(only.share.lane.priority, priority) == 0 ? only : null
                : bands.get(priority);
    }

    void add(QueuedTask task) {
        var priority = task.offer().priority();
        var limits = task.offer().outline().limits();
        var band = band(priority);
        if (band == null) {
            band = new Band(turns.share(priority, demand.key.client()));
            bands.put(priority, band);
            only = bands.size() == 1 ? band : null;
        }
        var group = band.groups.get(limits);
        if (group == null) {
            group = new Group(this, band, limits);
            gates.join(group.passes);
            band.groups.put(limits, group);
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
        var band = group.band;
        band.share.endGroup(group.bit);
        band.groups.remove(group.limits);
        if (band.groups.isEmpty()) {
            bands.remove(band.share.lane.priority);
            only = bands.size() == 1 ? bands.values().iterator().next() : null;
        }
    }

    private @Nullable Group groupOf(QueuedTask task) {
        var band = band(task.offer().priority());
        return band == null ? null : band.groups.get(task.offer().outline().limits());
    }

    // Limits

    /// Whether there is a task that no limit keeps.
    boolean mayGo() {
        if (unlimited > 0 && common != null && common.isEmpty()) {
            return true;
        }
        while (open > 0 && !isClosed()) {
            if (firstOpen().mayGo()) {
                return true;
            }
        }
        return false;
    }

    private Group firstOpen() {
        for (var band : bands.values()) {
            if (!band.open.isEmpty()) {
                return band.open.getFirst();
            }
        }
        throw new IllegalStateException(open + " groups are open, and none is there");
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
        for (var band : bands.values()) {
            for (var group : band.groups.values()) {
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
