package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.SharedLimit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Queued tasks of one demand class in the order in which they are to be served. Single-threaded.
///
/// Rank is (priority, turn of the client, turn of the job, age). The turns are shared with all other queues: what is served
/// there makes the tasks of the same job here wait longer. So the order is checked when it is looked at, which is enough
/// because no client's turn ever comes nearer.
///
/// Tasks that name the same limits stand together. Where a limit has no room they are passed over at once, all of them, and
/// looked at again when it has.
final class TaskQueue implements Gates.Waiter {
    private final Turns turns;
    private final Gates gates;
    private final DemandClass demand;

    /// By priority, the highest first.
    private final TreeMap<Double, Band> bands = new TreeMap<>(Collections.reverseOrder());

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
        final Map<List<SharedLimit>, Group> groups = new LinkedHashMap<>();

        /// Those that do not wait at a limit.
        final TreeSet<Group> open = new TreeSet<>();
    }

    /// The tasks of one priority that name the same limits.
    private static final class Group implements Comparable<Group>, Gates.Waiter {
        final DemandClass demand;
        final Band band;
        final List<SharedLimit> limits;
        final List<Gates.Pass> passes;
        final Map<JobId, Flow> flows = new LinkedHashMap<>();
        final TreeSet<Flow> ranked = new TreeSet<>();
        final WaitTimes times = new WaitTimes();

        /// Where it waits; null if nowhere.
        Gates.@Nullable Pass waitsAt;

        /// Under what it is ranked; its true rank may be higher by now.
        private @Nullable Head rank;

        Group(DemandClass demand, Band band, List<SharedLimit> limits, List<Gates.Pass> passes) {
            this.demand = demand;
            this.band = band;
            this.limits = limits;
            this.passes = passes;
        }

        /// The first flow, after those are put in their places whose job was served elsewhere.
        Flow first() {
            var flow = ranked.first();
            while (flow.round != flow.turn.round()) {
                ranked.remove(flow);
                flow.round = flow.turn.round();
                ranked.add(flow);
                flow = ranked.first();
            }
            return flow;
        }

        boolean isRankTrue() {
            return rank != null && rank.turn.round() == rank.round;
        }

        /// Takes it out of its place, for its flows to change.
        void lift() {
            if (rank != null) {
                band.open.remove(this);
                rank = null;
            }
        }

        /// Puts it in its place, unless it is empty or waits at a limit.
        void place() {
            if (rank == null && waitsAt == null && !ranked.isEmpty()) {
                var flow = first();
                rank = new Head(flow.turn, flow.round, flow.first());
                band.open.add(this);
            }
        }

        @Override
        public void lookAgain() {
            waitsAt = null;
            place();
        }

        @Override
        public DemandClass demand() {
            return demand;
        }

        @Override
        public int compareTo(Group other) {
            if (this == other) {
                return 0;
            }
            var mine = Objects.requireNonNull(rank);
            var theirs = Objects.requireNonNull(other.rank);
            var byRound = Long.compare(mine.round, theirs.round);
            return byRound != 0 ? byRound : compare(mine.task, theirs.task);
        }

        private static int compare(QueuedTask one, QueuedTask other) {
            var byAge = TaskQueue.compare(one, other);
            return byAge != 0 ? byAge : one.key().compareTo(other.key());
        }
    }

    /// The queued tasks of one job that name the same limits.
    private static final class Flow implements Comparable<Flow> {
        final JobId job;
        final Turns.Turn turn;

        /// The round under which it is ranked; its true one may be higher by now.
        long round;

        /// Null if there is none.
        @Nullable QueuedTask first;

        /// Those after the first; null if there never were any, as in most flows.
        private @Nullable TreeSet<QueuedTask> others;

        Flow(QueuedTask first, Turns.Turn turn) {
            job = first.job();
            this.first = first;
            this.turn = turn;
            round = turn.round();
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

        /// How many of its tasks go before `task`, counted up to `most`.
        int before(QueuedTask task, int most) {
            if (QueuedTask.ORDER.compare(task, first()) <= 0 || others == null) {
                return 0;
            }
            var count = 1;
            for (var other : others) {
                if (count == most || QueuedTask.ORDER.compare(task, other) <= 0) {
                    break;
                }
                count++;
            }
            return count;
        }

        @Override
        public int compareTo(Flow other) {
            if (this == other) {
                return 0;
            }
            var byRound = Long.compare(round, other.round);
            return byRound != 0 ? byRound : compare(first(), other.first());
        }
    }

    private static int compare(QueuedTask one, QueuedTask other) {
        var byNumber = QueuedTask.ORDER.compare(one, other);
        return byNumber != 0 ? byNumber : one.job().compareTo(other.job());
    }

    /// A task with its rank at this moment; the lowest is served first.
    ///
    /// @param round the job's when it was looked at
    record Head(Turns.Turn turn, long round, QueuedTask task) implements Comparable<Head> {
        double priority() {
            return turn.share.lane.priority;
        }

        @Override
        public int compareTo(Head other) {
            var byPriority = Double.compare(other.priority(), priority());
            if (byPriority != 0) {
                return byPriority;
            }
            var byClient = Double.compare(turn.share.tag(), other.turn.share.tag());
            if (byClient != 0) {
                return byClient;
            }
            if (turn.share != other.turn.share) {
                return turn.share.client.compareTo(other.turn.share.client);
            }
            var byJob = Long.compare(turn.round(), other.turn.round());
            return byJob != 0 ? byJob : TaskQueue.compare(task, other.task);
        }
    }

    int size() {
        return size;
    }

    /// Whether it has tasks of this priority.
    boolean has(double priority) {
        return bands.containsKey(priority);
    }

    void add(QueuedTask task) {
        var offer = task.offer();
        var priority = offer.priority();
        var band = bands.computeIfAbsent(priority, _ -> new Band());
        var limits = offer.outline().limits();
        var group = band.groups.get(limits);
        if (group == null) {
            group = new Group(demand, band, limits, gates.named(limits));
            gates.join(group.passes);
            band.groups.put(limits, group);
        }
        var flow = group.flows.get(task.job());
        if (flow != null && QueuedTask.ORDER.compare(task, flow.first()) > 0) {
            if (flow.add(task)) {
                turns.join(priority, offer.client(), task.job());
                added(group, task);
            }
            return;
        }
        group.lift();
        if (flow == null) {
            flow = new Flow(task, turns.join(priority, offer.client(), task.job()));
            group.flows.put(flow.job, flow);
            added(group, task);
        } else {
            group.ranked.remove(flow);
            if (flow.add(task)) {
                turns.join(priority, offer.client(), task.job());
                added(group, task);
            }
        }
        flow.round = flow.turn.round();
        group.ranked.add(flow);
        group.place();
    }

    private void added(Group group, QueuedTask task) {
        size++;
        group.times.add(task);
    }

    private void removed(Group group, QueuedTask task) {
        size--;
        group.times.remove(task);
    }

    void remove(QueuedTask task) {
        var group = groupOf(task);
        var flow = group == null ? null : group.flows.get(task.job());
        if (group == null || flow == null) {
            return;
        }
        if (QueuedTask.ORDER.compare(task, flow.first()) != 0) {
            if (flow.removeOther(task)) {
                removed(group, task);
                turns.leave(flow.turn);
            }
            return;
        }
        group.lift();
        group.ranked.remove(flow);
        removeFirst(group, flow);
    }

    private @Nullable Group groupOf(QueuedTask task) {
        var band = bands.get(task.offer().priority());
        return band == null ? null : band.groups.get(task.offer().outline().limits());
    }

    // Who is next

    /// The first of all that no limit keeps; null if there is none.
    @Nullable Head head() {
        if (bands.isEmpty() || isClosed()) {
            return null;
        }
        for (var band : bands.values()) {
            var head = head(band);
            if (head != null) {
                return head;
            }
        }
        return null;
    }

    /// The first of those of one priority that no limit keeps; null if there is none.
    @Nullable Head head(double priority) {
        var band = bands.get(priority);
        return band == null || isClosed() ? null : head(band);
    }

    private @Nullable Head head(Band band) {
        while (!band.open.isEmpty()) {
            var group = band.open.first();
            if (!group.isRankTrue()) {
                group.lift();
                group.place();
                continue;
            }
            var closed = gates.closed(group.passes);
            if (closed == null) {
                return group.rank;
            }
            group.lift();
            group.waitsAt = closed;
            gates.park(closed, group);
        }
        return null;
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

    /// Takes the first of those of one priority out and ends its turn.
    QueuedTask take(double priority) {
        var head = head(priority);
        if (head == null) {
            throw new IllegalStateException("nothing of priority " + priority + " may go");
        }
        var group = Objects.requireNonNull(groupOf(head.task));
        var flow = Objects.requireNonNull(group.flows.get(head.task.job()));
        group.lift();
        group.ranked.remove(flow);
        turns.served(flow.turn);
        removeFirst(group, flow);
        return head.task;
    }

    /// Takes out the first of a flow that has no place in a group that has none.
    private void removeFirst(Group group, Flow flow) {
        removed(group, flow.first());
        flow.removeFirst();
        turns.leave(flow.turn);
        if (flow.first != null) {
            flow.round = flow.turn.round();
            group.ranked.add(flow);
        } else {
            group.flows.remove(flow.job);
        }
        group.place();
        if (!group.flows.isEmpty()) {
            return;
        }
        if (group.waitsAt != null) {
            gates.unpark(group.waitsAt.gate(), group);
        }
        gates.leave(group.passes);
        group.band.groups.remove(group.limits);
        if (group.band.groups.isEmpty()) {
            bands.remove(flow.turn.share.lane.priority);
        }
    }

    // Questions

    /// Tasks of the same priority that name the same limits.
    ///
    /// @param first the one that goes first
    record Alike(QueuedTask first, WaitTimes times) {}

    /// All tasks, those together that wait for the same reason.
    List<Alike> alike() {
        var all = new ArrayList<Alike>();
        for (var band : bands.values()) {
            for (var group : band.groups.values()) {
                all.add(new Alike(group.ranked.first().first(), group.times));
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

    /// Whose turn comes before that of `task`, which is here.
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
