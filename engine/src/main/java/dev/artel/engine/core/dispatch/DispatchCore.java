package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.random.RandomGenerator;

/// Which worker gets which task, and when. Single-threaded.
///
/// Binding is late: a task is given to a worker that asks for work and has room, never earlier. Slots are counted
/// from the leases themselves, so no stored number can leak.
public final class DispatchCore {
    /// The job may be about to withdraw the offer: time to hear of it.
    private static final Duration LAPSE_PAUSE = Duration.ofMillis(20);

    /// How long a task whose lease is durable waits for the others of the same answer: the job of one of them may have to be
    /// read first, and may be one that cannot be.
    private static final Duration HAND_OUT_WITHIN = Duration.ofSeconds(1);

    private final RandomGenerator random;
    private final WorkerIndex workerIndex = new WorkerIndex();
    private final Turns turns = new Turns(client -> settings().weight(client));
    private final Gates gates = new Gates();
    private final DemandClasses classes = new DemandClasses(workerIndex, turns, gates);
    private final SlotsByJob slots = new SlotsByJob();
    private final QueueRoom room;
    private final WaitingOffers backlog;
    private final Grants grants = new Grants();
    private final Reasons reasons = new Reasons(workerIndex);
    private final Ranking ranking = new Ranking(workerIndex);
    private final Placements placements = new Placements(workerIndex, reasons, ranking);
    private final Map<Long, ConnectedWorker.TaskRequest> taskRequests = new LinkedHashMap<>();

    /// Those that have something ready and wait for more, the one that has waited longest first.
    private final SequencedSet<ConnectedWorker.TaskRequest> awaited = new LinkedHashSet<>();

    private DispatchSettings settings = DispatchSettings.DEFAULTS;

    /// A dispatcher without workers, in whose queues any number of tasks may wait.
    ///
    /// @param random mints lease tokens
    public DispatchCore(RandomGenerator random) {
        this(random, Integer.MAX_VALUE);
    }

    /// A dispatcher without workers.
    ///
    /// @param random mints lease tokens
    /// @param mostQueued how many tasks may wait in its queues, of one client half of what others leave; the jobs of others are asked for them again
    public DispatchCore(RandomGenerator random, int mostQueued) {
        this.random = random;
        room = new QueueRoom(mostQueued);
        backlog = new WaitingOffers(room);
    }

    private DispatchSettings settings() {
        return settings;
    }

    /// Other settings are in force from now on.
    public void configure(DispatchSettings other, Instant now, DispatchSink out) {
        settings = other;
        at(now);
        classes.reconfigure();
        gates.configure(other);
        gates.recount(
                workerIndex.connected().values().stream()
                        .flatMap(connectedWorker -> connectedWorker.slots().stream())
                        .map(slot -> slot.task)
                        .toList());
        serveAll(now, out);
    }

    /// Answers questions about what waits.
    public DispatchQueries questions() {
        return new DispatchQueries(workerIndex, classes, backlog, room, grants, reasons, gates);
    }

    /// It is `now`, for the rates of leases that come by themselves, and for what workers gave back.
    public void at(Instant now) {
        gates.at(now);
        workerIndex.at(now);
    }

    // Offers

    /// Grants for those of `offers` that a worker can have at this moment; the others come again as [#offer].
    public List<JobCommand.Grant> reserve(
            JobId job, List<Effect.Offer> offers, Instant now, DispatchSink out) {
        at(now);
        var made = new ArrayList<JobCommand.Grant>();
        for (var offer : offers) {
            var demand = classes.of(job, offer, now);
            if (!demand.queue.mayGo()
                    && !offer.notBefore().isAfter(now)
                    && ranking.rank(demand)
                    && gates.lets(offer.outline())) {
                made.add(grant(new QueuedTask.Key(job, offer.id()), offer, demand, now, out));
            }
        }
        return made;
    }

    /// A task waits for a worker.
    public void offer(JobId job, Effect.Offer offer, Instant now, DispatchSink out) {
        at(now);
        var key = new QueuedTask.Key(job, offer.id());
        if (grants.isUnderWay(key) || backlog.find(key) != null) {
            return;
        }
        if (!room.hasRoom(offer.client())) {
            room.postpone(job, offer.client());
            return;
        }
        var task = new QueuedTask(key, offer);
        backlog.add(task);
        if (offer.notBefore().isAfter(now)) {
            backlog.arm(task, offer.notBefore());
        } else {
            enqueue(task, now, out);
        }
    }

