package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.BreakerPolicy;
import dev.artel.kernel.fleet.CircuitBreaker;
import dev.artel.kernel.fleet.Drain;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.Reputation;
import dev.artel.kernel.fleet.Reputation.Outcome;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.fleet.WorkerRecord;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the records of the workers: adds to what they declare what the orchestrator knows, and stores what becomes of
/// them. Stands between conversations and engine. Safe for use by many threads.
///
/// - Who is there, the conversation alone decides; what the book has of it is for its notes.
/// - It holds no lock while it writes or notifies others: a store that hangs holds up those only who wait for something
///   durable.
/// - An operator's drain and a worker's registration are durable when the call returns; of the rest a crash may take the last
///   second.
public final class FleetRegistry extends WorkerPortRelay implements AutoCloseable {
    /// Of how many workers the registration is kept.
    public static final int REGISTRATIONS = 20_000;

    private static final Logger LOG = LoggerFactory.getLogger(FleetRegistry.class);
    private static final Duration TURN = Duration.ofSeconds(1);
    private static final Duration NOTE_PRESENCE = Duration.ofMinutes(5);

    /// For how long after a start workers may not have been heard that are there.
    private static final Duration EXPECTED = Duration.ofMinutes(15);

    private static final Duration TIDY = Duration.ofHours(1);
    private static final Duration KEEP = Duration.ofDays(30);
    private static final Duration LAST_TURN = Duration.ofSeconds(10);
    private static final int PAGE = 1000;

    /// How many characters the kept registrations have together.
    private static final long CHARACTERS = 64L << 20;

    /// How many workers are remembered that are gone, and how many of those that are drained. The holder of a token for many names can have each of them
    /// come and go, and who may send controls on RabbitMQ can have each of them drained.
    static final int GONE = 20_000;

    /// After how many registrations those that are too many are forgotten.
    private static final int MANY = 1000;

    private final Fleet fleet;
    private final InstantSource clock;
    private final ReputationTracker reputationTracker = new ReputationTracker(this::judged);
    private final CircuitBreakers breakers = new CircuitBreakers();
    private final ReputationHistory reputations = new ReputationHistory();
    private final Map<WorkerId, WorkerRecord> records = new ConcurrentHashMap<>();

    /// The workers that are there, and those of them that drain by their own word.
    private final Set<WorkerId> present = ConcurrentHashMap.newKeySet();

    private final Set<WorkerId> draining = ConcurrentHashMap.newKeySet();

    /// The latest signs of life that are to be noted.
    private final Map<WorkerId, Instant> heard = new ConcurrentHashMap<>();

    private final WaitingRegistrations registrations = new WaitingRegistrations();
    private final Schedule schedule;
    private final AtomicBoolean isWoken = new AtomicBoolean();

    /// The workers that were there when the earlier process ended, as far as they may come back without a registration; empty after [#EXPECTED].
    private Set<WorkerId> expected = Set.of();

    private Instant begun;
    private volatile DrainWatch watch = (_, _) -> {};
    private volatile Consumer<WorkerId> reviewer = _ -> {};
    private Instant tidied;
    private Instant presenceNoted;
    private int registered;

    /// Hears of workers that begin to drain by their own word, and of those that take work again.
    @FunctionalInterface
    public interface DrainWatch {
        /// `worker` begins to drain, or takes work again.
        void drains(WorkerId worker, boolean drains);
    }

    FleetRegistry(Fleet fleet, WorkerPort next, InstantSource clock, Vitals vitals) {
        super(next);
        this.fleet = fleet;
        this.clock = clock;
        this.tidied = clock.instant();
        this.presenceNoted = tidied;
        this.begun = tidied;
        schedule = new Schedule("artel-fleet", vitals);
    }

    /// A book that knows what `fleet` knows.
    ///
    /// @param next who stands between the book and `engine`, or the engine itself
    /// @throws StoreException if the fleet cannot be read
    public static FleetRegistry open(
            Fleet fleet, WorkerPort next, LocalEngine engine, InstantSource clock) {
        var book = new FleetRegistry(fleet, next, clock, engine.vitals());
        book.begin();
        engine.observedBy(book.reputationTracker);
        return book;
    }

    /// Reads what is known, and begins to write.
    void begin() {
        var page = fleet.list(Optional.empty(), PAGE);
        while (!page.isEmpty()) {
            page.forEach(record -> records.put(record.id(), record));
            forgetGone();
            page = fleet.list(Optional.of(page.getLast().id()), PAGE);
        }
        begun = now();
        expected = lastThere();
        schedule.repeat(TURN, this::turn);
    }

