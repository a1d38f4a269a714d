package dev.artel.simulation.disk;

import dev.artel.engine.core.PendingAppend;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.task.JobData;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;

/// A disk and its writer: what waits is committed together, and is durable or lost as the world wants it.
public final class SimulatedStore {
    private static final long FULL_PAUSE = 500;
    private static final long BUSY_PAUSE = 2_000;

    private final World world;
    private final Ledger ledger;
    private final Copying copying;
    private final Runnable kill;
    private final Map<JobId, Stream> streams = new HashMap<>();
    private final SequencedMap<JobId, KeptFold> folds = new LinkedHashMap<>();
    private List<Entry> waiting = new ArrayList<>();
    private List<Entry> unsynced = new ArrayList<>();
    private boolean committing;
    private long life;
    private long fullUntil;
    private boolean full;
    private long appends;
    private long killAt;
    private boolean killAfterwards;
    private Consumer<Append> witness = _ -> {};

    /// @param kill ends the process that writes
    public SimulatedStore(World world, Ledger ledger, Copying copying, Runnable kill) {
        this.world = world;
        this.ledger = ledger;
        this.copying = copying;
        this.kill = kill;
    }

    /// The fold of a job that is kept. It is written and read back when it is read first: most are replaced before that.
    private static final class KeptFold {
        private Job job;
        private boolean isCopied;

        KeptFold(Job job) {
            this.job = job;
        }

        Job read(Copying copying) {
            if (!isCopied) {
                job = copying.fold(job);
                isCopied = true;
            }
            return job;
        }
    }

    /// The events of a job as they were read back from their bytes. What was read once is folded once; the ledger folds
    /// all of it from its beginning at the end.
    private static final class Stream {
        private JobState folded;
        private final List<JobEvent> unfolded = new ArrayList<>();

        Stream(JobId job) {
            folded = new JobState.Unsubmitted(job);
        }

        long version() {
            return folded.version() + unfolded.size();
        }

        JobState read() {
            if (!unfolded.isEmpty()) {
                folded = Jobs.evolve(folded, unfolded).after();
                unfolded.clear();
            }
            return folded;
        }
    }

    /// What became of an append; empty if it is durable, else what its writer knows.
    private record Entry(JobId job, PendingAppend pending, Consumer<Optional<String>> onDone) {
        Append append() {
            return pending.append();
        }
    }

    // Writing

    public void write(JobId job, Append append, Consumer<Optional<String>> onDone) {
        waiting.add(new Entry(job, new PendingAppend(append), onDone));
        commitSoon(world.chance(0.2) ? world.between(1, 20) : 1);
    }

    private void commitSoon(long delay) {
        if (!committing) {
            committing = true;
            var born = life;
            world.loop()
                    .after(
                            delay,
                            () -> {
                                if (born == life) {
                                    committing = false;
                                    commit();
                                }
                            });
        }
    }

    private void commit() {
        var batch = waiting;
        waiting = new ArrayList<>();
        if (isFull()) {
            refuse(batch);
        } else if (world.strikes(Trait.STORE_BUSY, 0.05)) {
            repeat(batch);
        } else if (world.strikes(Trait.APPENDS_FAIL, 0.02)) {
            complete(batch, Optional.of("the disk failed"));
        } else if (world.strikes(Trait.APPENDS_UNKNOWN, 0.02)) {
            batch.forEach(this::store);
            complete(batch, Optional.of("the disk did not answer"));
        } else if (world.strikes(Trait.BATCHES_TORN, 0.02)) {
            var kept = world.random().nextInt(batch.size() + 1);
            batch.subList(0, kept).forEach(this::store);
            complete(batch, Optional.of("the batch was torn"));
        } else if (world.has(Mutant.ACKNOWLEDGED_BEFORE_SYNC)) {
            unsynced.addAll(batch);
            complete(batch, Optional.empty());
            syncLater();
        } else {
            full = false;
            batch.stream().takeWhile(this::survives).forEach(_ -> {});
        }
        if (!waiting.isEmpty()) {
            commitSoon(1);
        }
    }

    /// Makes an append durable and reports it, unless the process ends before or in between.
    private boolean survives(Entry entry) {
        if (!killAfterwards && appends + 1 == killAt) {
            killAt = 0;
            kill.run();
            return false;
        }
        var trouble = store(entry);
        if (killAfterwards && appends == killAt && trouble.isEmpty()) {
            killAt = 0;
            kill.run();
            return false;
        }
        complete(List.of(entry), trouble);
        return true;
    }

    /// The process that writes ends at that append, from 1: before it is durable, or afterwards, when nobody knows yet.
    public void killAt(long append, boolean afterwards) {
        killAt = append;
        killAfterwards = afterwards;
    }

    /// Notifies `whom` of each append that becomes durable.
    public void watch(Consumer<Append> whom) {
        witness = whom;
    }

    private void syncLater() {
        var born = life;
        world.loop()
                .after(
                        world.between(1, 50),
                        () -> {
                            if (born == life) {
                                var synced = unsynced;
                                unsynced = new ArrayList<>();
                                synced.forEach(this::store);
                            }
                        });
    }

    /// Nobody knows how many of them got through: all are written again.
    private void repeat(List<Entry> batch) {
        batch.subList(0, world.random().nextInt(batch.size() + 1)).forEach(this::store);
        if (world.has(Mutant.HANDLERS_REPEATED_FOR_BUSY_STORE)) {
            complete(batch, Optional.of("the store is busy"));
            return;
        }
        batch.forEach(entry -> entry.pending().unknown());
        waiting.addAll(0, batch);
        commitSoon(world.between(1, BUSY_PAUSE));
    }

