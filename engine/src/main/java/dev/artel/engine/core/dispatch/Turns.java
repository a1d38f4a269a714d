package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// All tasks that wait, in the order in which they are to be served. Single-threaded.
///
/// The order is (priority, turn of the client, turn of the job, age). Clients take turns by start-time fair queueing (Goyal, Vin
/// and Cheng, 1996), with one virtual clock for each priority: each task costs its client the inverse of its weight. The jobs of a
/// client take turns in rounds, one task each; a job that comes joins the next round. Within a round the job whose oldest task is
/// older goes first, within a job the older task.
///
/// It is one tree of trees, whose nodes know by the bits of [TaskQueue]s what waits below them: the first task of some queues is
/// found without a look at the tasks of others, and a turn moves one task, one job and one client, whatever else the job has waiting.
final class Turns {
    private final ToDoubleFunction<String> weights;
    private final Map<Double, Lane> lanes = new LinkedHashMap<>();
    private final BitTree<Lane> order = new BitTree<>();

    /// How many groups have each bit, and how many there ever were.
    private final int[] groups = new int[Long.SIZE];

    private long begun;

    /// @param weights of each client; positive
    Turns(ToDoubleFunction<String> weights) {
        this.weights = weights;
    }

    /// All that waits with one priority.
    static final class Lane extends BitTree.Node<Lane> {
        final double priority;
        private final Map<String, Share> shares = new LinkedHashMap<>();
        private final BitTree<Share> order = new BitTree<>();

        /// Those without a task that have had more than the others.
        private final TreeSet<Share> ahead =
                new TreeSet<>(
                        Comparator.comparingDouble((Share share) -> share.tag)
                                .thenComparing(share -> share.client));

        private double clock;

        private Lane(double priority) {
            this.priority = priority;
        }

        /// How many clients have tasks that wait.
        int clients() {
            return shares.size() - ahead.size();
        }

        /// The highest first.
        @Override
        public int compareTo(Lane other) {
            return Double.compare(other.priority, priority);
        }
    }

    /// What a client has had of a lane.
    static final class Share extends BitTree.Node<Share> {
        final Lane lane;
        final String client;
        private final Map<JobId, Turn> jobs = new LinkedHashMap<>();
        private final BitTree<Turn> order = new BitTree<>();

        /// When it is the client's turn; never becomes lower while a task of it waits.
        private double tag;

        private long round;

        /// Whether it stands in the order of its lane: it has tasks that wait.
        private boolean isPlaced;

        private Share(Lane lane, String client) {
            this.lane = lane;
            this.client = client;
        }

        /// How many of its jobs have tasks that wait.
        int jobs() {
            return jobs.size();
        }

        @Override
        public int compareTo(Share other) {
            var byTag = Double.compare(tag, other.tag);
            return byTag != 0 ? byTag : client.compareTo(other.client);
        }
    }

    /// What a job has had of its client's share.
    static final class Turn extends BitTree.Node<Turn> {
        final Share share;
        private final JobId job;
        private final BitTree<Flow> flows = new BitTree<>();

        /// When it is the job's turn among those of its client; never becomes lower.
        private long round;

        /// The flow with the oldest task while the turn is in its place, which follows from it; null while it is not.
        private @Nullable Flow oldest;

        private Turn(Share share, JobId job, long round) {
            this.share = share;
            this.job = job;
            this.round = round;
        }

        private QueuedTask first() {
            return Objects.requireNonNull(oldest).first();
        }

        @Override
        public int compareTo(Turn other) {
            var byRound = Long.compare(round, other.round);
            if (byRound != 0) {
                return byRound;
            }
            var byAge = QueuedTask.ORDER.compare(first(), other.first());
            return byAge != 0 ? byAge : job.compareTo(other.job);
        }
    }

    /// The tasks of one job and one group.
    static final class Flow extends BitTree.Node<Flow> {
        final TaskQueue.Group group;
        final Turn turn;

        /// Null if there is none any more.
        private @Nullable QueuedTask first;

        /// Those after the first; null if there never were any, as in most flows.
        private @Nullable TreeSet<QueuedTask> others;

        private Flow(TaskQueue.Group group, Turn turn, QueuedTask first) {
            this.group = group;
            this.turn = turn;
            this.first = first;
        }

        /// The one that goes first.
        QueuedTask first() {
            return Objects.requireNonNull(first);
        }

        double priority() {
            return turn.share.lane.priority;
        }

        boolean isEmpty() {
            return first == null;
        }

        private boolean addOther(QueuedTask task) {
            if (others == null) {
                others = new TreeSet<>(QueuedTask.ORDER);
            }
            return others.add(task);
        }

        private void removeFirst() {
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
            var byAge = QueuedTask.ORDER.compare(first(), other.first());
            return byAge != 0 ? byAge : Long.compare(group.number, other.group.number);
        }
    }

    // Who waits

    /// A group begins, with one of the bits that fewest groups have.
    int beginGroup() {
        var least = 0;
        for (var bit = 1; bit < groups.length; bit++) {
            least = groups[bit] < groups[least] ? bit : least;
        }
        groups[least]++;
        begun++;
        return least;
    }

    /// How many groups have begun.
    long begun() {
        return begun;
    }

    /// A group with this bit has no tasks any more.
    void endGroup(int bit) {
        groups[bit]--;
    }