    private void enqueue(QueuedTask task, Instant now, DispatchSink out) {
        var key = classes.keyOf(task.job(), task.offer(), now);
        var demand = classes.of(key);
        var mayGo = !demand.queue.mayGo() && gates.lets(task.offer().outline());
        if (mayGo && ranking.rank(demand)) {
            out.grant(task.job(), grant(task.key(), task.offer(), demand, now, out));
            return;
        }
        classes.add(demand, task);
        if (key.warmOnly()) {
            DemandClassifier.awaitsWarmUntil(task.offer())
                    .ifPresent(until -> backlog.arm(task, until));
        }
        if (!mayGo) {
            drain(demand, now, out);
        }
    }

    private void drain(DemandClass demand, Instant now, DispatchSink out) {
        var only = List.of(demand);
        // Whether a worker could take one is found sooner than the one that it would take.
        while (ranking.rank(demand)) {
            var next = classes.bestOf(only);
            if (next == null) {
                return;
            }
            grantFirst(next, now, out);
        }
    }

    /// Tasks whose limits have room again go to workers that are ready; the first of those takes what it would take if it
    /// asked now.
    private void wake(Instant now, DispatchSink out) {
        at(now);
        for (var awake = gates.wake(); !awake.isEmpty(); awake = gates.wake()) {
            awake.removeIf(demand -> !reasons.isServed(demand));
            for (var next = classes.bestOf(awake); next != null; next = classes.bestOf(awake)) {
                var demand = next.group.demand();
                if (!ranking.rank(demand)
                        || !grantBest(workerIndex.at(ranking.first()), now, out)) {
                    awake.remove(demand);
                }
            }
        }
    }

    /// A task waits no more.
    public void withdraw(JobId job, Effect.Offer offer) {
        withdraw(new QueuedTask.Key(job, offer.id()));
    }

    private void withdraw(QueuedTask.Key key) {
        grants.withdraw(key);
        var task = backlog.remove(key);
        if (task != null) {
            classes.remove(task);
        }
    }

    /// No task of the job waits any more.
    public void withdrawAll(JobId job) {
        room.forget(job);
        backlog.of(job).forEach(task -> withdraw(task.key()));
    }

    /// Forgets what the job no longer asks for.
    public void keepOnly(JobId job, List<Effect.Indexed> pending) {
        room.forget(job);
        var offers = new LinkedHashSet<EffectId>();
        var tokens = new LinkedHashSet<LeaseToken>();
        for (var effect : pending) {
            switch (effect) {
                case Effect.Offer offer -> offers.add(offer.id());
                case Effect.HoldLease hold -> tokens.add(hold.lease().token());
                case Effect.Revoke revoke -> tokens.add(revoke.lease().token());
                case Effect.HoldParked _, Effect.ScheduleTimer _ -> {}
            }
        }
        for (var task : backlog.of(job)) {
            if (!offers.contains(task.key().offer())) {
                withdraw(task.key());
            }
        }
        grants.withdrawAll(job);
        for (var slot : slots.of(job)) {
            if (!tokens.contains(slot.token) && !grants.isReserved(slot.token)) {
                vacate(slot.connectedWorker, slot.token);
            }
        }
    }

    // Workers

    /// A worker is there, or has changed.
    public void joined(WorkerProfile profile, Instant now, DispatchSink out) {
        var connectedWorker = workerIndex.workerOf(profile.id());
        if (profile.equals(connectedWorker.profile())) {
            return;
        }
        workerIndex.change(connectedWorker, profile);
        serve(connectedWorker, now, out);
    }

    /// A worker is gone.
    public void left(WorkerId worker) {
        var connectedWorker = workerIndex.find(worker);
        if (connectedWorker == null) {
            return;
        }
        workerIndex.change(connectedWorker, null);
        for (var taskRequest : List.copyOf(connectedWorker.asks())) {
            var _ = withdrawn(taskRequest.id); // all leases of the worker end with it
        }
        workerIndex.forgetIfIdle(connectedWorker);
    }