    /// The workers that were seen shortly before the last of all: who is there is noted from time to time.
    private Set<WorkerId> lastThere() {
        var since =
                records.values().stream()
                        .map(WorkerRecord::lastSeen)
                        .max(Comparator.naturalOrder())
                        .orElse(Instant.EPOCH)
                        .minus(NOTE_PRESENCE)
                        .minus(NOTE_PRESENCE);
        return records.values().stream()
                .filter(record -> !record.lastSeen().isBefore(since))
                .map(WorkerRecord::id)
                .collect(Collectors.toSet());
    }

    /// Sets the listener that reports a connected worker anew when something about it has changed; must not wait. To
    /// be set before the first worker joins.
    public void reviewedBy(Consumer<WorkerId> who) {
        reviewer = who;
    }

    /// The part between the registry and the engine has changed: reports each worker anew.
    public void review() {
        present.forEach(reviewer);
    }

    /// Who hears from now on of drains that workers begin and end themselves; must not wait.
    public void addListener(DrainWatch who) {
        watch = who;
    }

    /// How many workers are there.
    public int present() {
        return present.size();
    }

    /// What is remembered of a worker, as far as it is written down; empty if it was never there.
    public Optional<WorkerRecord> find(WorkerId worker) {
        return Optional.ofNullable(records.get(worker));
    }

    /// How the reputation of a worker has changed since it connected, the oldest first: one point for ten seconds at most; empty
    /// if it is not there.
    public List<ReputationPoint> reputationHistory(WorkerId worker) {
        return reputations.of(worker);
    }

    /// The workers that are remembered, in no order.
    public List<WorkerRecord> list() {
        return List.copyOf(records.values());
    }

    /// Lets a worker have no more tasks until [#undrain]; durable when the call returns.
    ///
    /// @return its record; empty if it is unknown
    /// @throws StoreException if it cannot be written down; nothing has changed
    public Optional<WorkerRecord> drain(WorkerId worker, String by, Optional<String> reason) {
        return order(new FleetChange.Drained(worker, new Drain(by, reason, now())));
    }

    /// Lets these workers have no more tasks until [#undrain], in one write; durable when the call returns.
    ///
    /// @return the records of those that are known
    /// @throws StoreException if it cannot be written down; nothing has changed
    public List<WorkerRecord> drainAll(
            Collection<WorkerId> workers, String by, Optional<String> reason) {
        var drain = new Drain(by, reason, now());
        return orderAll(
                known(workers)
                        .<FleetChange>map(worker -> new FleetChange.Drained(worker, drain))
                        .toList());
    }

    /// Takes the drains of these workers back, and ends their suspensions, in one write; durable when the call returns.
    ///
    /// @return the records of those that are known
    /// @throws StoreException if it cannot be written down; nothing has changed
    public List<WorkerRecord> undrainAll(Collection<WorkerId> workers) {
        var at = now();
        var records =
                orderAll(
                        known(workers)
                                .<FleetChange>map(worker -> new FleetChange.Undrained(worker, at))
                                .toList());
        for (var record : records) {
            if (breakers.close(record.id())) {
                reviewIfPresent(record.id());
            }
        }
        return records;
    }

    private Stream<WorkerId> known(Collection<WorkerId> workers) {
        return workers.stream()
                .filter(worker -> records.containsKey(worker) || present.contains(worker));
    }

    private List<WorkerRecord> orderAll(List<FleetChange> changes) {
        if (changes.isEmpty()) {
            return List.of();
        }
        write(changes);
        return changes.stream().flatMap(change -> find(change.worker()).stream()).toList();
    }

    /// Takes a drain back, and ends a suspension; durable when the call returns.
    ///
    /// @return its record; empty if it is unknown
    /// @throws StoreException if it cannot be written down; nothing has changed
    public Optional<WorkerRecord> undrain(WorkerId worker) {
        var record = order(new FleetChange.Undrained(worker, now()));
        if (record.isPresent() && breakers.close(worker)) {
            reviewIfPresent(worker);
        }
        return record;
    }

    private Optional<WorkerRecord> order(FleetChange change) {
        if (!records.containsKey(change.worker()) && !present.contains(change.worker())) {
            return Optional.empty();
        }
        write(List.of(change));
        return find(change.worker());
    }

