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
/// The jobs of a client are a tree of trees, whose nodes know by the bits of the groups of [TaskQueue]s what waits below them: the
/// first task of some groups is found without a look at those of others, and a turn moves one task and one job, whatever else the
/// job has waiting.
final class Turns {
    private final ToDoubleFunction<String> weights;
    private final Map<Double, Lane> lanes = new LinkedHashMap<>();

    /// @param weights of each client; positive
    Turns(ToDoubleFunction<String> weights) {
        this.weights = weights;
    }

    /// All that waits with one priority.
    static final class Lane {
        final double priority;
        private final Map<String, Share> shares = new LinkedHashMap<>();

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
    }

    /// What a client has had of a lane.
    static final class Share implements Comparable<Share> {
        final Lane lane;
        final String client;
        private final Map<JobId, Turn> jobs = new LinkedHashMap<>();
        private final BitTree<Turn> order = new BitTree<>();

        /// When it is the client's turn; never becomes lower while a task of it waits.
        private double tag;

        private long round;

        /// How many groups have each bit, and how many there ever were.
        private final int[] groups = new int[Bits.SIZE];

        private long groupsEver;

        /// What the search of this number looks for.
        final Bits wanted = new Bits();

        long wantedBy;

        private Share(Lane lane, String client) {
            this.lane = lane;
            this.client = client;
        }

        /// How many of its jobs have tasks that wait.
        int jobs() {
            return jobs.size();
        }

        /// A group of its tasks begins, with one of the bits that fewest groups have.
        int beginGroup() {
            var least = 0;
            for (var bit = 1; bit < groups.length && groups[least] > 0; bit++) {
                least = groups[bit] < groups[least] ? bit : least;
            }
            groups[least]++;
            groupsEver++;
            return least;
        }

        /// How many groups have begun.
        long groupsEver() {
            return groupsEver;
        }

        /// A group with this bit has no tasks any more.
        void endGroup(int bit) {
            groups[bit]--;
        }

        /// The highest priority first, then by turn.
        @Override
        public int compareTo(Share other) {
            var byPriority = Double.compare(other.lane.priority, lane.priority);
            if (byPriority != 0) {
                return byPriority;
            }
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
        Bits own() {
            return flows.bits();
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

        @Override
        Bits own() {
            return group.bits();
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

    /// What `client` has of a priority, which a task of it joins now.
    Share share(double priority, String client) {
        var lane = lanes.computeIfAbsent(priority, Lane::new);
        return lane.shares.computeIfAbsent(client, name -> new Share(lane, name));
    }

    /// The first task of a job and a group waits from now on.
    Flow begin(TaskQueue.Group group, QueuedTask task) {
        var share = group.share();
        var lane = share.lane;
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

    /// Puts `flow`, and its job if it has no place, in their places; forgets what is empty.
    private void place(Flow flow) {
        var turn = flow.turn;
        if (flow.first != null) {
            turn.flows.add(flow);
            if (turn.oldest != null && flow.compareTo(turn.oldest) < 0) {
                lift(turn);
            }
        }
        var share = turn.share;
        if (turn.flows.isEmpty()) {
            share.jobs.remove(turn.job);
            forgetIfIdle(share);
        } else if (turn.oldest != null) {
            share.order.change(turn);
        } else {
            turn.oldest = turn.flows.first();
            share.order.add(turn);
        }
    }

    private void forgetIfIdle(Share share) {
        if (!share.jobs.isEmpty()) {
            return;
        }
        var lane = share.lane;
        if (share.tag > lane.clock) {
            lane.ahead.add(share);
        } else {
            lane.shares.remove(share.client);
        }
        if (lane.clients() == 0) {
            // There is no other client to be ahead of.
            lanes.remove(lane.priority);
        }
    }

    // Who is next

    /// The first of all tasks that `search` wants; null if there is none.
    static @Nullable Flow first(Search search) {
        for (var share = search.nextShare(); share != null; share = search.nextShare()) {
            var first = first(share, search);
            if (first != null) {
                return first;
            }
        }
        return null;
    }

    private static @Nullable Flow first(Share share, Search search) {
        var bits = share.wanted;
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
