package dev.artel.engine.shell;

import dev.artel.engine.core.CoordinatorView;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.watch.Stall;
import dev.artel.engine.core.watch.StallDetector;
import dev.artel.engine.core.watch.StallSnapshot;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Goes round all open jobs, a few at a time, and asks whether what each waits for is there: durably, by the store; with
/// its holder, by asking it. No part is held up: each question is one message among others.
final class StallScanner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StallScanner.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST_SIGNALS = 1_000;

    /// No pause between two signs of life that is shorter counts as a standstill.
    private static final Duration SHORTEST_STANDSTILL = Duration.ofSeconds(1);

    /// Where there are few jobs, each is looked at once in so many looks.
    private static final int ROUND = 10;

    /// One part in so many of the time is spent on looking: jobs with a long history take long to read.
    private static final int PARTS = 20;

    private final StallSettings settings;
    private final StallDetector watch;
    private final EventStore store;
    private final Holders holders;
    private final InstantSource clock;
    private final BlockingQueue<Acknowledged> signals = new ArrayBlockingQueue<>(MOST_SIGNALS);
    private final Schedule schedule = new Schedule("artel-patrol");
    private long place;
    private long restUntil = System.nanoTime();
    private Map<JobId, List<LeaseToken>> slots = Map.of();
    private Map<LeaseToken, Instant> overdue = Map.of();
    private final SequencedMap<JobId, LinkedHashSet<String>> acknowledged = new LinkedHashMap<>();
    private volatile List<Stall> stalls = List.of();

    private record Acknowledged(JobId job, String signal) {}

    /// Who holds what jobs ask for.
    record Holders(
            Function<JobId, Partition> partitions,
            CoordinatorShell coordinator,
            StepRunner steps,
            ChildRelay children,
            WebhookRelay webhooks,
            MissingDefinitions missing,
            Function<JobId, Optional<Job>> jobs,
            BooleanSupplier isFull) {}

    StallScanner(StallSettings settings, EventStore store, Holders holders, InstantSource clock) {
        this.settings = settings;
        this.store = store;
        this.holders = holders;
        this.clock = clock;
        watch = new StallDetector(settings.grace(), longestPause(settings.pause()));
    }

    void start() {
        schedule.repeat(settings.pause(), this::round);
    }

    /// A signal was acknowledged: the job must know it.
    void acknowledged(JobId job, String signal) {
        var _ = signals.offer(new Acknowledged(job, signal)); // a sample is enough
    }

    /// What is found, the oldest first.
    List<Stall> stalls() {
        return stalls;
    }

    private static Duration longestPause(Duration pause) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(SHORTEST_STANDSTILL) < 0 ? SHORTEST_STANDSTILL : twice;
    }

    private void round() {
        var begun = System.nanoTime();
        watch.runs(steady());
        if (begun - restUntil < 0 && signals.isEmpty()) {
            return;
        }
        try {
            if (holders.isFull().getAsBoolean()) {
                return; // everything waits for room
            }
            var again = watch.doubtful();
            var page = store.open(place, settings.jobs());
            if (place == 0 || !again.isEmpty()) {
                slots = occupied();
            }
            place = page.next().orElse(0);
            var jobs = new LinkedHashSet<JobId>(again.stream().limit(settings.jobs()).toList());
            jobs.addAll(page.jobs());
            takeSignals(jobs);
            if (page.next().isEmpty()) {
                // Slots may also be taken up for jobs that are closed.
                jobs.addAll(slots.keySet());
            }
            for (var job : jobs) {
                look(job);
            }
            stalls = watch.stalls();
            var pauses = page.next().isEmpty() ? ROUND : 1;
            var took = System.nanoTime() - begun;
            restUntil = begun + Math.max(pauses * settings.pause().toNanos() - took, PARTS * took);
        } catch (StoreException unreadable) {
            LOG.atDebug().setCause(unreadable).log("the detection of stuck jobs cannot run now");
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("the detection of stuck jobs failed; it continues");
        }
    }

    private void takeSignals(Set<JobId> jobs) {
        for (var next = signals.poll(); next != null; next = signals.poll()) {
            acknowledged.computeIfAbsent(next.job(), _ -> new LinkedHashSet<>()).add(next.signal());
            jobs.add(next.job());
        }
    }

    private Map<JobId, List<LeaseToken>> occupied() {
        var now = clock.instant();
        var view = holders.coordinator().look(TIMEOUT);
        overdue =
                view.map(seen ->
                                seen.expiries().entrySet().stream()
                                        .filter(lease -> lease.getValue().isBefore(now))
                                        .collect(
                                                Collectors.toMap(
                                                        Map.Entry::getKey, Map.Entry::getValue)))
                        .orElse(Map.of());
        return view.map(StallScanner::byJob).orElse(Map.of());
    }

    private static Map<JobId, List<LeaseToken>> byJob(CoordinatorView view) {
        var all = new LinkedHashSet<>(view.leases());
        view.slots().values().forEach(all::addAll);
        return all.stream()
                .filter(token -> token.address().isPresent())
                .collect(Collectors.groupingBy(token -> token.address().orElseThrow().job()));
    }

    private void look(JobId id) {
        var seen = holders.partitions().apply(id).look(id, TIMEOUT);
        if (seen.isEmpty()) {
            return; // too busy to answer; there is another round
        }
        var durable = find(id);
        var pending = durable.map(Jobs::pending).orElse(List.of());
        var unheld = unheld(id, pending);
        if (unheld.isEmpty()) {
            return;
        }
        var known = acknowledged.getOrDefault(id, new LinkedHashSet<>());
        var held = slots.getOrDefault(id, List.of());
        var over = new LinkedHashMap<LeaseToken, Instant>();
        held.stream()
                .filter(overdue::containsKey)
                .forEach(token -> over.put(token, overdue.getOrDefault(token, Instant.MAX)));
        var stallSnapshot =
                new StallSnapshot(
                        id,
                        durable,
                        durable.isPresent() ? seen.get().version() : OptionalLong.empty(),
                        seen.get().isBusy(),
                        unheld.get(),
                        lost(id, pending),
                        held,
                        over,
                        durable.flatMap(job -> job.spec().parentLink())
                                .flatMap(parentLink -> find(parentLink.parent())),
                        List.copyOf(known),
                        clock.instant());
        watch.runs(steady());
        for (var stall : watch.see(stallSnapshot)) {
            report(stall);
        }
        known.removeIf(signal ->
                durable.map(job -> job.isFinal() || job.signals().known().containsKey(signal))
                        .orElse(true));
        if (known.isEmpty()) {
            acknowledged.remove(id);
        }
    }

    private void report(Stall stall) {
        LOG.atError()
                .addKeyValue("job", stall.job())
                .addKeyValue("about", stall.key())
                .addKeyValue("expected", stall.expected())
                .addKeyValue("found", stall.found())
                .addKeyValue("advice", stall.advice())
                .log("a job is stuck");
        if (settings.repeats() && stall.key().startsWith("effect")) {
            holders.partitions().apply(stall.job()).put(new JobsInput.Repeat(stall.job()));
        }
    }

    private Optional<Job> find(JobId id) {
        return holders.jobs().apply(id);
    }

    /// Those that no holder has; empty if that cannot be found out now.
    private Optional<List<Effect>> unheld(JobId job, List<Effect> pending) {
        var found = new ArrayList<Effect>();
        var indexed = new ArrayList<Effect.Indexed>();
        for (var effect : pending) {
            var isHeld =
                    switch (effect) {
                        case Effect.RunStep step ->
                                holders.steps().isRunning(job, step.id())
                                        || find(job)
                                                .filter(it -> holders.steps().holds(it, step))
                                                .isPresent()
                                        || holders.missing().holds(job, step.id());
                        case Effect.AwaitChild _ -> true; // see [#lost]
                        case Effect.CrossJob command ->
                                holders.children().isUnderWay(job, command.id());
                        case Effect.CallWebhook call -> holders.webhooks().holds(job, call.id());
                        case Effect.Indexed entry ->
                                indexed.add(entry); // the coordinator is asked below
                        case Effect.Outside _ -> true;
                    };
            if (!isHeld) {
                found.add(effect);
            }
        }
        if (indexed.isEmpty()) {
            return Optional.of(found);
        }
        return holders.coordinator()
                .missing(job, indexed, TIMEOUT)
                .map(missing -> {
                    found.addAll(missing);
                    return found;
                });
    }

    private SequencedMap<EffectId, String> lost(JobId parent, List<Effect> pending) {
        var lost = new LinkedHashMap<EffectId, String>();
        for (var effect : pending) {
            if (effect instanceof Effect.AwaitChild await) {
                why(parent, await).ifPresent(why -> lost.put(await.id(), why));
            }
        }
        return lost;
    }

    private Optional<String> why(JobId parent, Effect.AwaitChild await) {
        var row = store.find(await.job());
        if (row.isEmpty()) {
            return Optional.of("job " + await.job() + " is not there");
        }
        if (!row.get().closed()) {
            return Optional.empty();
        }
        return Optional.of(
                "job " + await.job() + " is over, and job " + parent + " was never notified");
    }

    private static Instant steady() {
        return Instant.EPOCH.plusNanos(System.nanoTime());
    }

    @Override
    public void close() {
        schedule.close();
    }
}
