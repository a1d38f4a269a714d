package dev.artel.server.api.dashboard;

import dev.artel.engine.shell.JobObserver;
import dev.artel.engine.shell.PersonNeed;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StreamId;
import dev.artel.server.api.figures.Metrics;
import dev.artel.server.api.http.Page;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All for which open jobs wait and that people bring about, in memory, up to [#MOST]: what happens to jobs keeps it up to date,
/// so that no reader has to look for it. Safe for use by many threads.
public final class OpenNeeds implements JobObserver, Metrics.OpenNeedCounts {
    /// So many are known; of further ones nothing, until others are gone and something happens to their jobs.
    public static final int MOST = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(OpenNeeds.class);

    private final EventStore store;
    private final InstantSource clock;
    private final Map<JobId, Map<PersonNeed, Open>> byJob = new ConcurrentHashMap<>();
    private final NavigableSet<Open> inOrder = new ConcurrentSkipListSet<>();
    private final Map<PersonNeed.Kind, AtomicInteger> counts = new EnumMap<>(PersonNeed.Kind.class);

    /// Those from before the start, whose beginning is still to be looked up.
    private final Queue<PersonNeed> undated = new ConcurrentLinkedQueue<>();

    /// A need.
    ///
    /// @param since when its job began to wait
    record Open(Instant since, PersonNeed what) implements Comparable<Open> {
        private static final Comparator<Open> ORDER =
                Comparator.comparing(Open::since)
                        .thenComparing(open -> open.what().job())
                        .thenComparing(open -> open.what().kind().word())
                        .thenComparingLong(open -> open.what().number());

        /// To the millisecond, as places in the list are.
        Open {
            since = since.truncatedTo(ChronoUnit.MILLIS);
        }

        /// Its place in the list.
        String key() {
            return Page.key(since.toEpochMilli())
                    + " "
                    + what.job()
                    + " "
                    + what.kind().word()
                    + " "
                    + Page.key(what.number());
        }

        @Override
        public int compareTo(Open other) {
            return ORDER.compare(this, other);
        }
    }

    /// None is known yet.
    public OpenNeeds(EventStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        for (var kind : PersonNeed.Kind.values()) {
            counts.put(kind, new AtomicInteger());
        }
    }

    @Override
    public void neededBefore(PersonNeed need) {
        var open = new Open(clock.instant(), need);
        byJob.compute(
                need.job(),
                (_, before) -> {
                    var all = copied(before);
                    if (add(open)) {
                        all.put(need, open);
                        undated.add(need);
                    }
                    return all.isEmpty() ? null : all;
                });
    }

    /// Looks up since when those have waited that did before the start; to be called once.
    public void lookUpDates() {
        for (var need = undated.poll(); need != null; need = undated.poll()) {
            try {
                date(need);
            } catch (StoreException unreadable) {
                LOG.atDebug()
                        .addKeyValue("job", need.job())
                        .setCause(unreadable)
                        .log(
                                "it is not known since when a job waits; it is listed from the start on");
            } catch (RuntimeException bug) {
                // The others get their dates all the same.
                LOG.atError()
                        .addKeyValue("job", need.job())
                        .setCause(bug)
                        .log("it was not found out since when a job waits");
            }
        }
    }

    private void date(PersonNeed need) {
        var stored = store.read(StreamId.of(need.job()), need.number() - 1, 1);
        if (stored.isEmpty()) {
            return;
        }
        var append = stored.getFirst();
        var place = (int) (need.number() - append.version());
        var since = append.events().get(place).at();
        byJob.computeIfPresent(
                need.job(),
                (_, before) -> {
                    var open = before.get(need);
                    if (open == null) {
                        return before;
                    }
                    var all = copied(before);
                    var dated = new Open(since, need);
                    inOrder.remove(open);
                    inOrder.add(dated);
                    all.put(need, dated);
                    return all;
                });
    }

    private static Map<PersonNeed, Open> copied(@Nullable Map<PersonNeed, Open> before) {
        return before == null ? new LinkedHashMap<>() : new LinkedHashMap<>(before);
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        var known = byJob.get(job.id());
        if (known == null ? begins(events) : concerns(known, events)) {
            byJob.compute(job.id(), (_, before) -> current(job, events, copied(before)));
        }
    }

    private static boolean begins(List<JobEvent> events) {
        for (var event : events) {
            if (begins(event)) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(JobEvent event) {
        return event instanceof JobEvent.JobQuarantined
                || event instanceof JobEvent.ApprovalRequested
                || event instanceof JobEvent.QuestionAsked
                || event instanceof JobEvent.OutcomeUnknown
                || event instanceof JobEvent.BudgetExhausted;
    }

    /// What happens to one task says nothing about what others wait for.
    private static boolean concerns(Map<PersonNeed, Open> known, List<JobEvent> events) {
        return events.stream()
                .anyMatch(event ->
                        !(event instanceof JobEvent.AttemptEvent attempt)
                                || begins(event)
                                || known.keySet().stream()
                                        .anyMatch(need -> need.task() == attempt.task()));
    }

    /// @return null: the job waits for no person any more
    private @Nullable Map<PersonNeed, Open> current(
            Job job, List<JobEvent> events, Map<PersonNeed, Open> before) {
        var all = new LinkedHashMap<PersonNeed, Open>();
        for (var need : PersonNeed.of(job)) {
            var known = before.remove(need);
            var open = known == null ? new Open(since(need, job, events), need) : known;
            if (known != null || add(open)) {
                all.put(need, open);
            }
        }
        before.values().forEach(this::remove);
        return all.isEmpty() ? null : all;
    }

    private static Instant since(PersonNeed need, Job job, List<JobEvent> events) {
        var place = need.number() - (job.version() - events.size()) - 1;
        return place >= 0 && place < events.size()
                ? events.get((int) place).at()
                : events.getLast().at();
    }

    private boolean add(Open open) {
        if (total() >= MOST || !inOrder.add(open)) {
            return false;
        }
        of(open.what().kind()).incrementAndGet();
        return true;
    }

    private void remove(Open open) {
        if (inOrder.remove(open)) {
            of(open.what().kind()).decrementAndGet();
        }
    }

    private AtomicInteger of(PersonNeed.Kind kind) {
        return Objects.requireNonNull(counts.get(kind));
    }

    private int total() {
        return counts.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    @Override
    public List<String> words() {
        return Stream.of(PersonNeed.Kind.values()).map(PersonNeed.Kind::word).toList();
    }

    @Override
    public int count(String word) {
        return Stream.of(PersonNeed.Kind.values())
                .filter(kind -> kind.word().equals(word))
                .mapToInt(this::count)
                .sum();
    }

    /// How many there are of a kind.
    public int count(PersonNeed.Kind kind) {
        return of(kind).get();
    }

    /// Those that are known, the oldest first.
    ///
    /// @param since the first that began then or later
    Iterator<Open> from(Instant since) {
        return inOrder.tailSet(
                        new Open(
                                since,
                                new PersonNeed(
                                        new JobId("0"), PersonNeed.Kind.APPROVAL, 0, -1, "", "")))
                .iterator();
    }
}
