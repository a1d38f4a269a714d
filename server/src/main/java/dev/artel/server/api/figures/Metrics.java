package dev.artel.server.api.figures;

import dev.artel.access.AccessControl;
import dev.artel.backup.ContinuousBackup;
import dev.artel.engine.core.dispatch.DispatchSurvey;
import dev.artel.engine.shell.FleetRegistry;
import dev.artel.engine.shell.HandlerLoad;
import dev.artel.engine.shell.JobObserver;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.Problem;
import dev.artel.gateway.mindbus.MindBusGateway;
import dev.artel.gateway.zeromq.ZeroMqWorkerGateway;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.schedule.Scheduler;
import dev.artel.server.api.http.Brief;
import dev.artel.server.api.http.FixedAnswer;
import dev.artel.server.api.jobs.GuardWarnings;
import dev.artel.server.feed.OpenStreams;
import dev.artel.server.values.PayloadCollector;
import dev.artel.telemetry.JobTracing;
import dev.artel.webhook.Webhooks;
import io.javalin.http.Context;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The figures of an orchestrator, for Prometheus. Counts what happens from its start on. Safe for use by many threads.
public final class Metrics implements JobObserver, TaskTimes.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final Object making = new Object();

    /// By [System#nanoTime], when the last text was begun. Guarded by `making`, as is that text.
    private long lastBegan;

    private @Nullable FixedAnswer last;

    private final Meters meters = new Meters();
    private final HttpFigures http = new HttpFigures();
    private final Map<String, OfBlueprint> ofBlueprints = new ConcurrentHashMap<>();
    private final List<LongAdder> answers =
            IntStream.rangeClosed(1, 5).mapToObj(_ -> new LongAdder()).toList();

    /// Counting open jobs costs more the more there are, and figures may be read without a token.
    private static final Duration COUNTED = Duration.ofSeconds(1);

    private volatile Supplier<List<EventStore.StatusCount>> countByStatus = List::of;

    private volatile Supplier<List<HandlerLoad>> handlers = List::of;

    /// What waits and what workers have; empty before the engine has started, and where it is too busy to answer.
    private volatile Supplier<Optional<DispatchSurvey>> survey = Optional::empty;

    private final TimeHistograms queueTimes =
            new TimeHistograms(
                    meters,
                    "artel.task.queue",
                    "how long tasks waited for a worker before an attempt",
                    "type");
    private final TimeHistograms executionTimes =
            new TimeHistograms(
                    meters,
                    "artel.task.execution",
                    "how long workers had tasks, from the lease to the result",
                    "type");
    private final TimeHistograms jobTimes =
            new TimeHistograms(
                    meters,
                    "artel.job",
                    "how long jobs took, from the submission to the outcome",
                    "blueprint");
    private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
    private volatile @Nullable Commits commits;

    private final LongAdder granted = new LongAdder();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder returned = new LongAdder();

    /// No figures of jobs yet.
    public Metrics() {
        for (var i = 0; i < answers.size(); i++) {
            var hundreds = answers.get(i);
            var status = i + 1 + "xx";
            meters.counter(
                    "artel.http.answers",
                    "answers over HTTP, by the first digit of their status",
                    "status",
                    status,
                    hundreds,
                    LongAdder::sum);
        }
        tasks("leased", granted);
        tasks("succeeded", succeeded);
        tasks("failed", failed);
        tasks("attempt_failed", retried);
        tasks("lost", lost);
        tasks("returned", returned);
        redeliveries("failed", retried);
        redeliveries("lost", lost);
        redeliveries("returned", returned);
        for (var code : ErrorCode.values()) {
            var count = new LongAdder();
            refusals.put(code.text(), count);
            meters.counter(
                    "artel.refusals",
                    "answers with an error, by its code",
                    "code",
                    code.text(),
                    count,
                    LongAdder::sum);
        }
    }

    private void redeliveries(String reason, LongAdder count) {
        meters.counter(
                "artel.redeliveries",
                "attempts after which a task was queued again",
                "reason",
                reason,
                count,
                LongAdder::sum);
    }

    /// How large commits are and how long they take.
    private static final class Commits {
        private static final Duration[] BOUNDS = {
            Duration.ofNanos(500_000),
            Duration.ofMillis(1),
            Duration.ofNanos(2_500_000),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5)
        };
        private final DistributionSummary appends;
        private final Timer time;

        Commits(MeterRegistry registry) {
            appends =
                    DistributionSummary.builder("artel.commit.appends")
                            .description("appends made durable by one commit")
                            .serviceLevelObjectives(
                                    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
                            .register(registry);
            time =
                    Timer.builder("artel.commit")
                            .description("how long the store took for a commit")
                            .serviceLevelObjectives(BOUNDS)
                            .register(registry);
        }
    }

    /// A commit of the store. Forgotten before figures were loaded: the thread that appends must not wait for that.
    private void committed(int appends, Duration time) {
        var its = commits;
        if (its == null) {
            var open = meters.ifLoaded();
            if (open == null) {
                return;
            }
            its = new Commits(open.registry());
            commits = its;
        }
        its.appends.record(appends);
        its.time.record(time);
    }

    /// Adds the times of tasks and of jobs.
    public void watch(TaskTimes times) {
        times.addListener(this);
    }

    /// Adds how much waits for people, by what it is.
    public void watch(OpenNeedCounts needs) {
        needs.words()
                .forEach(kind ->
                        meters.gauge(
                                "artel.needs",
                                "what waits for people",
                                "kind",
                                kind,
                                needs,
                                it -> it.count(kind)));
    }

    /// How much waits for people.
    public interface OpenNeedCounts {
        /// What there can be.
        List<String> words();

        /// How much of the kind `word` there is.
        int count(String word);
    }

    @Override
    public void queued(String type, Duration time) {
        queueTimes.record(type, time);
    }

    @Override
    public void executed(String type, Duration time) {
        executionTimes.record(type, time);
    }

    @Override
    public void ended(String blueprint, Duration time) {
        jobTimes.record(blueprint, time);
    }

    private void tasks(String outcome, LongAdder count) {
        meters.counter(
                "artel.tasks",
                "what became of tasks and their attempts",
                "outcome",
                outcome,
                count,
                LongAdder::sum);
    }

    /// Adds the figures of `engine`.
    ///
    /// @param workers how many workers are there
    public void watch(LocalEngine engine, LongSupplier workers) {
        meters.counter(
                "artel.appends", "appends made durable", engine, it -> it.counts().appends());
        meters.counter(
                "artel.commits", "commits of the store", engine, it -> it.counts().commits());
        meters.gauge(
                "artel.store.full",
                "1 while the store has no room",
                engine,
                it -> it.isFull() ? 1 : 0);
        meters.gauge(
                "artel.stuck",
                "what jobs wait for and that cannot happen any more",
                engine,
                it -> it.stalls().size());
        meters.gauge(
                "artel.definitions.missing",
                "definitions that open jobs need and that are not there",
                engine,
                LocalEngine::missingDefinitions);
        meters.gauge(
                "artel.jobs.held",
                "jobs that cannot go on before a definition is there",
                engine,
                LocalEngine::heldJobs);
        meters.gauge(
                "artel.unreadable",
                "open jobs that cannot be read or were set aside",
                engine,
                it -> it.unreadable().size());
        meters.gauge(
                "artel.stuck.parts",
                "parts of the orchestrator that have been at one thing for too long",
                engine,
                it -> it.stuckParts().size());
        meters.gauge(
                "orchestrator.task.queue.length",
                "tasks that wait for a worker",
                engine,
                LocalEngine::queuedTasks);
        meters.gauge(
                "orchestrator.active.workers",
                "workers that are there",
                workers,
                LongSupplier::getAsLong);
        meters.counter(
                "artel.handlers.overran",
                "runs of handlers that took longer than they might",
                engine,
                LocalEngine::overranHandlers);
        meters.gauge(
                "artel.handlers.abandoned",
                "handlers that go on although they were interrupted",
                engine,
                LocalEngine::abandonedHandlers);
        handlers = engine::handlers;
        survey = new Brief<>(engine::survey, COUNTED, System::nanoTime);
        engine.observeCommits(this::committed);
        engine.observedBy(this);
    }

    /// Adds the figures of the front door.
    public void watch(AccessControl accessControl) {
        meters.counter(
                "orchestrator.ratelimit.blocked",
                "requests that came too soon",
                accessControl,
                AccessControl::limited);
        meters.counter(
                "orchestrator.security.auth.failures",
                "requests without a good token",
                accessControl,
                AccessControl::unauthorized);
        var connections = accessControl.workerLimits().connections();
        meters.gauge(
                "artel.workers.connections",
                "connections of workers that stay open under a token",
                connections,
                TokenConnections::open);
        meters.counter(
                "artel.workers.connections.refused",
                "those that were refused since too many are open under their token",
                connections,
                TokenConnections::refused);
    }

    /// Adds how many jobs there are in each status, counted when the figures are read and once a second at most.
    public void watch(EventStore store) {
        countByStatus = new Brief<>(store::countByStatus, COUNTED, System::nanoTime);
        meters.gauge(
                "artel.store.log.bytes",
                "what is committed and not yet in its final place",
                store,
                it -> it.backlog().bytes());
        meters.gauge(
                "artel.store.log.held.seconds",
                "for how long a reader of an old state has kept it from getting there",
                store,
                it -> it.backlog().heldFor().map(Duration::toSeconds).orElse(0L));
    }

    /// Adds the figures of the streams of events.
    public void watch(OpenStreams streams) {
        meters.gauge(
                "artel.streams", "streams of events that are open", streams, OpenStreams::count);
        meters.counter(
                "artel.streams.dropped",
                "streams that were ended since their readers did not keep up",
                streams,
                OpenStreams::dropped);
    }

    /// Adds the figures of suspended workers.
    public void watch(FleetRegistry fleet) {
        meters.gauge(
                "artel.workers.suspended",
                "workers that get nothing since their attempts failed one after another",
                fleet,
                FleetRegistry::suspended);
        meters.counter(
                "artel.workers.suspensions",
                "how often workers were suspended",
                fleet,
                FleetRegistry::suspensions);
    }

    /// Adds the figures of workers on ZeroMQ.
    public void watch(ZeroMqWorkerGateway zeroMq) {
        meters.gauge(
                "artel.zeromq.workers",
                "workers on ZeroMQ that have a session",
                zeroMq,
                ZeroMqWorkerGateway::workers);
        for (var port : zeroMq.counts().received().keySet()) {
            meters.counter(
                    "artel.zeromq.messages",
                    "messages of workers on ZeroMQ, by socket",
                    "socket",
                    port,
                    zeroMq,
                    it -> it.counts().received().getOrDefault(port, 0L));
            meters.counter(
                    "artel.zeromq.bad.messages",
                    "those that could not be read, by socket",
                    "socket",
                    port,
                    zeroMq,
                    it -> it.counts().bad().getOrDefault(port, 0L));
        }
        meters.counter(
                "artel.zeromq.unreachable",
                "messages that had no way to their worker",
                zeroMq,
                it -> it.counts().unreachable());
        meters.counter(
                "artel.zeromq.dropped",
                "messages that were dropped since too many of the same worker wait",
                zeroMq,
                it -> it.counts().dropped());
        meters.counter(
                "artel.zeromq.unread",
                "messages that were dropped since their worker does not read those that wait",
                zeroMq,
                it -> it.counts().unread());
        meters.counter(
                "artel.zeromq.cut",
                "connections that ended since a frame was larger than any that is read",
                zeroMq,
                it -> it.counts().cut());
        meters.gauge(
                "artel.zeromq.connections",
                "connections that are open",
                zeroMq,
                ZeroMqWorkerGateway::connections);
        meters.counter(
                "artel.zeromq.refused",
                "connections that were refused, since there was no place for them",
                zeroMq,
                it -> it.counts().refused());
        meters.counter(
                "artel.zeromq.overdue",
                "connections that ended since no message of a worker came over them",
                zeroMq,
                it -> it.counts().overdue());
        meters.counter(
                "artel.zeromq.failures",
                "errors of the threads of the sockets, which went on",
                zeroMq,
                it -> it.counts().failures());
    }

    /// Adds the figures of agents on RabbitMQ.
    public void watch(MindBusGateway bus) {
        meters.gauge("artel.mindbus.agents", "agents on RabbitMQ", bus, MindBusGateway::agents);
        meters.gauge(
                "artel.mindbus.connected",
                "1 if both connections to RabbitMQ are there and it takes messages",
                bus,
                it -> it.trouble().isEmpty() && !it.isBlocked() ? 1 : 0);
        meters.counter("artel.mindbus.sent", "messages for agents", bus, it -> it.counts().sent());
        meters.counter(
                "artel.mindbus.received", "messages of agents", bus, it -> it.counts().received());
        meters.counter(
                "artel.mindbus.bad.messages",
                "those that could not be read",
                bus,
                it -> it.counts().bad());
        meters.counter(
                "artel.mindbus.unroutable",
                "commands that no queue took",
                bus,
                it -> it.counts().unroutable());
        meters.counter(
                "artel.mindbus.late",
                "answers that came late, twice or to no command",
                bus,
                it -> it.counts().late());
    }

    /// Adds the figures of large values.
    public void watch(PayloadCollector payloadCollector) {
        meters.gauge(
                "artel.payloads",
                "large values when all were looked through last",
                payloadCollector,
                PayloadCollector::kept);
        meters.gauge(
                "artel.payload.bytes",
                "their bytes",
                payloadCollector,
                PayloadCollector::keptBytes);
        meters.counter(
                "artel.payloads.removed",
                "large values removed since no job names them",
                payloadCollector,
                PayloadCollector::removed);
        meters.counter(
                "artel.payload.removed.bytes",
                "their bytes",
                payloadCollector,
                PayloadCollector::removedBytes);
    }

    /// Adds the figures of the copy that is kept elsewhere.
    public void watch(ContinuousBackup backup) {
        meters.gauge(
                "artel.backup.age.seconds",
                "what was committed in the last so many seconds may not be in the copy",
                backup,
                it -> it.age().toMillis() / 1000.0);
        meters.gauge(
                "artel.backup.taken.over",
                "1 when another orchestrator sends its copy to the same place",
                backup,
                it -> it.isTakenOver() ? 1 : 0);
        meters.counter(
                "artel.backup.segments", "pieces of the copy sent", backup, ContinuousBackup::sent);
        meters.counter("artel.backup.bytes", "their bytes", backup, ContinuousBackup::sentBytes);
        meters.counter(
                "artel.backup.failures",
                "how often sending failed and was tried again",
                backup,
                ContinuousBackup::failures);
    }

    /// Adds the figures of traces.
    public void watch(JobTracing tracing) {
        spans("sent", tracing, JobTracing::sent);
        spans("dropped", tracing, JobTracing::dropped);
        spans("failed", tracing, JobTracing::failed);
        meters.counter(
                "artel.traces.missed",
                "events that had no room on their way to the spans",
                tracing,
                JobTracing::missed);
    }

    private void spans(String outcome, JobTracing tracing, ToDoubleFunction<JobTracing> count) {
        meters.counter(
                "artel.traces.spans",
                "spans that the collector took, that had no room, that the collector did not take",
                "outcome",
                outcome,
                tracing,
                count);
    }

    /// Adds the figures of calls to others outside.
    public void watch(Webhooks webhooks) {
        meters.gauge(
                "artel.webhooks.pending",
                "calls of webhooks that wait or are made",
                webhooks,
                Webhooks::pending);
        webhooks("delivered", webhooks, Webhooks::delivered);
        webhooks("failed", webhooks, Webhooks::failed);
        webhooks("given_up", webhooks, Webhooks::givenUp);
        webhooks("put_off", webhooks, Webhooks::noRoom);
    }

    private void webhooks(String outcome, Webhooks webhooks, ToDoubleFunction<Webhooks> count) {
        meters.counter(
                "artel.webhooks",
                "what became of calls of webhooks; failed ones and those put off are made again",
                "outcome",
                outcome,
                webhooks,
                count);
    }

    /// Adds figures of `schedules`.
    public void watch(Scheduler schedules) {
        meters.gauge(
                "artel.schedules.active",
                "schedules that are not paused",
                schedules,
                its -> its.size(false));
        meters.gauge(
                "artel.schedules.paused",
                "schedules that are paused",
                schedules,
                its -> its.size(true));
        meters.gauge(
                "artel.schedules.troubled",
                "schedules that do not run since their state cannot be read or written, or all are held",
                schedules,
                Scheduler::troubled);
        meters.gauge(
                "artel.schedules.late.seconds",
                "for how long a tick has been due whose job is not there, the longest of all schedules",
                schedules,
                its -> its.latest().toMillis() / 1000.0);
        runs("submitted", schedules, Scheduler::submitted);
        runs("skipped", schedules, Scheduler::skipped);
        runs("missed", schedules, Scheduler::missed);
        runs("refused", schedules, Scheduler::refused);
    }

    private void runs(String outcome, Scheduler schedules, ToDoubleFunction<Scheduler> count) {
        meters.counter(
                "artel.schedule.runs",
                "what became of ticks; refused submissions are those that were given up",
                "outcome",
                outcome,
                schedules,
                count);
    }

    /// Adds how many jobs have come near to what their guards allow.
    public void watch(GuardWarnings warnings) {
        warnings.counts()
                .forEach((guard, count) ->
                        meters.counter(
                                "artel.guards.nearly.spent",
                                "jobs that have used up four fifths of what a guard allows",
                                "guard",
                                guard,
                                count,
                                LongAdder::sum));
    }

    /// Adds the figures of the lines that workers log.
    public void watchLogs(LongSupplier kept, LongSupplier lost) {
        logLines("kept", kept);
        logLines("lost", lost);
    }

    private void logLines(String outcome, LongSupplier count) {
        meters.counter(
                "artel.log.lines",
                "lines that workers wrote of their tasks",
                "outcome",
                outcome,
                count,
                LongSupplier::getAsLong);
    }

    /// A request is about to be handled.
    public void begin(Context request) {
        http.begin(request);
    }

    /// A request was answered.
    public void answered(Context request) {
        answered(request.statusCode());
        http.answered(request);
        @Nullable String refused = request.attribute(Problem.CODE);
        var count = refused == null ? null : refusals.get(refused);
        if (count != null) {
            count.increment();
        }
    }

    /// A request was answered of which no more is known.
    public void answered(int status) {
        var hundreds = status / 100;
        if (hundreds >= 1 && hundreds <= answers.size()) {
            answers.get(hundreds - 1).increment();
        }
    }

    /// The answer with [#text], as it is after this was asked for. Those who ask at the same time share an answer: strangers
    /// may ask as often as they like.
    public FixedAnswer answer() {
        var asked = System.nanoTime();
        synchronized (making) {
            if (last == null || lastBegan - asked < 0) {
                lastBegan = System.nanoTime();
                last = new FixedAnswer(TYPE, text().getBytes(StandardCharsets.UTF_8));
            }
            return last;
        }
    }

    /// All figures in Prometheus' text format.
    public String text() {
        synchronized (making) {
            return made();
        }
    }

    private String made() {
        var open = meters.loaded();
        try {
            open.byStatus()
                    .register(
                            countByStatus.get().stream()
                                    .map(count ->
                                            Row.of(Tags.of("status", count.status()), count.jobs()))
                                    .collect(Collectors.toList()),
                            true);
        } catch (StoreException unreadable) {
            LOG.atWarn().setCause(unreadable).log("jobs could not be counted for the metrics");
        }
        open.handlers()
                .register(
                        handlers.get().stream().flatMap(Metrics::rows).collect(Collectors.toList()),
                        true);
        survey.get().ifPresent(its -> register(its, open));
        return open.registry().scrape() + http.text();
    }

    private static void register(DispatchSurvey survey, Meters.Loaded open) {
        var fleet = survey.fleet();
        open.slots().set(fleet.slots());
        open.busySlots().set(fleet.busy());
        open.workers()
                .register(
                        fleet.wires().entrySet().stream()
                                .<Row<?>>map(its ->
                                        Row.of(Tags.of("wire", its.getKey()), its.getValue()))
                                .collect(Collectors.toList()),
                        true);
        open.leased()
                .register(
                        bounded(survey.leased()).entrySet().stream()
                                .<Row<?>>map(its ->
                                        Row.of(Tags.of("type", its.getKey()), its.getValue()))
                                .collect(Collectors.toList()),
                        true);
        var now = Instant.now();
        var waiting = new TreeMap<Waiting, Integer>();
        var oldest = new TreeMap<Waiting, Double>();
        var types = new TreeSet<String>();
        for (var type : survey.waiting()) {
            var name = types.size() < TaskTimes.MOST_NAMES ? type.type() : LatencyWindows.OTHER;
            types.add(name);
            for (var its : type.reasons()) {
                var key = new Waiting(name, its.reason().hold().word());
                var age = Math.max(0, Duration.between(its.oldest(), now).toMillis() / 1000.0);
                waiting.merge(key, its.tasks(), Integer::sum);
                oldest.merge(key, age, Math::max);
            }
        }
        open.waiting().register(rows(waiting), true);
        open.oldest().register(rows(oldest), true);
    }

    /// Why tasks of a type wait.
    private record Waiting(String type, String reason) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            var byType = type.compareTo(other.type);
            return byType == 0 ? reason.compareTo(other.reason) : byType;
        }
    }

    private static List<Row<?>> rows(Map<Waiting, ? extends Number> values) {
        return values.entrySet().stream()
                .<Row<?>>map(its ->
                        Row.of(
                                Tags.of(
                                        "type",
                                        its.getKey().type(),
                                        "reason",
                                        its.getKey().reason()),
                                its.getValue()))
                .collect(Collectors.toList());
    }

    /// The first of `counts`, and all others as one.
    private static Map<String, Integer> bounded(Map<String, Integer> counts) {
        var all = new TreeMap<String, Integer>();
        counts.forEach((name, count) ->
                all.merge(
                        all.size() < TaskTimes.MOST_NAMES || all.containsKey(name)
                                ? name
                                : LatencyWindows.OTHER,
                        count,
                        Integer::sum));
        return all;
    }

    private static Stream<Row<?>> rows(HandlerLoad load) {
        return Stream.of(
                row(load, "running", load.running()),
                row(load, "computing", load.computing()),
                row(load, "waiting", load.waiting()),
                row(load, "abandoned", load.abandoned()));
    }

    private static Row<?> row(HandlerLoad load, String state, int count) {
        return Row.of(Tags.of("blueprint", load.blueprint(), "state", state), count);
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        var figures = of(job.spec().blueprint().group());
        for (var event : events) {
            if (event instanceof JobEvent.AttemptEvent attempt) {
                happened(attempt);
            } else if (event instanceof JobEvent.JobSubmitted) {
                figures.submitted.increment();
            } else if (event instanceof JobEvent.JobEnded(var outcome, var at)) {
                // The clock may have been set back meanwhile.
                var after = Duration.between(job.submitted(), at);
                figures.ended(outcome, after.isNegative() ? Duration.ZERO : after);
            } else if (event instanceof JobEvent.JobQuarantined) {
                figures.quarantined.increment();
            }
        }
    }

    private void happened(JobEvent.AttemptEvent event) {
        switch (event) {
            case JobEvent.LeaseGranted _ -> granted.increment();
            case JobEvent.TaskSucceeded _ -> succeeded.increment();
            case JobEvent.TaskFailed _ -> failed.increment();
            case JobEvent.AttemptFailed _ -> retried.increment();
            case JobEvent.LeaseLost _ -> lost.increment();
            case JobEvent.LeaseReturned _ -> returned.increment();
            case JobEvent.HedgeBegun _,
                    JobEvent.AttemptDropped _,
                    JobEvent.LeaseReleased _,
                    JobEvent.AttemptSettled _,
                    JobEvent.AttemptWithheld _,
                    JobEvent.OutcomeUnknown _,
                    JobEvent.QuestionAsked _,
                    JobEvent.QuestionAnswered _,
                    JobEvent.OutcomeResolved _ -> {
                // not counted
            }
        }
    }

    private OfBlueprint of(String blueprint) {
        var known = ofBlueprints.get(blueprint);
        if (known != null) {
            return known;
        }
        var registry = meters.loaded().registry();
        return ofBlueprints.computeIfAbsent(blueprint, name -> new OfBlueprint(registry, name));
    }

    @Override
    public void close() {
        meters.close();
    }

    private static final class OfBlueprint {
        private final MeterRegistry registry;
        private final Counter submitted;
        private final Counter failed;
        private final Counter quarantined;
        private final Timer finishedAfter;
        private final Timer failedAfter;
        private final Timer cancelledAfter;

        OfBlueprint(MeterRegistry registry, String name) {
            this.registry = registry;
            submitted =
                    Counter.builder("orchestrator.jobs")
                            .description("jobs submitted")
                            .tag("blueprint", name)
                            .register(registry);
            failed =
                    Counter.builder("orchestrator.jobs.failed")
                            .description("jobs that failed or went into quarantine")
                            .tag("blueprint", name)
                            .tag("status", "failed")
                            .register(registry);
            quarantined =
                    Counter.builder("orchestrator.jobs.failed")
                            .tag("blueprint", name)
                            .tag("status", "quarantined")
                            .register(registry);
            finishedAfter = duration(name, "finished");
            failedAfter = duration(name, "failed");
            cancelledAfter = duration(name, "cancelled");
        }

        void ended(JobOutcome outcome, Duration after) {
            switch (outcome) {
                case JobOutcome.Finished _ -> finishedAfter.record(after);
                case JobOutcome.Failed _ -> {
                    failed.increment();
                    failedAfter.record(after);
                }
                case JobOutcome.Cancelled _ -> cancelledAfter.record(after);
            }
        }

        private Timer duration(String name, String outcome) {
            return Timer.builder("orchestrator.job.duration")
                    .description("from submission to outcome")
                    .tag("blueprint", name)
                    .tag("status", outcome)
                    .register(registry);
        }
    }
}