    /// Suspends workers whose attempts fail one after another. To be called before the first worker joins.
    ///
    /// @param byWire on which wires, and how
    public void suspendBy(Map<String, BreakerPolicy> byWire) {
        breakers.guard(byWire);
    }

    /// Whether a worker is suspended, and for how long; empty if its wire has no breakers.
    public Optional<CircuitBreaker> breaker(WorkerId worker) {
        return breakers.guardOf(worker, now());
    }

    /// How many workers are suspended.
    public int suspended() {
        return breakers.open();
    }

    /// How often workers were suspended.
    public long suspensions() {
        return breakers.opened();
    }

    private void judged(WorkerId worker, Outcome outcome) {
        if (breakers.ended(worker, outcome, now())) {
            reviewIfPresent(worker);
        }
    }

    private void reviewIfPresent(WorkerId worker) {
        if (present.contains(worker)) {
            reviewer.accept(worker);
        }
    }

    /// Waits until the words are durable, but not for a store that hangs: they are written as soon as it goes on.
    @Override
    public boolean registered(WorkerId worker, JsonObject words) {
        var written = registrations.add(worker, words, now());
        wake();
        return registrations.await(written);
    }

    int registrationsThatWait() {
        return registrations.count();
    }

    private void wake() {
        if (isWoken.compareAndSet(false, true)) {
            // Once it is closed: that writes what is left.
            var _ = schedule.once(Duration.ZERO, this::turn);
        }
    }

    /// Writes down what has happened since the last turn.
    private void turn() {
        isWoken.set(false);
        try {
            var now = now();
            breakers.look(now).forEach(this::reviewIfPresent);
            notePresence(now);
            var seen = takeHeard();
            var latest = registrations.waiting();
            var judged = reputationTracker.take();
            var changes = new ArrayList<FleetChange>(latest.changes());
            seen.forEach((worker, at) -> changes.add(new FleetChange.Seen(worker, at)));
            judged.forEach((worker, reputation) ->
                    changes.add(new FleetChange.Judged(worker, reputation, now)));
            try {
                write(changes);
            } catch (StoreException later) {
                reputationTracker.putBack(judged);
                seen.forEach(this::hear);
                latest.failed();
                throw later;
            }
            latest.written();
            tidy(now, latest.changes().size());
        } catch (StoreException failure) {
            LOG.atWarn()
                    .addKeyValue("cause", failure.getMessage())
                    .log("the registry of workers cannot be written; retrying");
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("a pass of the registry of workers failed");
        }
    }

    private void notePresence(Instant now) {
        if (!presenceNoted.plus(NOTE_PRESENCE).isAfter(now)) {
            presenceNoted = now;
            present.forEach(worker -> hear(worker, now));
        }
    }

    private void hear(WorkerId worker, Instant at) {
        heard.merge(worker, at, (one, other) -> one.isAfter(other) ? one : other);
    }

    private Map<WorkerId, Instant> takeHeard() {
        var taken = new LinkedHashMap<WorkerId, Instant>();
        for (var worker : List.copyOf(heard.keySet())) {
            var at = heard.remove(worker);
            if (at != null) {
                taken.put(worker, at);
            }
        }
        return taken;
    }

    private void write(List<FleetChange> changes) {
        if (!changes.isEmpty()) {
            fleet.apply(changes).forEach(this::know);
        }
    }

    /// Answers of the store may overtake each other.
    private void know(WorkerRecord record) {
        var before = records.get(record.id());
        var known =
                records.merge(
                        record.id(),
                        record,
                        (one, other) -> one.version() > other.version() ? one : other);
        reputations.add(record.id(), now(), known.reputation().score());
        if (!addition(known).equals(addition(before)) && present.contains(record.id())) {
            reviewer.accept(record.id());
        }
    }

    /// Those that never did a task go first, so that names without work push none out that has some; of the others, those that were not seen for longest.
    private void forgetGone() {
        if (records.size() - present.size() < GONE + MANY) {
            return;
        }
        takeDrainsBack();
        var tooMany = tooMany(false);
        for (var from = 0; from < tooMany.size(); from += PAGE) {
            var page = tooMany.subList(from, Math.min(from + PAGE, tooMany.size()));
            var forgotten = fleet.forget(page);
            page.forEach(record -> records.remove(record.id(), record));
            LOG.atInfo()
                    .addKeyValue("workers", forgotten)
                    .log(
                            "too many workers came and went: those that did no task, or were not seen for longest, are forgotten");
        }
    }

