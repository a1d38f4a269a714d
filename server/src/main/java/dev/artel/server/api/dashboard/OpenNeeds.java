package dev.artel.server.api.dashboard;

import dev.artel.engine.shell.JobObserver;
import dev.artel.engine.shell.PersonNeed;
import dev.artel.json.text.FairShares;
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
import java.util.EnumSet;
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
/// so that no reader has to look for it. A client has half of what others leave, so that no number of its needs hides those of others. Safe for
/// use by many threads.
public final class OpenNeeds implements JobObserver, Metrics.OpenNeedCounts {
    /// So many are known, of one client half of what others leave; of further ones nothing, until others of the client are gone and something
    /// happens to their tasks or jobs.
    public static final int MOST = 200_000;

    private static final Logger LOG = LoggerFactory.getLogger(OpenNeeds.class);

    private final EventStore store;
    private final InstantSource clock;
    private final Map<JobId, Known> byJob = new ConcurrentHashMap<>();
    private final NavigableSet<Open> inOrder = new ConcurrentSkipListSet<>();
    private final Map<PersonNeed.Kind, AtomicInteger> counts = new EnumMap<>(PersonNeed.Kind.class);

    /// How many are known of each client; also its lock.
    private final FairShares shares;

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
        this(store, clock, MOST);
    }

    /// @param most how many are known
    OpenNeeds(EventStore store, InstantSource clock, int most) {
        shares = new FairShares(most);
        this.store = store;
        this.clock = clock;
        for (var kind : PersonNeed.Kind.values()) {
            counts.put(kind, new AtomicInteger());
        }
    }

    /// What is known of a job. It is looked at and changed while its entry is computed, by one thread at a time.
    private static final class Known {
        /// Those that are of no task.
        final Map<PersonNeed, Open> apart = new LinkedHashMap<>(2);

        /// By task; a task has one at most.
        final Map<Integer, Open> ofTasks = new LinkedHashMap<>(2);

        @Nullable Open find(PersonNeed need) {
            if (need.task() < 0) {
                return apart.get(need);
            }
            var open = ofTasks.get(need.task());
            return open != null && open.what().equals(need) ? open : null;
        }

        void put(Open open) {
            if (open.what().task() < 0) {
                apart.put(open.what(), open);
            } else {
                ofTasks.put(open.what().task(), open);
            }
        }

        /// Null if it is empty.
        @Nullable Known unlessEmpty() {
            return apart.isEmpty() && ofTasks.isEmpty() ? null : this;
        }
    }

    /// What of a job may begin or end to wait for a person with an event.
    private enum Scope {
        /// What is of the task of the event.
        TASK,
        /// What is of no task.
        APART,
        ALL
    }

    @Override
    public void neededBefore(PersonNeed need) {
        var open = new Open(clock.instant(), need);
        byJob.compute(
                need.job(),
                (_, before) -> {
                    var known = before == null ? new Known() : before;
                    if (add(open)) {
                        known.put(open);
                        undated.add(need);
                    }
                    return known.unlessEmpty();
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
                (_, known) -> {
                    var open = known.find(need);
                    if (open != null) {
                        var dated = new Open(since, need);
                        inOrder.remove(open);
                        inOrder.add(dated);
                        known.put(dated);
                    }
                    return known;
                });
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        if (byJob.containsKey(job.id()) || begins(events)) {
            byJob.compute(
                    job.id(),
                    (_, before) -> {
                        var known = before == null ? new Known() : before;
                        update(known, job, events);
                        return known.unlessEmpty();
                    });
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

    /// Looks at what the events concern, and no more: a job of many tasks has many.
    private void update(Known known, Job job, List<JobEvent> events) {
        var scopes = EnumSet.noneOf(Scope.class);
        events.forEach(event -> scopes.add(scope(event)));
        if (scopes.contains(Scope.ALL)) {
            for (var task : List.copyOf(known.ofTasks.keySet())) {
                updateTask(known, job, task, events);
            }
            for (var need : PersonNeed.of(job)) {
                if (need.task() >= 0) {
                    updateTask(known, job, need.task(), events);
                }
            }
        } else if (scopes.contains(Scope.TASK)) {
            for (var event : events) {
                if (event instanceof JobEvent.AttemptEvent attempt) {
                    updateTask(known, job, attempt.task(), events);
                }
            }
        }
        if (scopes.contains(Scope.ALL) || scopes.contains(Scope.APART)) {
            updateApart(known, job, events);
        }
    }

    private static Scope scope(JobEvent event) {
        return switch (event) {
            case JobEvent.AttemptEvent _ -> Scope.TASK;
            case JobEvent.TasksWithdrawn _,
                    JobEvent.BranchesStopped _,
                    JobEvent.ChildrenWithdrawn _,
                    JobEvent.CompensationStarted _,
                    JobEvent.CompensationCompleted _,
                    JobEvent.CancelRequested _,
                    JobEvent.CancelHandled _,
                    JobEvent.JobQuarantined _,
                    JobEvent.QuarantineResolved _,
                    JobEvent.JobRewound _,
                    JobEvent.JobContinued _,
                    JobEvent.DefinitionReplaced _,
                    JobEvent.JobEnded _ ->
                    Scope.ALL;
            case JobEvent.JobSubmitted _,
                    JobEvent.StateEntered _,
                    JobEvent.StepDone _,
                    JobEvent.StepFailed _,
                    JobEvent.StepRetried _,
                    JobEvent.TaskOpened _,
                    JobEvent.TasksOpened _,
                    JobEvent.TaskReused _,
                    JobEvent.TasksAdmitted _,
                    JobEvent.BudgetWarned _,
                    JobEvent.BudgetExhausted _,
                    JobEvent.BudgetExtended _,
                    JobEvent.Forked _,
                    JobEvent.BranchEnded _,
                    JobEvent.WaitBegun _,
                    JobEvent.SignalAwaited _,
                    JobEvent.SignalReceived _,
                    JobEvent.ApprovalRequested _,
                    JobEvent.ApprovalDecided _,
                    JobEvent.ChildRequested _,
                    JobEvent.ChildrenRequested _,
                    JobEvent.ChildStarted _,
                    JobEvent.ChildRefused _,
                    JobEvent.ChildEnded _,
                    JobEvent.ChildStopped _,
                    JobEvent.ParentNotified _,
                    JobEvent.WebhookDelivered _,
                    JobEvent.WebhookGivenUp _,
                    JobEvent.CompensationRegistered _,
                    JobEvent.JobChanged _,
                    JobEvent.JobPaused _,
                    JobEvent.JobResumed _,
                    JobEvent.JobForked _ ->
                    Scope.APART;
        };
    }

    private void updateTask(Known known, Job job, int task, List<JobEvent> events) {
        var before = known.ofTasks.get(task);
        var now = PersonNeed.of(job, task);
        if (before != null && now.filter(before.what()::equals).isPresent()) {
            return;
        }
        if (before != null) {
            remove(before);
            known.ofTasks.remove(task);
        }
        now.ifPresent(need -> addTo(known, need, job, events));
    }

    private void updateApart(Known known, Job job, List<JobEvent> events) {
        var before = new LinkedHashMap<>(known.apart);
        for (var need : PersonNeed.apartFromTasks(job)) {
            if (before.remove(need) == null) {
                addTo(known, need, job, events);
            }
        }
        before.values()
                .forEach(open -> {
                    remove(open);
                    known.apart.remove(open.what());
                });
    }

    private void addTo(Known known, PersonNeed need, Job job, List<JobEvent> events) {
        var open = new Open(since(need, job, events), need);
        if (add(open)) {
            known.put(open);
        }
    }

    private static Instant since(PersonNeed need, Job job, List<JobEvent> events) {
        var place = need.number() - (job.version() - events.size()) - 1;
        return place >= 0 && place < events.size()
                ? events.get((int) place).at()
                : events.getLast().at();
    }

    private boolean add(Open open) {
        var client = open.what().client();
        synchronized (shares) {
            if (!shares.hasRoom(client, 1) || !inOrder.add(open)) {
                return false;
            }
            shares.take(client, 1);
        }
        of(open.what().kind()).incrementAndGet();
        return true;
    }

    private void remove(Open open) {
        if (inOrder.remove(open)) {
            synchronized (shares) {
                shares.free(open.what().client(), 1);
            }
            of(open.what().kind()).decrementAndGet();
        }
    }

    private AtomicInteger of(PersonNeed.Kind kind) {
        return Objects.requireNonNull(counts.get(kind));
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