    /// The first task of a job and a group waits from now on.
    Flow begin(TaskQueue.Group group, QueuedTask task) {
        var lane = laneOf(task.offer().priority());
        var share = lane.shares.computeIfAbsent(task.offer().client(), it -> new Share(lane, it));
        if (share.jobs.isEmpty()) {
            lane.ahead.remove(share);
            share.tag = Math.max(share.tag, lane.clock);
        }
        var turn =
                share.jobs.computeIfAbsent(
                        task.job(), job -> new Turn(share, job, share.round + 1));
        var flow = new Flow(group, turn, task);
        place(flow);
        return flow;
    }

    private Lane laneOf(double priority) {
        var known = lanes.get(priority);
        if (known != null) {
            return known;
        }
        var lane = new Lane(priority);
        lanes.put(priority, lane);
        order.add(lane, 0);
        return lane;
    }

    /// A further task of `flow` waits; false if it is here already.
    boolean add(Flow flow, QueuedTask task) {
        var first = flow.first();
        var order = QueuedTask.ORDER.compare(task, first);
        if (order >= 0) {
            return order > 0 && flow.addOther(task);
        }
        lift(flow);
        flow.addOther(first);
        flow.first = task;
        place(flow);
        return true;
    }

    /// A task of `flow` waits no more, without a turn; false if it is not here.
    boolean remove(Flow flow, QueuedTask task) {
        if (QueuedTask.ORDER.compare(task, flow.first()) != 0) {
            return flow.others != null && flow.others.remove(task);
        }
        lift(flow);
        flow.removeFirst();
        place(flow);
        return true;
    }

    /// The first task of `flow` is given to a worker and waits no more. Time that passed without a turn gives no credit.
    void serve(Flow flow) {
        var turn = flow.turn;
        var share = turn.share;
        var lane = share.lane;
        lift(flow);
        lift(turn);
        lift(share);
        lane.clock = Math.max(lane.clock, share.tag);
        share.tag = lane.clock + 1 / weights.applyAsDouble(share.client);
        share.round = Math.max(share.round, turn.round);
        turn.round = share.round + 1;
        while (!lane.ahead.isEmpty() && lane.ahead.first().tag <= lane.clock) {
            lane.shares.remove(lane.ahead.removeFirst().client);
        }
        flow.removeFirst();
        place(flow);
    }

    /// Takes `flow` out of its place, and its job as well if that goes by this flow.
    private static void lift(Flow flow) {
        if (flow.turn.oldest == flow) {
            lift(flow.turn);
        }
        flow.turn.flows.remove(flow);
    }

    private static void lift(Turn turn) {
        if (turn.oldest != null) {
            turn.share.order.remove(turn);
            turn.oldest = null;
        }
    }

    private static void lift(Share share) {
        if (share.isPlaced) {
            share.lane.order.remove(share);
            share.isPlaced = false;
        }
    }

    /// Puts `flow`, and all above it that have no place, in their places; forgets those that are empty.
    private void place(Flow flow) {
        var turn = flow.turn;
        if (flow.first != null) {
            turn.flows.add(flow, flow.group.bits());
            if (turn.oldest != null && flow.compareTo(turn.oldest) < 0) {
                lift(turn);
            }
        }
        var share = turn.share;
        if (turn.flows.isEmpty()) {
            share.jobs.remove(turn.job);
        } else if (turn.oldest != null) {
            share.order.change(turn, turn.flows.bits());
        } else {
            turn.oldest = turn.flows.first();
            share.order.add(turn, turn.flows.bits());
        }
        place(share);
    }

    private void place(Share share) {
        var lane = share.lane;
        if (share.jobs.isEmpty()) {
            lift(share);
            if (share.tag > lane.clock) {
                lane.ahead.add(share);
            } else {
                lane.shares.remove(share.client);
            }
        } else if (share.isPlaced) {
            lane.order.change(share, share.order.bits());
        } else {
            lane.order.add(share, share.order.bits());
            share.isPlaced = true;
        }
        if (lane.clients() > 0) {
            order.change(lane, lane.order.bits());
        } else {
            // There is no other client to be ahead of.
            lanes.remove(lane.priority);
            order.remove(lane);
        }
    }

    // Who is next

    /// The first of all tasks that `search` wants; null if there is none.
    @Nullable Flow first(Search search) {
        for (var lane = order.first(search.bits());
                lane != null;
                lane = order.next(lane, search.bits())) {
            var first = first(lane, search);
            if (first != null) {
                return first;
            }
        }
        return null;
    }

    /// The first of the tasks of one priority that `search` wants; null if there is none.
    @Nullable Flow first(double priority, Search search) {
        var lane = lanes.get(priority);
        return lane == null ? null : first(lane, search);
    }

    private static @Nullable Flow first(Lane lane, Search search) {
        var bits = search.bits();
        for (var share = lane.order.first(bits);
                share != null;
                share = lane.order.next(share, bits)) {
            for (var turn = share.order.first(bits);
                    turn != null;
                    turn = share.order.next(turn, bits)) {
                for (var flow = turn.flows.first(bits);
                        flow != null;
                        flow = turn.flows.next(flow, bits)) {
                    if (search.wants(flow.group)) {
                        return flow;
                    }
                }
            }
        }
        return null;
    }

    /// How many priorities, clients and jobs have tasks that wait, or are remembered because they have had more.
    int size() {
        return lanes.values().stream()
                .mapToInt(lane ->
                        1
                                + lane.shares.values().stream()
                                        .mapToInt(share -> 1 + share.jobs.size())
                                        .sum())
                .sum();
    }
}
