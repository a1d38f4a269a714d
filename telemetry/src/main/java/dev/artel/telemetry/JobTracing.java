package dev.artel.telemetry;

import dev.artel.config.TraceSettings;
import dev.artel.engine.shell.JobObserver;
import dev.artel.json.JsonNumber;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes spans of the durable events of jobs, and sends them.
///
/// The engine's threads only leave events in a queue, as many as there is room for. A thread of this class folds them, job by job; where it lacks some of a job
/// - after a restart, or since the queue was full - it reads them from the store. After a restart it goes on behind the position up to
/// which all spans were sent: after a [#close] none is sent twice, after a crash those of the last seconds may be, under the same ids.
/// Safe for use by many threads.
public final class JobTracing implements JobObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobTracing.class);
    private static final int MOST_JOBS = 10_000;
    private static final int MOST_OPEN = 500_000;
    private static final int PAGE = 512;

    /// As they are in the store; decoded they may take forty times as much.
    private static final long PAGE_BYTES = 512 << 10;

    private static final long MOST_REPEATED = 100_000;
    private static final Duration MARKS = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(20);
    private static final String SPACE = "artel.traces";
    private static final String KEY = "sent";
    private static final long NONE = -1;

    private final TraceSettings settings;
    private final EventStore store;
    private final KeyValueStore marks;
    private final Resource resource;
    private final SpanSender sender;
    private final ObservedEvents observed = new ObservedEvents();
    private final SequencedMap<JobId, JobSpans> jobs = new LinkedHashMap<>(64, 0.75f, true);
    private final AtomicLong missed = new AtomicLong();
    private final Thread thread;
    private final long begin;
    private long open;
    private long saved;
    private long markedAt = System.nanoTime();
    private @Nullable Mark candidate;
    private boolean isBehind = true;
    private volatile boolean isClosing;

    /// @param position all spans of events up to it were taken by the sender
    /// @param taken when the sender has handled so many, they are sent; not known yet while events wait
    private record Mark(long position, long taken) {}

    private JobTracing(
            TraceSettings settings, EventStore store, KeyValueStore marks, SpanSender sender) {
        this.settings = settings;
        this.store = store;
        this.marks = marks;
        this.sender = sender;
        resource =
                Resource.getDefault()
                        .merge(
                                Resource.create(
                                        Attributes.builder()
                                                .put("service.name", settings.service())
                                                .build()));
        var last = store.lastPosition();
        var sent = lastMark(marks);
        begin = sent == NONE ? last : Math.max(Math.min(sent, last), last - MOST_REPEATED);
        saved = sent;
        thread = Thread.ofPlatform().name("artel-traces").daemon().unstarted(this::run);
    }

    /// Traces for the collector of `settings`, which names one. To be opened before the engine is started, and added to it as an observer.
    ///
    /// @param marks keeps up to where spans were sent
    /// @throws StoreException if the stores cannot be read
    public static JobTracing open(TraceSettings settings, EventStore store, KeyValueStore marks) {
        var tracing = new JobTracing(settings, store, marks, SpanSender.open(settings));
        LOG.atInfo()
                .addKeyValue("endpoint", settings.endpoint().orElseThrow())
                .addKeyValue("ratio", settings.ratio())
                .log("sending traces");
        return tracing;
    }

    /// Begins to send, once the engine has taken up its jobs and has this observer.
    public void start() {
        if (saved == NONE) {
            save(begin);
        }
        thread.start();
    }

    /// A listener that hands on to `listener`, where each hand-out of a job that is traced has the context of the span of its attempt.
    ///
    /// @param live a job in memory
    public WorkerPort.Listener handingOutSpans(
            WorkerPort.Listener listener, Function<JobId, Optional<Job>> live) {
        return new AttemptContexts(listener, live, settings.ratio());
    }

    /// The id of the trace of `job`, 32 hexadecimal digits; empty if it is not traced.
    public Optional<String> traceOf(Job job) {
        return JobTrace.isSampled(job.id(), job.spec(), settings.ratio())
                ? Optional.of(JobTrace.of(job.id(), job.spec(), settings.ratio()).trace())
                : Optional.empty();
    }

    /// How many spans the collector has taken.
    public long sent() {
        return sender.sent();
    }

    /// How many spans had no room.
    public long dropped() {
        return sender.dropped();
    }

    /// How many spans the collector has not taken.
    public long failed() {
        return sender.failed();
    }

    /// How many events had no room; their spans are made with the next event of their job, if there is one.
    public long missed() {
        return missed.get();
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        if (!JobTrace.isSampled(job.id(), job.spec(), settings.ratio())
                || (job.isFinal() && !ends(events))) {
            return;
        }
        var what =
                new ObservedEvents.Observed(
                        job.id(),
                        job.version(),
                        events,
                        job.branches().size(),
                        job.tasks().size(),
                        job.children().children().size());
        if (!observed.offer(what)) {
            // Read from the store with the next events of the job, if there are some.
            missed.addAndGet(events.size());
            sender.lost(ends(events) ? 1 : 0);
        }
    }

    private static boolean ends(List<JobEvent> events) {
        for (var event : events) {
            if (event instanceof JobEvent.JobEnded) {
                return true;
            }
        }
        return false;
    }

    private void run() {
        while (true) {
            try {
                if (isBehind) {
                    isBehind = false; // also if the store cannot be read: what comes now goes first
                    repeat();
                }
                var next = observed.poll();
                if (next != null) {
                    take(next);
                } else if (isClosing) {
                    return;
                }
                mark();
            } catch (InterruptedException closed) {
                return;
            } catch (StoreException unreadable) {
                LOG.atWarn().setCause(unreadable).log("traces lack events that cannot be read");
            } catch (RuntimeException bug) {
                LOG.atError().setCause(bug).log("a trace lacks spans");
            }
        }
    }

    /// The events whose spans were not sent before the last end of the process.
    private void repeat() {
        var end = store.lastPosition();
        // Their first event is not read again for each of the others; at most one for each event
        // that is repeated.
        var untraced = new HashSet<JobId>();
        for (var at = begin; at < end; ) {
            var page = new ArrayList<EventStore.Committed>();
            var _ = store.readCommitted(at, PAGE, PAGE_BYTES, page::add);
            if (page.isEmpty()) {
                return;
            }
            for (var committed : page) {
                var events = committed.events();
                var before = events.version() - 1;
                var last = before + events.events().size();
                try {
                    if (!untraced.contains(committed.job())
                            && !fold(committed.job(), before, last, events.events(), null)) {
                        untraced.add(committed.job());
                    }
                } catch (StoreException | IllegalStateException unreadable) {
                    LOG.atWarn()
                            .addKeyValue("job", committed.job())
                            .setCause(unreadable)
                            .log("a trace lacks spans from before the start");
                }
                at = committed.last();
            }
        }
    }

    private void take(ObservedEvents.Observed next) {
        var _ = fold(next.job(), next.before(), next.version(), next.events(), next);
    }

    /// @param before the version before `events`
    /// @param last the version behind them
    /// @return whether the job is traced
    private boolean fold(
            JobId job,
            long before,
            long last,
            List<JobEvent> events,
            ObservedEvents.@Nullable Observed counted) {
        var known = jobs.remove(job);
        if (known == null) {
            known = fresh(job);
            // What was before was sent before.
            upTo(known, before, _ -> {});
        } else {
            open -= known.open();
            upTo(known, before, sender::send);
        }
        for (var i = (int) Math.max(0, known.version() - before); i < events.size(); i++) {
            known.apply(events.get(i), sender::send);
        }
        if (counted != null && known.version() == last) {
            known.next(counted.branches(), counted.tasks(), counted.children());
        }
        if (!known.isOver()) {
            jobs.put(job, known);
            open += known.open();
            forgetSome();
        }
        return !known.isUntraced();
    }

    private JobSpans fresh(JobId job) {
        return new JobSpans(job, settings.ratio(), resource, this::contextOf);
    }

    /// Applies the events up to `version` that `spans` lacks.
    private void upTo(JobSpans spans, long version, Consumer<SpanData> out) {
        while (spans.version() < version && !spans.isOver()) {
            var page = store.read(StreamId.of(spans.job()), spans.version(), PAGE);
            if (page.isEmpty()) {
                throw new StoreException.StoreUnavailable(
                        "job " + spans.job() + " ends at version " + spans.version(), null);
            }
            for (var stored : page) {
                for (var event : behind(stored, spans.version())) {
                    if (spans.version() < version) {
                        spans.apply(event, out);
                    }
                }
            }
        }
    }

    private static List<JobEvent> behind(StoredEvents stored, long version) {
        var skipped = (int) Math.max(0, version + 1 - stored.version());
        return stored.events()
                .subList(Math.min(skipped, stored.events().size()), stored.events().size());
    }

    /// The job's own span, of a job whose first event is there.
    private Optional<SpanContext> contextOf(JobId job) {
        return store.read(StreamId.of(job), 0, 1).stream()
                .flatMap(stored -> stored.events().stream())
                .filter(JobEvent.JobSubmitted.class::isInstance)
                .map(JobEvent.JobSubmitted.class::cast)
                .map(first -> JobTrace.of(job, first.spec(), settings.ratio()))
                .map(trace -> trace.context(SpanNames.job(job)))
                .findFirst();
    }

    private void forgetSome() {
        for (Iterator<Map.Entry<JobId, JobSpans>> eldest = jobs.entrySet().iterator();
                (jobs.size() > MOST_JOBS || (open > MOST_OPEN && jobs.size() > 1))
                        && eldest.hasNext(); ) {
            open -= eldest.next().getValue().open();
            eldest.remove();
        }
    }

    // The position up to which all is sent

    private static long lastMark(KeyValueStore marks) {
        return marks.get(SPACE, KEY)
                .map(KeyValueStore.Entry::value)
                .filter(JsonNumber.class::isInstance)
                .map(value -> ((JsonNumber) value).asLong())
                .orElse(NONE);
    }

    /// Events are committed shortly before they are observed: a position counts when nothing waits any more some seconds later.
    private void mark() {
        var now = System.nanoTime();
        var waiting = candidate;
        if (now - markedAt < MARKS.toNanos()) {
            return;
        }
        if (waiting == null) {
            candidate = new Mark(store.lastPosition(), NONE);
            markedAt = now;
        } else if (waiting.taken() == NONE) {
            if (observed.isEmpty()) {
                candidate = new Mark(waiting.position(), sender.taken());
                markedAt = now;
            }
        } else if (sender.handled() >= waiting.taken()) {
            save(waiting.position());
            candidate = null;
        }
    }

    private void save(long position) {
        if (position != saved) {
            saved = position;
            try {
                var _ = marks.put(SPACE, KEY, KeyValueStore.ANY_VERSION, JsonNumber.of(position));
            } catch (StoreException notSaved) {
                LOG.atWarn().setCause(notSaved).log("the next start sends some spans again");
            }
        }
    }

    /// Makes and sends the spans of all events so far, for some seconds at most. To be called behind the end of the engine and before
    /// that of its stores.
    @Override
    public void close() {
        isClosing = true;
        try {
            var isDone = thread.getState() == Thread.State.NEW || thread.join(CLOSING);
            if (!isDone) {
                thread.interrupt();
            }
            sender.close();
            if (isDone && thread.getState() == Thread.State.TERMINATED) {
                save(store.lastPosition());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
