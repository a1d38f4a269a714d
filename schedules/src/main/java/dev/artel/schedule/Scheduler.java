package dev.artel.schedule;

import dev.artel.json.text.FairTurns;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduleRules;
import dev.artel.schedule.rules.ScheduleState;
import dev.artel.schedule.rules.ScheduledRun;
import dev.artel.schedule.rules.TooManyRuns;
import dev.artel.schedule.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs schedules: one thread that waits for the next tick, and a virtual thread for each schedule that is due, a few at once. None
/// waits for one of another client, however long that takes: the schedules of a client have half of what others leave, clients take turns, and
/// each turn ends soon. Safe for use by many threads; what a call has answered is durable, and a call waits at most for the turn of its own
/// schedule.
public final class Scheduler implements AutoCloseable {
    /// As many schedules at most.
    public static final int MOST = ScheduleRegister.MOST;

    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    /// The clock may be set, and the end of a job may go unnoticed.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final Duration SHORTEST_WAIT = Duration.ofMillis(5);
    private static final Duration POLL_OF_ENDS = Duration.ofSeconds(15);
    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(10);

    /// How many turns there are at once; those of one client alone are half of them.
    static final int AT_ONCE = 32;

    private final ScheduleRegister register;
    private final ScheduledJobs jobs;
    private final InstantSource clock;
    private final Map<String, Entry> entries = new ConcurrentSkipListMap<>();
    private final List<String> problems = new ArrayList<>();
    private final ReentrantLock naming = new ReentrantLock();
    private final LongAdder submitted = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder missed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final ExecutorService turns =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("artel-schedule-", 0).factory());
    private final FairTurns room = new FairTurns(AT_ONCE);
    private final AtomicReference<@Nullable Error> fatal = new AtomicReference<>();
    private volatile @Nullable Thread thread;
    private volatile Optional<Hold> hold = Optional.empty();
    private volatile boolean isClosed;

    /// Why no schedule runs by itself between two moments.
    private record Hold(Instant from, Instant until, String why) {
        boolean isInForce(Instant now) {
            return !now.isBefore(from) && now.isBefore(until);
        }
    }

    /// What is kept of one schedule, in memory.
    private static final class Entry {
        /// Fair, so that what a person asks for comes between two turns.
        final ReentrantLock lock = new ReentrantLock(true);

        /// Why its state cannot be read; then it is neither run nor kept.
        final Optional<String> unreadable;

        volatile ScheduleDefinition schedule;
        volatile ScheduleState state;
        volatile Optional<String> trouble = Optional.empty();

        /// When there is something to do.
        volatile Instant wake = Instant.MAX;

        /// Whether there is something to do at once.
        final AtomicBoolean isPoked = new AtomicBoolean(true);

        /// Whether a turn of it is under way.
        final AtomicBoolean isRunning = new AtomicBoolean();

        /// The jobs for whose ends runs wait.
        volatile Set<JobId> awaited = Set.of();

        Entry(ScheduleDefinition schedule, ScheduleState state, Optional<String> unreadable) {
            this.schedule = schedule;
            this.state = state;
            this.unreadable = unreadable;
        }

        boolean isDue(Instant now) {
            return !isRunning.get() && (isPoked.get() || !wake.isAfter(now));
        }
    }

    /// A schedule as it is now.
    ///
    /// @param trouble why nothing of it runs: its state cannot be read, or not be written now, or all are held; empty: nothing
    public record View(
            ScheduleDefinition schedule, ScheduleState state, Optional<String> trouble) {}

    /// What became of a schedule that was written.
    public sealed interface Written {
        /// It is in force.
        ///
        /// @param isNew whether there was none of its name
        /// @param isChanged whether it is another one than before
        record Kept(View view, boolean isNew, boolean isChanged) implements Written {}

        /// It is not; what was there before stays.
        record Refused(String reason) implements Written {}
    }

    private Scheduler(ScheduleRegister register, ScheduledJobs jobs, InstantSource clock) {
        this.register = register;
        this.jobs = jobs;
        this.clock = clock;
    }

    /// The schedules of `store`, which do not run yet.
    ///
    /// @throws StoreException if it cannot be read
    public static Scheduler open(KeyValueStore store, ScheduledJobs jobs, InstantSource clock) {
        var register = new ScheduleRegister(store);
        var scheduler = new Scheduler(register, jobs, clock);
        register.read(scheduler.problems::add)
                .forEach((name, kept) ->
                        scheduler.entries.put(
                                name,
                                new Entry(
                                        kept.schedule(),
                                        kept.unreadable()
                                                .map(why ->
                                                        ScheduleRules.pause(
                                                                kept.state(),
                                                                "the orchestrator",
                                                                Optional.of(why),
                                                                clock.instant()))
                                                .orElse(kept.state()),
                                        kept.unreadable())));
        return scheduler;
    }

    /// No schedule runs by itself for `time` from now on, except by [#runNow], and each shows why. To be called before [#start].
    public void hold(Duration time, String why) {
        var now = clock.instant();
        hold = Optional.of(new Hold(now, now.plus(time), why));
    }

    private Optional<Hold> heldAt(Instant now) {
        return hold.filter(it -> it.isInForce(now));
    }

    /// Lets them run.
    ///
    /// @param fatal receives an error that ended the thread
    public void start(Consumer<Throwable> fatal) {
        thread =
                Thread.ofPlatform()
                        .name("artel-schedules")
                        .daemon()
                        .uncaughtExceptionHandler((_, error) -> fatal.accept(error))
                        .start(this::loop);
    }

    /// What cannot be read of what is kept, for people.
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /// All schedules, by name.
    public List<View> all() {
        return entries.values().stream().map(this::view).toList();
    }

    /// The schedule `name`.
    public Optional<View> find(String name) {
        return Optional.ofNullable(entries.get(name)).map(this::view);
    }

    private View view(Entry entry) {
        return new View(entry.schedule, entry.state, trouble(entry));
    }

    private Optional<String> trouble(Entry entry) {
        return entry.unreadable
                .or(() -> entry.trouble)
                .or(() -> heldAt(clock.instant()).map(Hold::why));
    }

    /// Writes the schedule `name` down.
    ///
    /// @param wanted makes it of the one that is there, or throws
    /// @throws StoreException if it cannot be kept
    public Written write(
            String name, Function<Optional<ScheduleDefinition>, ScheduleDefinition> wanted) {
        while (true) {
            var written = replace(name, wanted).or(() -> addNew(name, wanted));
            if (written.isPresent()) {
                return written.get();
            }
        }
    }

    /// One schedule is added at a time: `wanted` and the limits see all that there are.
    ///
    /// @return empty: another thread has added it meanwhile
    private Optional<Written> addNew(
            String name, Function<Optional<ScheduleDefinition>, ScheduleDefinition> wanted) {
        naming.lock();
        try {
            return entries.containsKey(name)
                    ? Optional.empty()
                    : Optional.of(add(wanted.apply(Optional.empty())));
        } finally {
            naming.unlock();
        }
    }

    private Written add(ScheduleDefinition schedule) {
        if (entries.size() >= MOST) {
            return new Written.Refused(
                    "there are " + MOST + " schedules, which is the most; delete some");
        }
        var past = past(schedule);
        if (past.isPresent()) {
            return new Written.Refused(past.get());
        }
        register.write(schedule);
        var entry = new Entry(schedule, ScheduleState.initial(schedule), Optional.empty());
        entries.put(schedule.name(), entry);
        poke(entry);
        return new Written.Kept(view(entry), true, true);
    }

    /// Writes it in place of the one that is there.
    ///
    /// @return empty: there is none
    private Optional<Written> replace(
            String name, Function<Optional<ScheduleDefinition>, ScheduleDefinition> wanted) {
        return locked(name, entry -> replace(entry, wanted.apply(Optional.of(entry.schedule))));
    }

    private Written replace(Entry entry, ScheduleDefinition wanted) {
        var before = entry.schedule;
        var after = wanted.replacing(before);
        if (after.isLike(before)) {
            return new Written.Kept(view(entry), false, false);
        }
        var past = after.timing().equals(before.timing()) ? Optional.<String>empty() : past(after);
        if (past.isPresent()) {
            return new Written.Refused(past.get());
        }
        register.write(after);
        entry.schedule = after;
        poke(entry);
        return new Written.Kept(view(entry), false, true);
    }

    /// Does `act` with the schedule `name` between two turns of it.
    ///
    /// @return empty: there is none
    private <T> Optional<T> locked(String name, Function<Entry, T> act) {
        return Optional.ofNullable(entries.get(name))
                .flatMap(entry -> {
                    entry.lock.lock();
                    try {
                        return isDeleted(name, entry)
                                ? Optional.empty()
                                : Optional.of(act.apply(entry));
                    } finally {
                        entry.lock.unlock();
                    }
                });
    }

    private Optional<String> past(ScheduleDefinition schedule) {
        var now = clock.instant();
        return schedule.timing() instanceof Timing.Once(var at) && !at.isAfter(now)
                ? Optional.of("at must be in the future, was " + at + ", and it is " + now)
                : Optional.empty();
    }

    /// Deletes a schedule with all that is known of it. Its jobs go on.
    ///
    /// @return whether it was there
    /// @throws StoreException if the change cannot be kept
    public boolean delete(String name) {
        return locked(
                        name,
                        _ -> {
                            register.remove(name);
                            entries.remove(name);
                            return true;
                        })
                .orElse(false);
    }

    /// Changes the state of the schedule `name` by a rule that persons ask for.
    ///
    /// @return how it is then; empty: there is none
    /// @throws IllegalArgumentException if the rule refuses
    /// @throws StoreException if the change cannot be kept
    private Optional<View> change(String name, Function<Entry, UnaryOperator<ScheduleState>> rule) {
        return locked(
                name,
                entry -> {
                    checkReadable(entry);
                    keep(entry, rule.apply(entry).apply(entry.state));
                    poke(entry);
                    return view(entry);
                });
    }

    private static void checkReadable(Entry entry) {
        if (entry.unreadable.isPresent()) {
            throw new StoreException.StoreCorrupt(entry.unreadable.get(), null);
        }
    }

    /// Nothing of the schedule `name` runs from now on; see [ScheduleRules#pause].
    ///
    /// @return how it is then; empty: there is none
    public Optional<View> pause(String name, String by, Optional<String> reason) {
        return change(name, _ -> state -> ScheduleRules.pause(state, by, reason, clock.instant()));
    }

    /// The schedule `name` runs again.
    ///
    /// @return how it is then; empty: there is none
    public Optional<View> resume(String name) {
        return change(
                name,
                entry -> state -> ScheduleRules.resume(entry.schedule, state, clock.instant()));
    }

    /// Ticks of the past run; see [ScheduleRules#backfill].
    ///
    /// @return how it is then; empty: there is no such schedule
    /// @throws IllegalArgumentException if that cannot be
    public Optional<View> backfill(
            String name, Instant from, Instant until, boolean isTogether, String by) {
        return change(
                name,
                entry ->
                        state ->
                                ScheduleRules.backfill(
                                        entry.schedule,
                                        state,
                                        from,
                                        until,
                                        isTogether,
                                        by,
                                        clock.instant()));
    }

    /// A job of the schedule `name` runs at once.
    ///
    /// @param request the same again gives the same run, for as long as it is kept; empty: each is another one
    /// @return its run, whose job is submitted or refused; empty: there is no such schedule
    /// @throws TooManyRuns if as many runs that persons asked for wait as may
    /// @throws StoreException if it cannot be kept
    public Optional<ScheduledRun> runNow(String name, String by, Optional<String> request) {
        return locked(
                        name,
                        entry -> {
                            checkReadable(entry);
                            keep(
                                    entry,
                                    ScheduleRules.runNow(
                                            entry.state, by, request, clock.instant()));
                            var number =
                                    request.flatMap(entry.state::requested)
                                            .map(ScheduledRun::number)
                                            .orElse(entry.state.last());
                            // The next turn goes on, also where this throws.
                            poke(entry);
                            turnOf(entry).runOnly(number);
                            return entry.state.run(number);
                        })
                .flatMap(Function.identity());
    }

    private boolean isDeleted(String name, Entry entry) {
        return entries.get(name) != entry;
    }

    /// A job has ended: a run may have waited for that. Does not block.
    public void ended(JobId job) {
        for (var entry : entries.values()) {
            if (entry.awaited.contains(job)) {
                poke(entry);
            }
        }
    }

    private void poke(Entry entry) {
        entry.isPoked.set(true);
        var waiting = thread;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    private void loop() {
        while (!isClosed) {
            var now = clock.instant();
            var held = heldAt(now);
            if (held.isPresent()) {
                LockSupport.parkNanos(untilEnd(held.get(), now).toNanos());
                continue;
            }
            entries.values().stream().filter(entry -> entry.isDue(now)).forEach(this::begin);
            var error = fatal.get();
            if (error != null) {
                throw error;
            }
            var after = clock.instant();
            if (entries.values().stream().noneMatch(entry -> entry.isDue(after))) {
                // What pokes a schedule, and the end of each turn, ends the wait.
                LockSupport.parkNanos(untilNext(after).toNanos());
            }
        }
    }

    private static Duration untilEnd(Hold hold, Instant now) {
        var left = Duration.between(now, hold.until());
        return left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT;
    }

    private Duration untilNext(Instant now) {
        var latest = now.plus(LONGEST_WAIT);
        var earliest = now.plus(SHORTEST_WAIT);
        var next =
                entries.values().stream()
                        .filter(entry -> !entry.isRunning.get())
                        .map(entry -> entry.wake)
                        .filter(latest::isAfter)
                        .min(Comparator.naturalOrder())
                        .orElse(latest);
        return Duration.between(now, next.isBefore(earliest) ? earliest : next);
    }

    /// Of the loop alone, so that a schedule has one turn at a time.
    private void begin(Entry entry) {
        entry.isRunning.set(true);
        turns.execute(() -> {
            try (var _ = room.begin(entry.schedule.job().client())) {
                attempt(entry);
            } catch (Error error) {
                fatal.compareAndSet(null, error);
            } finally {
                entry.isRunning.set(false);
                LockSupport.unpark(thread);
            }
        });
    }

    /// What fails for one schedule is shown with it and tried again; the others go on.
    @SuppressWarnings("IllegalCatch")
    private void attempt(Entry entry) {
        entry.lock.lock();
        try {
            if (isClosed || isDeleted(entry.schedule.name(), entry)) {
                entry.isPoked.set(false);
                entry.wake = Instant.MAX;
                return;
            }
            turn(entry);
        } catch (RuntimeException failure) {
            if (entry.trouble.isEmpty()) {
                LOG.atWarn()
                        .addKeyValue("schedule", entry.schedule.name())
                        .setCause(failure)
                        .log("a schedule could not go on and is tried again");
            }
            entry.trouble = Optional.of(String.valueOf(failure.getMessage()));
            entry.isPoked.set(false);
            entry.wake = clock.instant().plus(AFTER_TROUBLE);
        } finally {
            entry.lock.unlock();
        }
    }

    private ScheduleTurn turnOf(Entry entry) {
        return new ScheduleTurn(
                entry.schedule,
                entry.state,
                jobs,
                clock,
                () -> isClosed,
                state -> keep(entry, state));
    }

    private void turn(Entry entry) {
        entry.isPoked.set(false);
        if (entry.unreadable.isPresent()) {
            entry.wake = Instant.MAX;
            return;
        }
        if (turnOf(entry).run()) {
            entry.isPoked.set(true);
        }
        entry.trouble = Optional.empty();
        var wake = ScheduleRules.wake(entry.schedule, entry.state).orElse(Instant.MAX);
        if (ScheduleRules.isWaitingForEnds(entry.state)) {
            entry.awaited = open(entry.state);
            // One that ended before it was awaited is noticed here, any other by its end.
            if (entry.awaited.stream().anyMatch(job -> jobs.end(job).isPresent())) {
                entry.isPoked.set(true);
            }
            var poll = clock.instant().plus(POLL_OF_ENDS);
            entry.wake = wake.isBefore(poll) ? wake : poll;
        } else {
            entry.awaited = Set.of();
            entry.wake = wake;
        }
    }

    private void count(ScheduleState before, ScheduleState after) {
        for (var run : after.runs()) {
            if (before.run(run.number()).filter(run::equals).isEmpty()) {
                switch (run.phase()) {
                    case ScheduledRun.Phase.Submitted _ -> submitted.increment();
                    case ScheduledRun.Phase.Skipped(var _, var ticks) ->
                            (run.kind() == ScheduledRun.Kind.CATCH_UP ? missed : skipped)
                                    .add(ticks);
                    case ScheduledRun.Phase.Refused _ -> refused.increment();
                    case ScheduledRun.Phase.Queued _,
                            ScheduledRun.Phase.Due _,
                            ScheduledRun.Phase.Ended _ -> {}
                }
            }
        }
    }

    /// How many jobs have been submitted since the start.
    public long submitted() {
        return submitted.sum();
    }

    /// How many ticks have been dropped since the start, those that were missed apart.
    public long skipped() {
        return skipped.sum();
    }

    /// How many ticks that were missed, mostly since the orchestrator was down, have been dropped since the start.
    public long missed() {
        return missed.sum();
    }

    /// How many submissions have been given up since the start.
    public long refused() {
        return refused.sum();
    }

    /// How many schedules there are, those that are paused or those that are not.
    public long size(boolean isPaused) {
        return entries.values().stream()
                .filter(entry -> entry.state.paused().isPresent() == isPaused)
                .count();
    }

    /// How many schedules do not run since their state cannot be read, or not be written now, or all are held.
    public long troubled() {
        return entries.values().stream().filter(entry -> trouble(entry).isPresent()).count();
    }

    /// How long that has been due which is late most: the decision about a tick, or the job of a run. Zero: nothing is late.
    public Duration latest() {
        var now = clock.instant();
        return entries.values().stream()
                .flatMap(entry -> ScheduleRules.dueSince(entry.schedule, entry.state, now).stream())
                .min(Comparator.naturalOrder())
                .map(since -> Duration.between(since, now))
                .orElse(Duration.ZERO);
    }

    private static Set<JobId> open(ScheduleState state) {
        return state.runs().stream()
                .flatMap(run ->
                        run.phase() instanceof ScheduledRun.Phase.Submitted(var job)
                                ? Stream.of(job)
                                : Stream.empty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private void keep(Entry entry, ScheduleState state) {
        if (!state.equals(entry.state)) {
            register.write(entry.schedule.name(), state);
            count(entry.state, state);
            entry.state = state;
        }
    }

    /// Lets submissions that are under way end; nothing begins any more.
    @Override
    public void close() {
        isClosed = true;
        var waiting = thread;
        try {
            var end = System.nanoTime() + END.toNanos();
            if (waiting != null) {
                LockSupport.unpark(waiting);
                var _ = waiting.join(END);
            }
            turns.shutdown();
            if (!turns.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                LOG.atWarn().log("a schedule is still submitting a job while its store closes");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
