package dev.artel.server.api;

import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.StreamId;
import dev.artel.server.access.Caller;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;

/// One job: what it is, what happened to it, what its workers said, and its end.
final class JobRoutes {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private static final int MAX_WAITING = 20_000;
    private static final int EVENTS = 1_000;
    private static final int MAX_EVENTS = 10_000;
    private static final int MAX_LINES = 10_000;

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final VisibleJobs visible;
    private final TaskDocument tasks;
    private final JobDocument jobs;
    private final EventDocument events;
    private final Semaphore waiting = new Semaphore(MAX_WAITING);

    JobRoutes(
            Lifecycle lifecycle,
            EventStore store,
            VisibleJobs visible,
            Values values,
            ProgressBoard progress) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.visible = visible;
        tasks = new TaskDocument(values, progress);
        jobs = new JobDocument(values, tasks);
        events = new EventDocument(values);
    }

    void find(Context request, Caller caller) {
        var wanted = Selection.of(request, JobDocument.FIELDS);
        var wait = waitOf(request);
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        if (!wait.isZero()) {
            awaitEnd(row.id(), wait);
            row = visible.of(request, caller);
        }
        if (wanted.isAllOf(JobDocument.ROW_FIELDS)) {
            Answers.json(request, 200, wanted.from(JobDocument.of(row)));
            return;
        }
        var reading = JobReading.of(row.id(), store).orElseThrow(VisibleJobs::notFound);
        Answers.json(request, 200, wanted.from(jobs.of(reading, engine::whyNotYet)));
    }

    private void awaitEnd(JobId id, Duration wanted) {
        if (!waiting.tryAcquire()) {
            throw HttpRefusal.later(
                    Duration.ofSeconds(1), "Too many requests wait for the end of a job");
        }
        try {
            var _ = lifecycle.engine().awaitEnd(id, wanted);
        } finally {
            waiting.release();
        }
    }

    private static Duration waitOf(Context request) {
        var text = request.queryParam("wait");
        if (text == null) {
            return Duration.ZERO;
        }
        try {
            var seconds = Double.parseDouble(text);
            if (seconds >= 0 && seconds <= LONGEST_WAIT.toSeconds()) {
                return Duration.ofMillis(Math.round(seconds * 1000));
            }
        } catch (NumberFormatException _) {
            // told below
        }
        throw new HttpRefusal(
                400, "Invalid wait parameter", "wait is a number of seconds from 0 to 60");
    }

    void cancel(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var reason = "cancelled by client " + caller.name();
        if (wantsTheTree(request)) {
            Answers.json(request, 200, new TreeCancel(engine, store).cancel(row.id(), reason));
            return;
        }
        switch (engine.cancel(row.id(), reason)) {
            case CommandReply.Done _ ->
                    Answers.json(
                            request,
                            200,
                            JsonObject.of("status", JsonValue.of("cancellation_request_accepted")));
            case CommandReply.Refused(var why, var detail) ->
                    throw why == Decision.Reason.UNKNOWN_JOB
                            ? VisibleJobs.notFound()
                            : new HttpRefusal(409, detail);
            case CommandReply.TryLater(var after, var detail) ->
                    throw HttpRefusal.later(after, detail);
        }
    }

    private static boolean wantsTheTree(Context request) {
        var text = request.queryParam("tree");
        return switch (text == null ? "false" : text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new HttpRefusal(400, "Invalid tree parameter", "tree is true or false");
        };
    }

    void history(Context request, Caller caller) {
        var after = Numbers.of(request, "after", 0, 0, Long.MAX_VALUE - 1);
        var limit = (int) Numbers.of(request, "limit", EVENTS, 1, MAX_EVENTS);
        var row = visible.of(request, caller);
        var appends = store.read(StreamId.of(row.id()), after, limit);
        var found = events.all(appends, after, limit);
        if (found.size() == limit) {
            Pages.next(
                    request, "after", Long.toString(EventDocument.versionOf(found.get(limit - 1))));
        }
        Answers.json(request, 200, found);
    }

    void task(Context request, Caller caller) {
        var wanted = Selection.of(request, TaskDocument.FIELDS);
        var row = visible.of(request, caller);
        var reading = JobReading.of(row.id(), store).orElseThrow(VisibleJobs::notFound);
        var task = reading.job().tasks().get(number(request, reading));
        Answers.json(
                request,
                200,
                wanted.from(tasks.detail(reading, task, lifecycle.engine()::whyNotYet)));
    }

    void explain(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading = JobReading.of(row.id(), store).orElseThrow(VisibleJobs::notFound);
        var explained =
                JobExplanation.of(
                        reading,
                        lifecycle.engine(),
                        child -> JobReading.of(child, store),
                        lifecycle.webhooks()::waiting);
        var stuck = StuckRoutes.of(lifecycle, stall -> stall.job().equals(row.id()));
        Answers.json(request, 200, stuck.isEmpty() ? explained : explained.with("stuck", stuck));
    }

    void why(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading = JobReading.of(row.id(), store).orElseThrow(VisibleJobs::notFound);
        var task = reading.job().tasks().get(number(request, reading));
        var limit = (int) Numbers.of(request, "verdicts", 20, 0, 1000);
        Answers.json(
                request,
                200,
                TaskExplanation.of(reading, task, lifecycle.engine(), workerOf(request), limit));
    }

    private static Optional<WorkerId> workerOf(Context request) {
        try {
            return Optional.ofNullable(request.queryParam("worker")).map(WorkerId::new);
        } catch (IllegalArgumentException invalid) {
            throw new HttpRefusal(
                    400, "Invalid worker parameter", String.valueOf(invalid.getMessage()));
        }
    }

    private static int number(Context request, JobReading reading) {
        var number = Numbers.among(request.pathParam("task"), reading.job().tasks().size());
        if (number < 0) {
            throw new HttpRefusal(
                    404,
                    "Task not found",
                    "job "
                            + reading.job().id()
                            + " has "
                            + reading.job().tasks().size()
                            + " tasks");
        }
        return number;
    }

    void logs(Context request, Caller caller) {
        var row = visible.of(request, caller);
        Answers.json(request, 200, lines(request, row.id(), OptionalInt.empty()));
    }

    void taskLogs(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading = JobReading.of(row.id(), store).orElseThrow(VisibleJobs::notFound);
        var task = OptionalInt.of(number(request, reading));
        Answers.json(request, 200, lines(request, row.id(), task));
    }

    private JsonArray lines(Context request, JobId job, OptionalInt task) {
        var limit = (int) Numbers.of(request, "limit", JobLogs.MAX_LINES, 1, MAX_LINES);
        var lines = new ArrayList<JsonValue>();
        for (var entry : store.logs().read(job, task, limit)) {
            lines.add(
                    JsonObject.builder()
                            .put("task", entry.task())
                            .put("attempt", entry.attempt())
                            .put("number", entry.number())
                            .put("at", Values.of(entry.line().at()))
                            .put("level", entry.line().level())
                            .put("message", entry.line().message())
                            .build());
        }
        return new JsonArray(lines);
    }
}
