package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.server.access.Access;
import dev.artel.server.access.Caller;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// Submitting, watching and cancelling jobs.
public final class ClientApi {
    private static final List<String> PREFIXES = List.of("/api/v1", "/api");
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    /// How long a waiting request does not look whether the orchestrator stops.
    private static final Duration SLICE = Duration.ofSeconds(1);

    private static final int MAX_WAITING = 20_000;
    private static final int MAX_EVENTS = 100_000;

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final Doorkeeper doorkeeper;
    private final Bodies bodies;
    private final InstantSource clock;
    private final JobDocument jobs;
    private final TaskDocument tasks;
    private final EventDocument events;
    private final Semaphore waiting = new Semaphore(MAX_WAITING);

    /// An API to the jobs of `store`.
    ///
    /// @param maxBodyBytes larger bodies are refused
    public ClientApi(
            Lifecycle lifecycle,
            EventStore store,
            PayloadStore payloads,
            Access access,
            int maxBodyBytes,
            InstantSource clock) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.doorkeeper = new Doorkeeper(access);
        this.bodies = new Bodies(maxBodyBytes);
        this.clock = clock;
        var values = new Values(payloads);
        tasks = new TaskDocument(values);
        jobs = new JobDocument(values, tasks);
        events = new EventDocument(values);
    }

    /// A request of a known client.
    @FunctionalInterface
    private interface ClientHandler {
        void handle(Context request, Caller caller);
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        for (var prefix : PREFIXES) {
            routes.post(prefix + "/jobs", authenticated(this::submit));
            routes.post(prefix + "/jobs/{name}", authenticated(this::submitTo));
            routes.get(prefix + "/jobs", authenticated(this::list));
            routes.get(prefix + "/jobs/{id}", authenticated(this::find));
            routes.post(prefix + "/jobs/{id}/cancel", authenticated(this::cancel));
            routes.get(prefix + "/jobs/{id}/history", authenticated(this::history));
            routes.get(prefix + "/jobs/{id}/tasks/{task}", authenticated(this::task));
            routes.get(prefix + "/jobs/{id}/tasks/{task}/why", authenticated(this::why));
            routes.get(prefix + "/jobs/{id}/explain", authenticated(this::explain));
        }
    }

    private Handler authenticated(ClientHandler handler) {
        return request -> handler.handle(request, doorkeeper.admit(request));
    }

    private void submit(Context request, Caller caller) {
        answer(
                request,
                caller,
                JobRequest.read(
                        bodies.json(request),
                        caller.name(),
                        request.header("Idempotency-Key"),
                        clock.instant()));
    }

    private void submitTo(Context request, Caller caller) {
        answer(
                request,
                caller,
                JobRequest.readFor(
                        request.pathParam("name"),
                        bodies.json(request),
                        caller.name(),
                        request.header("Idempotency-Key"),
                        clock.instant()));
    }

    private void answer(Context request, Caller caller, Submission submission) {
        var engine = lifecycle.engine();
        doorkeeper.spend(caller, 1);
        var reply = engine.submit(submission);
        if (!(reply instanceof SubmitReply.Accepted(var _, boolean isNew) && isNew)) {
            doorkeeper.giveBack(caller, 1);
        }
        switch (reply) {
            case SubmitReply.Accepted(var job, boolean _) ->
                    Answers.json(
                            request,
                            202,
                            ("{\"status\":\"accepted\",\"job_id\":\"" + job + "\"}")
                                    .getBytes(StandardCharsets.US_ASCII));
            case SubmitReply.Refused(var why, var detail) ->
                    throw switch (why) {
                        case UNKNOWN_BLUEPRINT ->
                                new ApiRefusal(404, "Blueprint not found", detail);
                        case KEY_REUSED -> new ApiRefusal(409, "Idempotency key reused", detail);
                    };
            case SubmitReply.TryLater(var after, var detail) ->
                    throw ApiRefusal.later(after, detail);
        }
    }

    private void find(Context request, Caller caller) {
        var id = idOf(request);
        Doorkeeper.requireSight(caller, id, store);
        var engine = lifecycle.engine();
        awaitEnd(request, id);
        var reading = JobReading.of(id, store).orElseThrow(ClientApi::notFound);
        Answers.json(request, 200, jobs.of(reading, engine::whyNotYet));
    }

    private void awaitEnd(Context request, JobId id) {
        var wanted = waitOf(request);
        if (wanted.isZero()) {
            return;
        }
        if (!waiting.tryAcquire()) {
            throw ApiRefusal.later(
                    Duration.ofSeconds(1), "Too many requests wait for the end of a job");
        }
        try {
            var until = System.nanoTime() + wanted.toNanos();
            var engine = lifecycle.engine();
            for (var left = wanted.toNanos();
                    left > 0 && !lifecycle.isStopping();
                    left = until - System.nanoTime()) {
                var slice = Duration.ofNanos(Math.min(left, SLICE.toNanos()));
                var job = engine.awaitFinal(id, slice);
                if (job.isEmpty() || job.get().isFinal()) {
                    return;
                }
            }
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
        throw new ApiRefusal(
                400, "Invalid wait parameter", "wait is a number of seconds from 0 to 60");
    }

    private void cancel(Context request, Caller caller) {
        var id = idOf(request);
        Doorkeeper.requireSight(caller, id, store);
        switch (lifecycle.engine().cancel(id, "cancelled by client " + caller.name())) {
            case CommandReply.Done _ ->
                    Answers.json(
                            request,
                            200,
                            JsonObject.of("status", JsonValue.of("cancellation_request_accepted")));
            case CommandReply.Refused(var reason, var detail) ->
                    throw reason == Decision.Reason.UNKNOWN_JOB
                            ? notFound()
                            : new ApiRefusal(409, detail);
            case CommandReply.TryLater(var after, var detail) ->
                    throw ApiRefusal.later(after, detail);
        }
    }

    private void history(Context request, Caller caller) {
        var id = idOf(request);
        Doorkeeper.requireSight(caller, id, store);
        var reading = JobReading.of(id, store).orElseThrow(ClientApi::notFound);
        var after = wholeNumber(request, "after", 0, Long.MAX_VALUE);
        var limit = (int) wholeNumber(request, "limit", MAX_EVENTS, MAX_EVENTS);
        Answers.json(request, 200, events.all(reading, after, limit));
    }

    private JobReading readingOf(Context request, Caller caller) {
        var id = idOf(request);
        Doorkeeper.requireSight(caller, id, store);
        return JobReading.of(id, store).orElseThrow(ClientApi::notFound);
    }

    private void explain(Context request, Caller caller) {
        var reading = readingOf(request, caller);
        Answers.json(request, 200, JobExplanation.of(reading, lifecycle.engine()));
    }

    private void why(Context request, Caller caller) {
        var reading = readingOf(request, caller);
        var task = taskOf(request, reading);
        var limit = (int) wholeNumber(request, "verdicts", 20, 1000);
        Answers.json(
                request,
                200,
                TaskExplanation.of(reading, task, lifecycle.engine(), workerOf(request), limit));
    }

    private static Optional<WorkerId> workerOf(Context request) {
        try {
            return Optional.ofNullable(request.queryParam("worker")).map(WorkerId::new);
        } catch (IllegalArgumentException invalid) {
            throw new ApiRefusal(
                    400, "Invalid worker parameter", String.valueOf(invalid.getMessage()));
        }
    }

    private void task(Context request, Caller caller) {
        var reading = readingOf(request, caller);
        var task = taskOf(request, reading);
        Answers.json(request, 200, tasks.detail(reading, task, lifecycle.engine()::whyNotYet));
    }

    private static Task taskOf(Context request, JobReading reading) {
        int number;
        try {
            number = Integer.parseInt(request.pathParam("task"));
        } catch (NumberFormatException none) {
            number = -1;
        }
        if (number < 0 || number >= reading.job().tasks().size()) {
            throw new ApiRefusal(
                    404,
                    "Task not found",
                    "job "
                            + reading.job().id()
                            + " has "
                            + reading.job().tasks().size()
                            + " tasks");
        }
        return reading.job().tasks().get(number);
    }

    private void list(Context request, Caller caller) {
        var labels = new LinkedHashMap<String, String>();
        request.queryParamMap()
                .forEach((name, values) -> {
                    if (name.startsWith("label.") && name.length() > 6) {
                        labels.put(name.substring(6), values.getFirst());
                    }
                });
        var limit = (int) wholeNumber(request, "limit", 100, 1000);
        if (limit == 0) {
            throw invalidPage();
        }
        var query =
                new JobQuery(
                        Optional.ofNullable(request.queryParam("status")),
                        Optional.ofNullable(request.queryParam("blueprint")),
                        caller.onlyClient(),
                        labels,
                        Optional.ofNullable(request.queryParam("before")),
                        (int) wholeNumber(request, "offset", 0, Integer.MAX_VALUE),
                        limit);
        var rows = store.list(query).stream().map(row -> (JsonValue) JobDocument.of(row)).toList();
        Answers.json(request, 200, new JsonArray(rows));
    }

    private static long wholeNumber(Context request, String name, long usual, long max) {
        var text = request.queryParam(name);
        if (text == null) {
            return usual;
        }
        try {
            var number = Long.parseLong(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // told below
        }
        throw invalidPage();
    }

    private static ApiRefusal invalidPage() {
        return new ApiRefusal(
                400,
                "Invalid limit/offset parameter",
                "limit is a whole number from 1 to 1000, offset one from 0");
    }

    private static JobId idOf(Context request) {
        var id = request.pathParam("id");
        if (!JobId.isValid(id)) {
            throw notFound();
        }
        return new JobId(id);
    }

    private static ApiRefusal notFound() {
        return new ApiRefusal(404, "Job not found");
    }
}
