package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/// Whose turn it is, for all queues together: one virtual clock for each priority. Single-threaded.
///
/// Clients take turns by start-time fair queueing (Goyal, Vin and Cheng, 1996): each task costs its client the inverse of
/// its weight. The jobs of a client take turns in rounds, one task each; a job that comes joins the next round.
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
    static final class Share {
        final Lane lane;
        final String client;
        private final Map<JobId, Turn> jobs = new LinkedHashMap<>();
        private double tag;
        private long round;

        private Share(Lane lane, String client) {
            this.lane = lane;
            this.client = client;
        }

        /// When it is the client's turn; never becomes lower while a task of it waits.
        double tag() {
            return tag;
        }

        /// How many of its jobs have tasks that wait.
        int jobs() {
            return jobs.size();
        }
    }

    /// What a job has had of its client's share.
    static final class Turn {
        final Share share;
        private final JobId job;
        private long round;
        private int waiting;

        private Turn(Share share, JobId job, long round) {
            this.share = share;
            this.job = job;
            this.round = round;
        }

        /// When it is the job's turn among those of its client; never becomes lower.
        long round() {
            return round;
        }
    }

    /// A task of `job` waits from now on, until [#leave].
    Turn join(double priority, String client, JobId job) {
        var lane = lanes.computeIfAbsent(priority, Lane::new);
        var share = lane.shares.computeIfAbsent(client, name -> new Share(lane, name));
        if (share.jobs.isEmpty()) {
            lane.ahead.remove(share);
            share.tag = Math.max(share.tag, lane.clock);
        }
        var turn = share.jobs.computeIfAbsent(job, id -> new Turn(share, id, share.round + 1));
        turn.waiting++;
        return turn;
    }

    /// A task waits no more.
    void leave(Turn turn) {
        var share = turn.share;
        var lane = share.lane;
        turn.waiting--;
        if (turn.waiting > 0) {
            return;
        }
        share.jobs.remove(turn.job);
        if (!share.jobs.isEmpty()) {
            return;
        }
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

    /// A task of the job was given to a worker, before it leaves. Time that passed without a turn gives no credit.
    void served(Turn turn) {
        var share = turn.share;
        var lane = share.lane;
        lane.clock = Math.max(lane.clock, share.tag);
        share.tag = lane.clock + 1 / weights.applyAsDouble(share.client);
        share.round = Math.max(share.round, turn.round);
        turn.round = share.round + 1;
        while (!lane.ahead.isEmpty() && lane.ahead.first().tag <= lane.clock) {
            lane.shares.remove(lane.ahead.removeFirst().client);
        }
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
