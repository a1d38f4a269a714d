package dev.artel.engine.core;

import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Which worker gets which task, and when. Single-threaded.
///
/// Binding is late: a task is given to a worker that asks for work and has room, never earlier. Slots are counted
/// from the leases themselves, so no stored number can leak.
final class DispatchCore {
    /// The job may be about to withdraw the offer: time to hear of it.
    private static final Duration LAPSE_PAUSE = Duration.ofMillis(20);

    private final RandomGenerator random;
    private final Map<String, DemandClass> classes = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, Desk> desks = new LinkedHashMap<>();

    /// Task types to the number of workers that offer them.
    private final Map<String, Integer> offering = new LinkedHashMap<>();

    private final Map<Long, Desk.Ask> asks = new LinkedHashMap<>();

    /// Grants that are not durable yet, and the asks that they answer.
    private final Map<LeaseToken, Desk.Ask> reservations = new LinkedHashMap<>();

    private final Map<Key, Effect.Offer> queued = new LinkedHashMap<>();

    /// Queued offers that are not to be served yet.
    private final Map<Key, Delayed> delays = new LinkedHashMap<>();

    private final TreeMap<Delayed, Key> delayed =
            new TreeMap<>(
                    Comparator.comparing(Delayed::until)
                            .thenComparing(Delayed::job)
                            .thenComparing(Delayed::id));

    /// Offers for which a grant is under way; they are neither queued nor granted again meanwhile.
    private final Map<Key, LeaseToken> granting = new LinkedHashMap<>();

    private final Map<LeaseToken, Key> grantOf = new LinkedHashMap<>();

    private long fleetVersion;

    DispatchCore(RandomGenerator random) {
        this.random = random;
    }

    private record Key(JobId job, EffectId offer) {}

    private record Delayed(Instant until, JobId job, EffectId id) {}

    // Offers

    /// Grants for those of `offers` that a worker can have at this moment; the others come again as [#offer].
    List<JobCommand.Grant> reserve(JobId job, List<Effect.Offer> offers, Instant now) {
        var grants = new ArrayList<JobCommand.Grant>();
        for (var offer : offers) {
            var demand = demandFor(offer.spec().type());
            var desk =
                    demand.size() > 0 ? null : Strategy.best(demand.asking(), offer.spec().type());
            if (desk != null) {
                grants.add(grant(job, offer, desk, Strategy.FIRST_FREE, now));
            }
        }
        return grants;
    }

    void offer(JobId job, Effect.Offer offer, Instant now, Consumer<DeskOutput> out) {
        var key = new Key(job, offer.id());
        if (granting.containsKey(key) || queued.putIfAbsent(key, offer) != null) {
            return;
        }
        if (offer.notBefore().isAfter(now)) {
            delay(key, offer.notBefore());
        } else {
            enqueue(key, offer, now, out);
        }
    }

    private void delay(Key key, Instant until) {
        var delay = new Delayed(until, key.job(), key.offer());
        delays.put(key, delay);
        delayed.put(delay, key);
    }

    private void enqueue(Key key, Effect.Offer offer, Instant now, Consumer<DeskOutput> out) {
        var demand = demandFor(offer.spec().type());
        demand.add(key.job(), offer);
        while (demand.size() > 0) {
            var desk = Strategy.best(demand.asking(), demand.type());
            if (desk == null) {
                return;
            }
            grantHead(demand, desk, Strategy.FIRST_FREE, now, out);
        }
    }

    void withdraw(JobId job, Effect.Offer offer) {
        var key = new Key(job, offer.id());
        granting.remove(key);
        if (queued.remove(key) == null) {
            return;
        }
        var delay = delays.remove(key);
        if (delay != null) {
            delayed.remove(delay);
        } else {
            demandFor(offer.spec().type()).remove(job, offer);
        }
    }

    /// Forgets what the job no longer asks for.
    void keepOnly(JobId job, List<Effect> pending) {
        var offers = new LinkedHashSet<EffectId>();
        var tokens = new LinkedHashSet<LeaseToken>();
        for (var effect : pending) {
            switch (effect) {
                case Effect.Offer offer -> offers.add(offer.id());
                case Effect.HoldLease hold -> tokens.add(hold.lease().token());
                case Effect.Revoke revoke -> tokens.add(revoke.lease().token());
                case Effect.RunStep _, Effect.WakeAt _, Effect.AwaitPerson _ -> {}
            }
        }
        queued.entrySet().stream()
                .filter(entry ->
                        entry.getKey().job().equals(job)
                                && !offers.contains(entry.getKey().offer()))
                .map(Map.Entry::getValue)
                .toList()
                .forEach(offer -> withdraw(job, offer));
        granting.keySet().removeIf(key -> key.job().equals(job));
        lingering.removeIf(token -> isOf(token, job) && !tokens.contains(token));
        for (var desk : desks.values()) {
            if (desk.slots()
                    .removeIf(token ->
                            isOf(token, job)
                                    && !tokens.contains(token)
                                    && !reservations.containsKey(token))) {
                refresh(desk);
            }
        }
    }