    /// The asks of a worker are refused until then, because they are too many.
    public void limited(WorkerId worker, Instant until) {
        var connectedWorker = workerIndex.find(worker);
        if (connectedWorker != null) {
            connectedWorker.limitedUntil = until;
            workerIndex.refresh(connectedWorker, false);
        }
    }

    /// A worker wants at most `max` tasks.
    public void asked(long id, WorkerId worker, int max, Instant now, DispatchSink out) {
        var connectedWorker = workerIndex.workerOf(worker);
        taskRequests.put(id, connectedWorker.ask(id, max));
        workerIndex.refresh(connectedWorker, false);
        serve(connectedWorker, now, out);
    }

    /// A wish is over.
    ///
    /// @return the leases that are durable and waited for others of the same answer: no worker has received them
    public List<LeaseToken> withdrawn(long id) {
        var taskRequest = taskRequests.remove(id);
        if (taskRequest == null) {
            return List.of();
        }
        forget(taskRequest);
        workerIndex.refresh(taskRequest.connectedWorker, false);
        workerIndex.forgetIfIdle(taskRequest.connectedWorker);
        return taskRequest.ready.stream().map(task -> task.lease().token()).toList();
    }

    // Leases

    /// The grant is durable. False if it was made here and no caller waits for it any more.
    ///
    /// @param steady the time by the steady clock
    public boolean granted(JobId job, Effect.HoldLease hold, Instant steady, DispatchSink out) {
        var lease = hold.lease();
        var connectedWorker = workerIndex.workerOf(lease.worker());
        occupy(job, connectedWorker, lease.token(), hold.outline(), "");
        var made = grants.end(lease.token());
        if (made == null) {
            workerIndex.refresh(connectedWorker, false);
            return true;
        }
        var taskRequest = made.taskRequest();
        if (taskRequest.over) {
            return false;
        }
        taskRequest.closing = true;
        taskRequest.ready.add(
                new HandOut(
                        job,
                        hold.task(),
                        lease,
                        hold.spec(),
                        hold.priority(),
                        hold.trace(),
                        hold.answers()));
        if (taskRequest.reserved == 0) {
            answer(taskRequest, out);
        } else if (!taskRequest.isAwaited()) {
            taskRequest.handOutAt = steady.plus(HAND_OUT_WITHIN);
            awaited.add(taskRequest);
        }
        workerIndex.refresh(connectedWorker, false);
        return true;
    }

    /// Whether a grant is under way that was made here.
    public boolean isReserved(LeaseToken token) {
        return grants.isReserved(token);
    }

    /// A grant did not come to be.
    public void lapsed(LeaseToken token, Instant now, DispatchSink out) {
        var made = grants.end(token);
        if (made == null) {
            return;
        }
        var taskRequest = made.taskRequest();
        var connectedWorker = taskRequest.connectedWorker;
        if (!taskRequest.over) {
            answerIfComplete(taskRequest, out);
        }
        var slot = connectedWorker.slot(token);
        if (slot != null) {
            at(now);
            gates.giveBack(slot.task);
        }
        vacate(connectedWorker, token);
        var task = backlog.find(made.key());
        if (task != null && task.in == null && task.timer == null) {
            backlog.arm(task, now.plus(LAPSE_PAUSE));
        }
        serve(connectedWorker, now, out);
        wake(now, out);
        workerIndex.forgetIfIdle(connectedWorker);
    }

    private void answerIfComplete(ConnectedWorker.TaskRequest taskRequest, DispatchSink out) {
        if (taskRequest.closing && taskRequest.reserved == 0) {
            answer(taskRequest, out);
        }
    }

    private void answer(ConnectedWorker.TaskRequest taskRequest, DispatchSink out) {
        taskRequests.remove(taskRequest.id);
        forget(taskRequest);
        out.handOut(taskRequest.id, taskRequest.connectedWorker.id, List.copyOf(taskRequest.ready));
    }

    private void forget(ConnectedWorker.TaskRequest taskRequest) {
        if (taskRequest.isAwaited()) {
            awaited.remove(taskRequest);
        }
        taskRequest.connectedWorker.forget(taskRequest);
    }

