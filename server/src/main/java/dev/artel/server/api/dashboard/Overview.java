package dev.artel.server.api.dashboard;

import dev.artel.engine.core.dispatch.DispatchSurvey;
import dev.artel.engine.core.dispatch.DispatchSurvey.WaitingType;
import dev.artel.engine.core.dispatch.WaitingForReason;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.engine.shell.PersonNeed;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.server.api.figures.LatencyWindows;
import dev.artel.server.api.figures.TaskTimes;
import dev.artel.server.api.figures.Throughput;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.jobs.JobCounts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// What the first page of the dashboard shows: made at most once a second, for all who look, from what is counted anyway. No
/// job is looked at for it but for the counts by status. Safe for use by many threads.
public final class Overview {
    private static final Duration GOOD = Duration.ofSeconds(1);
    private static final int MOST_TYPES = 100;
    private static final int MOST_REASONS = 10;
    private static final int LONGEST_TEXT = 600;

    private final Supplier<LocalEngine> source;
    private final JobCounts counts;
    private final Throughput throughput;
    private final TaskTimes times;
    private final OpenNeeds needs;
    private final InstantSource clock;

    private final ReentrantLock making = new ReentrantLock();

    /// All but when it was made; guarded by the lock.
    private JsonObject content = JsonObject.EMPTY;

    /// The document; empty: there is none yet.
    private volatile String text = "";

    /// When it was looked last whether it has changed.
    private volatile long madeAt;

    /// One of what the parts count.
    ///
    /// @param source returns the engine, or throws the refusal where the orchestrator starts or stops
    public Overview(
            Supplier<LocalEngine> source,
            JobCounts counts,
            Throughput throughput,
            TaskTimes times,
            OpenNeeds needs,
            InstantSource clock) {
        this.source = source;
        this.counts = counts;
        this.throughput = throughput;
        this.times = times;
        this.needs = needs;
        this.clock = clock;
    }

    /// The document in one line: the same as before where nothing but the time has changed, where another thread is making it, or
    /// where the dispatcher does not answer.
    ///
    /// @throws RuntimeException the refusal where the orchestrator starts or stops
    public String text() {
        if (text.isEmpty()) {
            making.lock();
        } else if (isGood() || !making.tryLock()) {
            return text;
        }
        try {
            if (!isGood()) {
                make();
            }
            return text;
        } finally {
            making.unlock();
        }
    }

    private boolean isGood() {
        return !text.isEmpty() && System.nanoTime() - madeAt < GOOD.toNanos();
    }

    private void make() {
        var engine = source.get();
        var survey = engine.survey();
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        if (survey.isPresent() || text.isEmpty()) {
            var made = content(engine, survey, now);
            if (!made.equals(content)) {
                content = made;
                var document = JsonObject.builder().put("at", ApiJson.of(now));
                made.members().forEach(document::put);
                text = new String(JsonText.write(document.build()), StandardCharsets.UTF_8);
            }
        }
        madeAt = System.nanoTime();
    }

    private JsonObject content(LocalEngine engine, Optional<DispatchSurvey> survey, Instant now) {
        var jobs = JsonObject.builder();
        counts.ofAll().forEach(jobs::put);
        var json =
                JsonObject.builder()
                        .put("jobs", jobs.build())
                        .put("throughput", throughput.minutes())
                        .put("throughput_hours", throughput.hours())
                        .put("latencies", latencies())
                        .put("job_latencies", jobLatencies());
        json.put("queues", queues(survey, now));
        survey.map(DispatchSurvey::fleet).ifPresent(fleet -> putFleet(fleet, json));
        return json.put("needs", needs(engine)).build();
    }

    private static void putFleet(DispatchSurvey.FleetUse fleet, JsonObject.Builder json) {
        json.put(
                "slots",
                JsonObject.builder()
                        .put("total", fleet.slots())
                        .put("busy", fleet.busy())
                        .put("workers", fleet.workers())
                        .put("draining", fleet.draining())
                        .build());
        var wires = JsonObject.builder();
        fleet.wires().forEach(wires::put);
        json.put("wires", wires.build());
    }