    private static boolean isOf(LeaseToken token, JobId job) {
        return token.address().filter(address -> address.job().equals(job)).isPresent();
    }

    // Workers

    void joined(WorkerProfile profile, Instant now, Consumer<DeskOutput> out) {
        var desk = deskOf(profile.id());
        var before = desk.profile();
        if (profile.equals(before)) {
            return;
        }
        fleetVersion++;
        if (before != null) {
            leaveClasses(desk, before);
        }
        desk.profile(profile);
        profile.tasks().forEach(type -> offering.merge(type, 1, Integer::sum));
        refresh(desk);
        serve(desk, now, out);
    }

    void left(WorkerId worker) {
        fleetVersion++;
        var desk = desks.get(worker);
        if (desk == null) {
            return;
        }
        var before = desk.profile();
        if (before != null) {
            leaveClasses(desk, before);
        }
        desk.profile(null);
        List.copyOf(desk.asks().keySet()).forEach(this::withdrawn);
        forgetIfIdle(desk);
    }

    private void leaveClasses(Desk desk, WorkerProfile profile) {
        for (var type : profile.tasks()) {
            offering.merge(
                    type, -1, (count, change) -> count + change == 0 ? null : count + change);
            var demand = classes.get(type);
            if (demand != null) {
                demand.asking().remove(desk);
            }
        }
    }

    void asked(long id, WorkerId worker, int max, Instant now, Consumer<DeskOutput> out) {
        var desk = deskOf(worker);
        var ask = new Desk.Ask(id, worker, max);
        desk.asks().put(id, ask);
        asks.put(id, ask);
        refresh(desk);
        serve(desk, now, out);
    }

    void withdrawn(long id) {
        var ask = asks.remove(id);
        if (ask != null) {
            var desk = deskOf(ask.worker);
            desk.asks().remove(id);
            refresh(desk);
            forgetIfIdle(desk);
        }
    }

    // Leases

    /// The grant is durable. False if it was made here and nobody waits for it any more.
    boolean granted(JobId job, Effect.HoldLease hold, Consumer<DeskOutput> out) {
        var lease = hold.lease();
        var desk = deskOf(lease.worker());
        desk.slots().add(lease.token());
        forgetGrant(lease.token());
        var ask = reservations.remove(lease.token());
        if (ask == null) {
            refresh(desk);
            return true;
        }
        ask.reserved.remove(lease.token());
        if (!asks.containsKey(ask.id)) {
            return false;
        }
        ask.closing = true;
        ask.ready.add(new HandOut(job, hold.task(), lease, hold.spec(), hold.priority()));
        answerIfComplete(desk, ask, out);
        refresh(desk);
        return true;
    }

    void lapsed(LeaseToken token, Instant now, Consumer<DeskOutput> out) {
        var ask = reservations.remove(token);
        var key = forgetGrant(token);
        if (ask == null) {
            return;
        }
        ask.reserved.remove(token);
        var desk = deskOf(ask.worker);
        desk.slots().remove(token);
        if (asks.containsKey(ask.id)) {
            answerIfComplete(desk, ask, out);
        }
        refresh(desk);
        if (key != null && queued.containsKey(key) && !delays.containsKey(key)) {
            delay(key, now.plus(LAPSE_PAUSE));
        }
        serve(desk, now, out);
        forgetIfIdle(desk);
    }

    private void answerIfComplete(Desk desk, Desk.Ask ask, Consumer<DeskOutput> out) {
        if (ask.closing && ask.reserved.isEmpty()) {
            asks.remove(ask.id);
            desk.asks().remove(ask.id);
            out.accept(new DeskOutput.HandOuts(ask.id, ask.worker, List.copyOf(ask.ready)));
        }
    }

    private @Nullable Key forgetGrant(LeaseToken token) {
        var key = grantOf.remove(token);
        if (key != null) {
            granting.remove(key);
        }
        return key;
    }

    /// A lease is revoked and keeps its slot. False if its worker has not been given the task, and will not be:
    /// grant and revocation became durable together.
    boolean linger(Lease lease, Consumer<DeskOutput> out) {
        var desk = deskOf(lease.worker());
        lingering.add(lease.token());
        desk.slots().add(lease.token());
        forgetGrant(lease.token());
        var ask = reservations.remove(lease.token());
        if (ask != null) {
            ask.reserved.remove(lease.token());
            if (asks.containsKey(ask.id)) {
                answerIfComplete(desk, ask, out);
            }
        }
        refresh(desk);
        return ask == null;
    }

    private final SequencedSet<LeaseToken> lingering = new LinkedHashSet<>();

    /// A lease no longer counts. One that lingers keeps its slot until the end of its revocation.
    void freed(Lease lease, boolean revocation, Instant now, Consumer<DeskOutput> out) {
        var desk = deskOf(lease.worker());
        if (revocation) {
            lingering.remove(lease.token());
        } else if (lingering.contains(lease.token())) {
            return;
        }
        desk.slots().remove(lease.token());
        refresh(desk);
        serve(desk, now, out);
        forgetIfIdle(desk);
    }