    /// New jobs are refused; the others wait.
    private void refuse(List<Entry> batch) {
        full = true;
        for (var entry : batch) {
            if (entry.append().expected() == 0) {
                entry.onDone().accept(Optional.of("the store has no room"));
            } else {
                waiting.add(entry);
            }
        }
        if (!waiting.isEmpty()) {
            commitSoon(FULL_PAUSE);
        }
    }

    private static void complete(List<Entry> entries, Optional<String> trouble) {
        entries.forEach(entry -> entry.onDone().accept(trouble));
    }

    private Optional<String> store(Entry entry) {
        var append = entry.append();
        var stream = streams.computeIfAbsent(entry.job(), Stream::new);
        var version = stream.version();
        if (version != append.expected() && !world.has(Mutant.REPEATED_APPEND_WRITTEN_TWICE)) {
            return conflict(entry, version);
        }
        var events = copying.events(append.events());
        if (!events.equals(append.events())) {
            throw world.failure("the codec made " + events + " of " + append.events());
        }
        world.note("store", append);
        witness.accept(append);
        appends++;
        ledger.durable(entry.job(), version, events, append.row());
        stream.unfolded.addAll(events);
        return Optional.empty();
    }

    /// Empty if it is with an earlier attempt to write the same.
    private Optional<String> conflict(Entry entry, long version) {
        var outcome =
                entry.pending()
                        .answered(new AppendResult.VersionConflict(version))
                        .orElseGet(() -> entry.pending().compare(all(entry.job())));
        return switch (outcome) {
            case PendingAppend.Outcome.Durable _ -> Optional.empty();
            case PendingAppend.Outcome.Failed(var detail) -> Optional.of(detail);
            case PendingAppend.Outcome.Refused(var detail) -> Optional.of(detail);
        };
    }

    private List<StoredEvents> all(JobId job) {
        return List.of(new StoredEvents(1, 1, ledger.eventsOf(job)));
    }

    /// Writes past all rules.
    public void force(JobId job, List<JobEvent> events, Append like) {
        store(
                new Entry(
                        job,
                        new PendingAppend(
                                new Append(like.stream(), versionOf(job), events, like.row())),
                        _ -> {}));
    }

    private long versionOf(JobId job) {
        var stream = streams.get(job);
        return stream == null ? 0 : stream.version();
    }

    // Faults

    /// The writer dies with its process: of what it had in hand, the first entries are durable.
    public void crash() {
        life++;
        committing = false;
        var lost = waiting;
        waiting = new ArrayList<>();
        unsynced = new ArrayList<>();
        if (!lost.isEmpty()) {
            lost.subList(0, world.random().nextInt(lost.size() + 1)).forEach(this::store);
        }
    }

    public void fillUp(long millis) {
        fullUntil = world.loop().now() + millis;
    }

    private boolean isFull() {
        return !world.isCalm() && world.loop().now() < fullUntil;
    }

    /// Whether the last attempt to write found no room, as an engine knows it.
    public boolean wasFull() {
        return full && world.chance(0.9);
    }

    // Reading

    /// The fold of what is durable.
    ///
    /// @throws StoreException if the disk fails
    public JobState read(JobId job) {
        if (world.strikes(Trait.LOADS_FAIL, 0.1)) {
            throw new StoreException.StoreUnavailable("the disk did not answer", null);
        }
        var stream = streams.get(job);
        var state = stream == null ? new JobState.Unsubmitted(job) : stream.read();
        var kept = folds.get(job);
        if (kept != null) {
            requireSame(state, replayed(kept.read(copying)));
        }
        return state;
    }

    /// Keeps a fold, or does not get to it.
    public void keep(Job job) {
        if (world.chance(0.9)) {
            var key =
                    world.has(Mutant.KEPT_FOLD_MIXED_UP) && !folds.isEmpty()
                            ? world.pick(List.copyOf(folds.keySet()))
                            : job.id();
            folds.put(
                    key,
                    new KeptFold(
                            world.has(Mutant.KEPT_FOLD_WITHOUT_DATA) ? withoutData(job) : job));
        }
    }

    private static Job withoutData(Job job) {
        return new Job(
                job.id(),
                job.version(),
                job.spec(),
                job.submitted(),
                job.phase(),
                JobData.EMPTY,
                job.branches(),
                job.tasks(),
                job.signals(),
                job.approvals(),
                job.recordedResult(),
                job.deadline(),
                job.leased(),
                job.lingering(),
                job.entered(),
                job.guardBaseline(),
                job.children(),
                job.compensationLog(),
                job.webhookEvents(),
                job.pause(),
                job.questions(),
                job.budget());
    }

    /// Up to which version a fold of a job is kept; 0: none is.
    public long kept(JobId job) {
        var fold = folds.get(job);
        return fold == null ? 0 : fold.job.version();
    }

    private JobState replayed(Job kept) {
        var events = ledger.eventsOf(kept.id());
        var folded = (int) kept.version();
        if (world.has(Mutant.KEPT_FOLD_STALE)) {
            folded = Math.min(events.size(), folded + 1);
        }
        return Jobs.evolve(kept, events.subList(folded, events.size())).after();
    }

    private void requireSame(JobState events, JobState fold) {
        if (!events.equals(fold) || !Jobs.pending(events).equals(Jobs.pending(fold))) {
            throw world.failure(
                    "the kept fold makes of job "
                            + events.id()
                            + " what its events do not: "
                            + fold
                            + ", by its events: "
                            + events);
        }
    }

    public Copying copying() {
        return copying;
    }

    public long appends() {
        return appends;
    }
}
