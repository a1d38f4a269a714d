package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Eligibility;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.placement.WarmPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Why tasks wait, and what is true of single workers. Single-threaded; changes nothing.
public final class DispatchQueries {
    /// So many kinds of waiting tasks a survey explains; each may take a look at hundreds of workers.
    private static final int MOST_EXPLAINED = 128;

    private final WorkerIndex workerIndex;
    private final DemandClasses classes;
    private final WaitingOffers backlog;
    private final QueueRoom room;
    private final Grants grants;
    private final Reasons reasons;
    private final Gates gates;

    DispatchQueries(
            WorkerIndex workerIndex,
            DemandClasses classes,
            WaitingOffers backlog,
            QueueRoom room,
            Grants grants,
            Reasons reasons,
            Gates gates) {
        this.workerIndex = workerIndex;
        this.classes = classes;
        this.backlog = backlog;
        this.room = room;
        this.grants = grants;
        this.reasons = reasons;
        this.gates = gates;
    }

    /// Why tasks have no worker yet, of those that are queued. Tasks that ask for the same are looked into once.
    public SequencedMap<Integer, WaitReason> whyNotYet(
            JobId job, List<Integer> tasks, Instant now) {
        var numbers = new LinkedHashSet<>(tasks);
        var known = new LinkedHashMap<DemandClass, WaitReason>();
        var found = new LinkedHashMap<Integer, WaitReason>();
        for (var task : backlog.waiting(job)) {
            if (numbers.contains(task.offer().task())) {
                found.put(
                        task.offer().task(),
                        why(
                                task,
                                demand -> known.computeIfAbsent(demand, it -> reasons.why(it, now)),
                                now));
                if (found.size() == numbers.size()) {
                    break;
                }
            }
        }
        room.clientOfPostponed(job)
                .map(client -> WaitReason.postponed(client, room.of(client)))
                .ifPresent(reason -> numbers.forEach(task -> found.putIfAbsent(task, reason)));
        return found;
    }

    private WaitReason why(QueuedTask task, Instant now) {
        return why(task, demand -> reasons.why(demand, now), now);
    }

    private WaitReason why(
            QueuedTask task, Function<DemandClass, WaitReason> ofDemand, Instant now) {
        if (grants.isUnderWay(task.key())) {
            return WaitReason.placing();
        }
        var demand = task.in;
        if (demand == null) {
            var until = task.timer == null ? now : task.timer;
            return WaitReason.backoff(task.offer().attempt() - 1, until);
        }
        gates.at(now);
        var closed = demand.queue.closed(task);
        var reason =
                (closed == null ? ofDemand.apply(demand) : limited(closed))
                        .inTurn(turn(demand, task));
        return task.timer == null
                ? reason
                : reason.until(task.timer, "a cold worker will do from then on,");
    }

    private static WaitReason limited(Gates.Closed closed) {
        return closed.rate().isPresent() && closed.until().isPresent()
                ? WaitReason.atRate(closed.key(), closed.rate().get(), closed.until().get())
                : WaitReason.atLimit(closed.key(), closed.used(), closed.most());
    }

    private static WaitReason.Turn turn(DemandClass demand, QueuedTask task) {
        var place = demand.queue.place(task, WaitReason.Turn.MOST_COUNTED);
        var offer = task.offer();
        return new WaitReason.Turn(
                offer.priority(), offer.client(), place.clients(), place.jobs(), place.before());
    }

    /// What is true of single workers for a queued task, in the order in which they came; empty if it is not queued.
    ///
    /// @param only of this one alone
    /// @param limit of so many at most
    public List<Eligibility> eligibilities(
            JobId job, int number, Optional<WorkerId> only, int limit, Instant now) {
        var task = find(job, number);
        if (task == null) {
            return List.of();
        }
        return eligibilities(
                task.in == null ? classes.of(job, task.offer(), now) : task.in, only, limit, now);
    }

    /// Whether a task that is not queued would be placed now.
    ///
    /// @param limit of so many workers at most
    public Forecast forecast(ForecastQuestion question, int limit, Instant now) {
        var demand =
                classes.of(
                        new DemandClass.Key(
                                question.type(),
                                question.demand(),
                                question.blueprint(),
                                question.client(),
                                List.of(),
                                question.demand().preferences().warmPolicy()
                                        instanceof WarmPolicy.Required,
                                false));
        return new Forecast(
                reasons.isServed(demand) ? Optional.empty() : Optional.of(reasons.why(demand, now)),
                eligibilities(demand, Optional.empty(), limit, now));
    }