    /// Hands out what is ready and has waited long enough for the rest of its answer. A grant that becomes durable later
    /// has no ask any more: see [#granted].
    ///
    /// @param steady the time by the steady clock
    public void handOutOverdue(Instant steady, DispatchSink out) {
        while (!awaited.isEmpty() && !awaited.getFirst().handOutAt.isAfter(steady)) {
            var taskRequest = awaited.getFirst();
            answer(taskRequest, out);
            workerIndex.refresh(taskRequest.connectedWorker, false);
        }
    }

    /// When [#handOutOverdue] has something to do, by the steady clock; empty if nothing waits for it.
    public Optional<Instant> nextHandOut() {
        return awaited.isEmpty() ? Optional.empty() : Optional.of(awaited.getFirst().handOutAt);
    }

    /// A lease is revoked and keeps its slot. False if its worker has not been given the task, and will not be:
    /// grant and revocation became durable together.
    public boolean linger(JobId job, Effect.Revoke revoke, DispatchSink out) {
        var lease = revoke.lease();
        var connectedWorker = workerIndex.workerOf(lease.worker());
        occupy(job, connectedWorker, lease.token(), revoke.outline(), "").lingers = true;
        var made = grants.end(lease.token());
        if (made != null && !made.taskRequest().over) {
            answerIfComplete(made.taskRequest(), out);
        }
        workerIndex.refresh(connectedWorker, false);
        return made == null;
    }

    /// A lease no longer counts. One that lingers keeps its slot until the end of its revocation.
    public void freed(Lease lease, boolean revocation, Instant now, DispatchSink out) {
        var connectedWorker = workerIndex.workerOf(lease.worker());
        var slot = connectedWorker.slot(lease.token());
        if (slot != null && slot.lingers && !revocation) {
            return;
        }
        vacate(connectedWorker, lease.token());
        serve(connectedWorker, now, out);
        wake(now, out);
        workerIndex.forgetIfIdle(connectedWorker);
    }

    /// A worker has given a task back that it had not begun: if it does so again and again, it comes behind others for a while; and if workers
    /// do so with one task, it goes to one that has given nothing back for long.
    public void gaveBack(WorkerId worker, LeaseToken token) {
        workerIndex.gaveBack(worker, token);
    }

    /// @param client whose task it is; empty: that is not known, as its lease was not granted here
    private ConnectedWorker.Slot occupy(
            JobId job,
            ConnectedWorker connectedWorker,
            LeaseToken token,
            TaskOutline task,
            String client) {
        var known = connectedWorker.slot(token);
        if (known != null) {
            return known;
        }
        var slot = connectedWorker.occupy(job, token, task, client);
        slots.add(slot);
        gates.take(task);
        if (connectedWorker.count(slot)) {
            workerIndex.refresh(connectedWorker, true);
        }
        return slot;
    }

    private void vacate(ConnectedWorker connectedWorker, LeaseToken token) {
        var slot = connectedWorker.slot(token);
        if (slot == null) {
            workerIndex.refresh(connectedWorker, false);
            return;
        }
        slots.remove(slot);
        gates.free(slot.task);
        workerIndex.refresh(connectedWorker, connectedWorker.free(slot));
    }

    // Matching

    /// Asks the jobs again for whose tasks there is room now.
    public void askAgain(DispatchSink out) {
        var jobs = room.next();
        for (var i = 0; i < jobs.size(); i++) {
            out.again(jobs.get(i));
        }
    }

    /// Time has passed.
    public void due(Instant now, DispatchSink out) {
        wake(now, out);
        room.nextOfAll(now).forEach(out::again);
        for (var task = backlog.due(now); task != null; task = backlog.due(now)) {
            if (!grants.isUnderWay(task.key())) {
                classes.remove(task);
                enqueue(task, now, out);
            }
        }
    }

    /// When time has something to do; empty if nothing waits for it.
    public Optional<Instant> next() {
        var limits = gates.next();
        var tasks = backlog.next();
        return limits.isPresent() && (tasks.isEmpty() || limits.get().isBefore(tasks.get()))
                ? limits
                : tasks;
    }

