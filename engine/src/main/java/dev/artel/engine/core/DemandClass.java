package dev.artel.engine.core;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;

/// The queued tasks with one demand, in the order in which they are to be served, and the workers that could serve
/// them now. Single-threaded.
///
/// Rank is (priority, flow, enqueue number): within a priority flows take turns, a flow is a job. The turns are those
/// of start-time fair queueing (Goyal, Vin and Cheng, 1996) with equal shares and unit cost.
final class DemandClass {
    private final String type;
    private final Map<JobId, Flow> flows = new LinkedHashMap<>();
    private final TreeSet<Flow> ranked =
            new TreeSet<>(
                    Comparator.comparingDouble((Flow flow) -> -flow.priority)
                            .thenComparingLong(flow -> flow.turn)
                            .thenComparing(flow -> flow.offers.first(), Flow.ORDER)
                            .thenComparing(flow -> flow.job));

    /// Workers with a free slot and an open ask.
    private final SequencedSet<Desk> asking = new LinkedHashSet<>();

    private long turn;
    private int size;

    DemandClass(String type) {
        this.type = type;
    }

    /// The queued tasks of one job.
    private static final class Flow {
        static final Comparator<Effect.Offer> ORDER =
                Comparator.comparing(Effect.Offer::opened).thenComparingInt(Effect.Offer::task);

        final JobId job;
        final double priority;
        final TreeSet<Effect.Offer> offers = new TreeSet<>(ORDER);
        long turn;

        Flow(JobId job, double priority, long turn) {
            this.job = job;
            this.priority = priority;
            this.turn = turn;
        }
    }

    /// An offer with its job.
    record Head(JobId job, Effect.Offer offer, double priority, long turn) {
        static final Comparator<Head> RANK =
                Comparator.comparingDouble((Head head) -> -head.priority)
                        .thenComparingLong(Head::turn)
                        .thenComparing(Head::offer, Flow.ORDER)
                        .thenComparing(Head::job);
    }

    String type() {
        return type;
    }

    int size() {
        return size;
    }

    SequencedSet<Desk> asking() {
        return asking;
    }

    void add(JobId job, Effect.Offer offer) {
        var flow = flows.get(job);
        if (flow == null) {
            flow = new Flow(job, offer.priority(), turn);
            flows.put(job, flow);
        } else {
            ranked.remove(flow);
        }
        size += flow.offers.add(offer) ? 1 : 0;
        ranked.add(flow);
    }

    void remove(JobId job, Effect.Offer offer) {
        var flow = flows.get(job);
        if (flow == null || !flow.offers.contains(offer)) {
            return;
        }
        ranked.remove(flow);
        flow.offers.remove(offer);
        size--;
        if (flow.offers.isEmpty()) {
            flows.remove(job);
        } else {
            ranked.add(flow);
        }
    }

    Optional<Head> head() {
        if (ranked.isEmpty()) {
            return Optional.empty();
        }
        var flow = ranked.first();
        return Optional.of(new Head(flow.job, flow.offers.first(), flow.priority, flow.turn));
    }

    /// Takes the head out and ends its flow's turn.
    void take(Head head) {
        var flow = flows.get(head.job());
        remove(head.job(), head.offer());
        turn = Math.max(turn, head.turn());
        if (flow != null && !flow.offers.isEmpty()) {
            ranked.remove(flow);
            flow.turn++;
            ranked.add(flow);
        }
    }
}