    private List<Eligibility> eligibilities(
            DemandClass demand, Optional<WorkerId> only, int limit, Instant now) {
        var eligibilities = new ArrayList<Eligibility>();
        for (var connectedWorker : workerIndex.connected().values()) {
            var profile = connectedWorker.profile();
            if (profile != null
                    && eligibilities.size() < limit
                    && only.filter(id -> !id.equals(connectedWorker.id)).isEmpty()) {
                eligibilities.add(reasons.eligibility(demand, connectedWorker, profile, now));
            }
        }
        return List.copyOf(eligibilities);
    }

    /// What waits for workers, and what they have. Of very many different demands only the first are explained: it takes a
    /// few milliseconds at most.
    public DispatchSurvey survey(Instant now) {
        gates.at(now);
        var types = new LinkedHashMap<String, Tally>();
        var explained = 0;
        for (var demand : classes.waiting()) {
            var tally = types.computeIfAbsent(demand.key.type(), _ -> new Tally());
            for (var alike : demand.queue.alike()) {
                tally.count(alike.times());
                if (explained < MOST_EXPLAINED) {
                    tally.explain(why(alike.example(), now), alike.example(), alike.times());
                    explained++;
                }
            }
        }
        for (var held : backlog.heldBack().entrySet()) {
            var tally = types.computeIfAbsent(held.getKey(), _ -> new Tally());
            var alike = held.getValue();
            tally.count(alike.times);
            if (explained < MOST_EXPLAINED) {
                tally.explain(why(alike.example(), now), alike.example(), alike.times);
                explained++;
            }
        }
        var waiting = new ArrayList<DispatchSurvey.WaitingType>();
        types.forEach((type, tally) -> waiting.add(tally.of(type, now)));
        return new DispatchSurvey(waiting, leased(), fleet());
    }

    /// The tasks of a type, as far as they were looked at.
    private static final class Tally {
        private final Map<String, WaitingForReason> reasons = new LinkedHashMap<>();
        private int tasks;
        private Instant oldest = Instant.MAX;

        void count(WaitTimes times) {
            tasks += times.tasks();
            var first = times.oldest().orElse(Instant.MAX);
            oldest = first.isBefore(oldest) ? first : oldest;
        }

        void explain(WaitReason reason, QueuedTask example, WaitTimes times) {
            reasons.merge(
                    reason.hold().word(),
                    new WaitingForReason(
                            reason,
                            times.tasks(),
                            times.oldest().orElseGet(example::since),
                            example.job(),
                            example.offer().task()),
                    WaitingForReason::with);
        }

        DispatchSurvey.WaitingType of(String type, Instant now) {
            return new DispatchSurvey.WaitingType(
                    type,
                    tasks,
                    oldest.equals(Instant.MAX) ? now : oldest,
                    reasons.values().stream()
                            .sorted(Comparator.comparingInt(WaitingForReason::tasks).reversed())
                            .toList());
        }
    }

    private SequencedMap<String, Integer> leased() {
        var leased = new LinkedHashMap<String, Integer>();
        for (var worker : workerIndex.connected().values()) {
            for (var slot : worker.slots()) {
                leased.merge(slot.task.type(), 1, Integer::sum);
            }
        }
        return leased;
    }

    private DispatchSurvey.FleetUse fleet() {
        var wires = new LinkedHashMap<String, Integer>();
        var workers = 0;
        var draining = 0;
        var slots = 0;
        var busy = 0;
        for (var worker : workerIndex.connected().values()) {
            busy += worker.used();
            var profile = worker.profile();
            if (profile != null) {
                workers++;
                slots += profile.capacity();
                draining += profile.availability() == Availability.DRAINING ? 1 : 0;
                wires.merge(profile.wire(), 1, Integer::sum);
            }
        }
        return new DispatchSurvey.FleetUse(workers, draining, slots, busy, wires);
    }

    private @Nullable QueuedTask find(JobId job, int number) {
        for (var task : backlog.waiting(job)) {
            if (task.offer().task() == number) {
                return task;
            }
        }
        return null;
    }
}