    // Matching

    void due(Instant now, Consumer<DeskOutput> out) {
        while (!delayed.isEmpty() && !delayed.firstKey().until().isAfter(now)) {
            var key = delayed.pollFirstEntry().getValue();
            delays.remove(key);
            var offer = queued.get(key);
            if (offer != null) {
                enqueue(key, offer, now, out);
            }
        }
    }

    Optional<Instant> next() {
        return delayed.isEmpty() ? Optional.empty() : Optional.of(delayed.firstKey().until());
    }

    void serveAll(Instant now, Consumer<DeskOutput> out) {
        List.copyOf(desks.values()).forEach(desk -> serve(desk, now, out));
    }

    private void serve(Desk desk, Instant now, Consumer<DeskOutput> out) {
        while (desk.canTake()) {
            var demand = bestClassFor(desk);
            if (demand == null) {
                return;
            }
            grantHead(demand, desk, Strategy.FIRST_IN_LINE, now, out);
        }
    }

    private @Nullable DemandClass bestClassFor(Desk desk) {
        var profile = desk.profile();
        DemandClass best = null;
        DemandClass.Head bestHead = null;
        for (var type : profile == null ? List.<String>of() : profile.tasks()) {
            var demand = classes.get(type);
            var head = demand == null ? null : demand.head().orElse(null);
            if (head != null
                    && (bestHead == null || DemandClass.Head.RANK.compare(head, bestHead) < 0)) {
                best = demand;
                bestHead = head;
            }
        }
        return best;
    }

    private void grantHead(
            DemandClass demand, Desk desk, String because, Instant now, Consumer<DeskOutput> out) {
        var head = demand.head().orElseThrow();
        demand.take(head);
        var grant = grant(head.job(), head.offer(), desk, because, now);
        out.accept(new DeskOutput.Command(head.job(), grant));
    }

    private JobCommand.Grant grant(
            JobId job, Effect.Offer offer, Desk desk, String because, Instant now) {
        var token = LeaseToken.mint(job, offer.task(), offer.attempt(), random.nextLong());
        var ask = desk.openAsk();
        if (ask == null) {
            throw new IllegalStateException(
                    "worker " + desk.id() + " was chosen and does not ask for work");
        }
        var placement =
                Strategy.placement(
                        desk,
                        offer.spec().type(),
                        because,
                        desks.size(),
                        offering.getOrDefault(offer.spec().type(), 0),
                        demandFor(offer.spec().type()).asking().size(),
                        fleetVersion);
        ask.reserved.add(token);
        desk.slots().add(token);
        reservations.put(token, ask);
        var key = new Key(job, offer.id());
        granting.put(key, token);
        grantOf.put(token, key);
        refresh(desk);
        return new JobCommand.Grant(offer.id(), offer.task(), token, desk.id(), placement, now);
    }

    private DemandClass demandFor(String type) {
        var existing = classes.get(type);
        if (existing != null) {
            return existing;
        }
        var created = new DemandClass(type);
        classes.put(type, created);
        for (var desk : desks.values()) {
            var profile = desk.profile();
            if (profile != null && profile.tasks().contains(type) && desk.canTake()) {
                created.asking().add(desk);
            }
        }
        return created;
    }

    private void refresh(Desk desk) {
        var profile = desk.profile();
        if (profile == null) {
            return;
        }
        var canTake = desk.canTake();
        for (var type : profile.tasks()) {
            var demand = classes.get(type);
            if (demand != null) {
                if (canTake) {
                    demand.asking().add(desk);
                } else {
                    demand.asking().remove(desk);
                }
            }
        }
    }

    private Desk deskOf(WorkerId worker) {
        return desks.computeIfAbsent(worker, Desk::new);
    }

    private void forgetIfIdle(Desk desk) {
        if (desk.isForgettable()) {
            desks.remove(desk.id());
        }
    }

    // Questions

    Optional<WaitReason> whyNotYet(JobId job, int task, Instant now) {
        for (var entry : queued.entrySet()) {
            if (entry.getKey().job().equals(job) && entry.getValue().task() == task) {
                return Optional.of(Strategy.waitReason(entry.getValue(), desks.values(), now));
            }
        }
        return Optional.empty();
    }

    boolean holds(JobId job, Effect.Offer offer) {
        return offer.equals(queued.get(new Key(job, offer.id())));
    }

    boolean occupies(Lease lease) {
        var desk = desks.get(lease.worker());
        return desk != null && desk.slots().contains(lease.token());
    }

    int reserved() {
        return reservations.size();
    }

    int queued() {
        return queued.size();
    }

    SequencedMap<WorkerId, SequencedSet<LeaseToken>> slots() {
        var slots = new LinkedHashMap<WorkerId, SequencedSet<LeaseToken>>();
        desks.forEach((id, desk) ->
                slots.put(
                        id,
                        Collections.unmodifiableSequencedSet(new LinkedHashSet<>(desk.slots()))));
        return slots;
    }
}