    /// Gives every worker that asks what it can have.
    public void serveAll(Instant now, DispatchSink out) {
        wake(now, out);
        for (var at = workerIndex.ready.nextWord(0);
                at >= 0;
                at = workerIndex.ready.nextWord(at + 1)) {
            WorkerIndex.each(
                    at,
                    workerIndex.ready.word(at),
                    place -> serve(workerIndex.at(place), now, out));
        }
    }

    private void serve(ConnectedWorker connectedWorker, Instant now, DispatchSink out) {
        at(now);
        while (workerIndex.ready.has(connectedWorker.place)
                && grantBest(connectedWorker, now, out)) {
            // one more
        }
    }

    /// Grants the task whose turn it is of those that `connectedWorker`, which is ready, could take, to the worker that suits it best.
    ///
    /// @return false if there is none
    private boolean grantBest(ConnectedWorker connectedWorker, Instant now, DispatchSink out) {
        var next = classes.bestFor(connectedWorker, settings.aging());
        if (next == null || !ranking.rank(next.group.demand())) {
            return false;
        }
        grantFirst(next, now, out);
        return true;
    }

    /// Grants the first task of `next` to the first of the ranking at hand.
    private void grantFirst(Turns.Flow next, Instant now, DispatchSink out) {
        var demand = next.group.demand();
        workerIndex.at(ranking.first()).takes().forEach(facts -> facts.ages.turn());
        var task = classes.take(next);
        backlog.disarm(task);
        out.grant(task.job(), grant(task.key(), task.offer(), demand, now, out));
    }

    /// To the first of the ranking at hand.
    private JobCommand.Grant grant(
            QueuedTask.Key key,
            Effect.Offer offer,
            DemandClass demand,
            Instant now,
            DispatchSink out) {
        var token = LeaseToken.mint(key.job(), offer.task(), offer.attempt(), random.nextLong());
        var connectedWorker = workerIndex.at(ranking.first());
        var taskRequest = askOf(connectedWorker);
        var placement = placements.of(demand);
        demand.facts.last = connectedWorker.place;
        grants.begin(token, taskRequest, key);
        occupy(key.job(), connectedWorker, token, offer.outline(), demand.key.client());
        workerIndex.refresh(connectedWorker, false);
        var waited = Duration.between(QueuedTask.since(offer), now);
        out.placed(demand.key.type(), waited.isNegative() ? Duration.ZERO : waited);
        return new JobCommand.Grant(
                offer.id(),
                offer.task(),
                token,
                connectedWorker.id,
                connectedWorker.instance(),
                placement,
                now);
    }

    private static ConnectedWorker.TaskRequest askOf(ConnectedWorker connectedWorker) {
        var taskRequest = connectedWorker.openAsk();
        if (taskRequest == null) {
            throw new IllegalStateException(
                    "worker " + connectedWorker.id + " was chosen and does not ask for work");
        }
        return taskRequest;
    }

    // Figures

    /// Whether `offer` waits, exactly as it is, or its job is to be asked again for those that wait.
    public boolean holds(JobId job, Effect.Offer offer) {
        var task = backlog.find(new QueuedTask.Key(job, offer.id()));
        return task == null ? room.isPostponed(job) : task.offer().equals(offer);
    }

    /// Whether a lease has its slot.
    public boolean occupies(Lease lease) {
        var connectedWorker = workerIndex.find(lease.worker());
        return connectedWorker != null && connectedWorker.occupies(lease.token());
    }

    /// How many grants are under way.
    public int reserved() {
        return grants.size();
    }

    /// How many tasks wait.
    public int queued() {
        return backlog.size();
    }

    /// Whether a worker that is here may get a task when it asks: there is one that its profile fits.
    public boolean isHopeful() {
        return classes.isHopeful();
    }

    /// For each worker the tokens that occupy its slots.
    public SequencedMap<WorkerId, SequencedSet<LeaseToken>> slots() {
        return workerIndex.slots();
    }

    /// For each key of a limit how many tasks count against it, those without a task left out.
    public SequencedMap<String, Integer> limits() {
        return gates.use();
    }

    /// For each worker that limits categories how many slots each of them takes up.
    public SequencedMap<WorkerId, SequencedMap<String, Integer>> crowds() {
        return workerIndex.crowds();
    }
}