    /// Whose registrations are kept, however many others there are.
    private Set<WorkerId> needed(Instant now) {
        if (!begun.plus(EXPECTED).isAfter(now)) {
            expected = Set.of();
        }
        var needed = new LinkedHashSet<>(expected);
        needed.addAll(present);
        needed.addAll(heard.keySet());
        return needed;
    }

    /// The workers of which too many are gone are forgotten as others are.
    private void takeDrainsBack() {
        var tooMany = tooMany(true);
        var at = now();
        for (var from = 0; from < tooMany.size(); from += PAGE) {
            var page = tooMany.subList(from, Math.min(from + PAGE, tooMany.size()));
            write(
                    page.stream()
                            .<FleetChange>map(record -> new FleetChange.Undrained(record.id(), at))
                            .toList());
        }
        if (!tooMany.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("workers", tooMany.size())
                    .log(
                            "too many workers that are gone are drained: the drains of those that did no task, or were not seen for longest, are taken back");
        }
    }

    /// @param areDrained of which: of those that are drained, or of the others
    private List<WorkerRecord> tooMany(boolean areDrained) {
        var gone =
                records.values().stream()
                        .filter(record ->
                                record.drain().isPresent() == areDrained && !isNeeded(record.id()))
                        .toList();
        if (gone.size() <= GONE) {
            return List.of();
        }
        return gone.stream()
                .sorted(
                        Comparator.comparing(FleetRegistry::hasWorked)
                                .thenComparing(WorkerRecord::lastSeen))
                .limit(gone.size() - GONE)
                .toList();
    }

    private boolean isNeeded(WorkerId worker) {
        return present.contains(worker) || heard.containsKey(worker);
    }

    private static boolean hasWorked(WorkerRecord record) {
        return !record.reputation().equals(Reputation.NEW);
    }

    private void tidy(Instant now, int more) {
        forgetGone();
        registered += more;
        if (tidied.plus(TIDY).isAfter(now) && registered < MANY) {
            return;
        }
        tidied = now;
        breakers.tidy(present, now.minus(TIDY));
        registered = 0;
        var before = now.minus(KEEP);
        if (fleet.forget(before, PAGE) > 0) {
            records.values()
                    .removeIf(record ->
                            !present.contains(record.id())
                                    && record.drain().isEmpty()
                                    && record.lastSeen().isBefore(before));
        }
        var forgotten = fleet.forgetRegistrations(needed(now), REGISTRATIONS, CHARACTERS);
        if (forgotten > 0) {
            LOG.atInfo()
                    .addKeyValue("workers", forgotten)
                    .log(
                            "too many workers have registered: of those that are gone, the registrations of those that did no task, or were not seen for longest, are forgotten");
        }
    }

    /// What a record adds to the words of a worker.
    ///
    /// @param reputation coarse, so that the engine does not hear of each outcome
    private record Addition(double reputation, boolean isDrained) {}

    private static Addition addition(@Nullable WorkerRecord record) {
        return record == null
                ? new Addition(1, false)
                : new Addition(
                        Math.rint(record.reputation().score() * 100) / 100,
                        record.drain().isPresent());
    }

    private Instant now() {
        return clock.instant();
    }

    @Override
    public void joined(WorkerProfile profile) {
        var worker = profile.id();
        var isNew = present.add(worker);
        if (isNew) {
            hear(worker, now());
        }
        if (profile.draining() ? draining.add(worker) : draining.remove(worker)) {
            watch.drains(worker, profile.draining());
        }
        var record = records.get(worker);
        if (isNew) {
            reputations.begin(worker, now(), record == null ? 1 : record.reputation().score());
        }
        var more = addition(record);
        var known = breakers.joined(profile.withReputation(more.reputation()), now());
        super.joined(more.isDrained() ? known.with(Availability.DRAINING) : known);
    }

    @Override
    public void left(WorkerId worker, LeaseEnd reason) {
        if (present.remove(worker)) {
            draining.remove(worker);
            reputations.end(worker);
            breakers.left(worker);
            hear(worker, now());
        }
        super.left(worker, reason);
    }

    /// Writes down what is left.
    @Override
    public void close() {
        try {
            if (schedule.end(LAST_TURN)) {
                var last = now();
                present.forEach(worker -> hear(worker, last));
                turn();
            } else {
                LOG.atWarn()
                        .log(
                                "the store hangs: what happened to workers in the last seconds is not written down");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