    private JsonArray latencies() {
        var queued = times.queues().all();
        var executed = times.executions().all();
        var types = new TreeSet<>(queued.keySet());
        types.addAll(executed.keySet());
        var all = new ArrayList<JsonValue>();
        for (var type : types) {
            var json = JsonObject.builder().put("task_type", type);
            Optional.ofNullable(queued.get(type))
                    .ifPresent(its -> json.put("queue_ms", percentiles(its)));
            var its = Optional.ofNullable(executed.get(type));
            its.ifPresent(found -> json.put("execution_ms", percentiles(found)));
            json.put("count", its.map(LatencyWindows.Percentiles::count).orElse(0L));
            all.add(json.build());
        }
        return new JsonArray(all);
    }

    private JsonArray jobLatencies() {
        var all = new ArrayList<JsonValue>();
        times.jobs()
                .all()
                .forEach((blueprint, its) ->
                        all.add(
                                JsonObject.builder()
                                        .put("blueprint", blueprint)
                                        .put("ms", percentiles(its))
                                        .put("count", its.count())
                                        .build()));
        return new JsonArray(all);
    }

    private static JsonObject percentiles(LatencyWindows.Percentiles its) {
        return JsonObject.builder()
                .put("p50", its.p50())
                .put("p95", its.p95())
                .put("p99", its.p99())
                .build();
    }

    private static JsonArray queues(Optional<DispatchSurvey> survey, Instant now) {
        if (survey.isEmpty()) {
            return new JsonArray(List.of());
        }
        var leased = new LinkedHashMap<>(survey.get().leased());
        var all = new ArrayList<JsonValue>();
        survey.get().waiting().stream()
                .sorted((one, other) -> Integer.compare(other.tasks(), one.tasks()))
                .limit(MOST_TYPES)
                .forEach(type -> {
                    var with = Optional.ofNullable(leased.remove(type.type())).orElse(0);
                    all.add(queue(type, with, now));
                });
        leased.entrySet().stream()
                .sorted((one, other) -> Integer.compare(other.getValue(), one.getValue()))
                .limit(MOST_TYPES - all.size())
                .forEach(type ->
                        all.add(
                                JsonObject.builder()
                                        .put("task_type", type.getKey())
                                        .put("queued", 0)
                                        .put("leased", type.getValue())
                                        .put("reasons", new JsonArray(List.of()))
                                        .build()));
        return new JsonArray(all);
    }

    private static JsonObject queue(WaitingType type, int leased, Instant now) {
        return JsonObject.builder()
                .put("task_type", type.type())
                .put("queued", type.tasks())
                .put("leased", leased)
                .put("oldest_seconds", age(type.oldest(), now))
                .put(
                        "reasons",
                        new JsonArray(
                                type.reasons().stream()
                                        .limit(MOST_REASONS)
                                        .<JsonValue>map(its -> reason(its, now))
                                        .toList()))
                .build();
    }

    private static JsonObject reason(WaitingForReason its, Instant now) {
        return JsonObject.builder()
                .put("reason", its.reason().hold().word())
                .put("count", its.tasks())
                .put("oldest_seconds", age(its.oldest(), now))
                .put("text", shortened(its.reason().text()))
                .put("unblock", shortened(its.reason().unblock()))
                .put(
                        "example",
                        JsonObject.builder()
                                .put("job_id", its.job().value())
                                .put("task", its.task())
                                .build())
                .build();
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }

    /// Seconds; 0 where the time lies ahead.
    private static long age(Instant since, Instant now) {
        return Math.max(0, Duration.between(since, now).toSeconds());
    }

    private JsonObject needs(LocalEngine engine) {
        return JsonObject.builder()
                .put("quarantine", needs.count(PersonNeed.Kind.QUARANTINE))
                .put("approvals", needs.count(PersonNeed.Kind.APPROVAL))
                .put("questions", needs.count(PersonNeed.Kind.QUESTION))
                .put("in_doubt", needs.count(PersonNeed.Kind.IN_DOUBT))
                .put("budget", needs.count(PersonNeed.Kind.BUDGET))
                .put("stuck", engine.stalls().size())
                .build();
    }
}
