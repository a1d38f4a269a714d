package dev.artel.server.api;

import dev.artel.access.Caller;
import dev.artel.access.Shares;
import dev.artel.approval.ApprovalLinks;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.PayloadStore;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// One job: what it is, what happened to it, what its workers said, and its end.
final class JobRoutes {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private static final int EVENTS_AS_OF_OLD = 10_000;

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final VisibleJobs visible;
    private final ApprovalLinks links;
    private final TaskDocument tasks;
    private final JobDocument jobs;
    private final ApiJson apiJson;
    private final PayloadStore payloads;
    private final HeavyRequests heavy;
    private final Shares waiting;

    JobRoutes(
            Lifecycle lifecycle,
            EventStore store,
            VisibleJobs visible,
            ApiJson apiJson,
            PayloadStore payloads,
            ProgressBoard progress,
            ApprovalLinks links,
            HeavyRequests heavy,
            Shares waiting) {
        this.waiting = waiting;
        this.lifecycle = lifecycle;
        this.store = store;
        this.visible = visible;
        this.links = links;
        this.heavy = heavy;
        tasks = new TaskDocument(apiJson, progress);
        jobs = new JobDocument(apiJson);
        this.apiJson = apiJson;
        this.payloads = payloads;
    }

    void find(Context request, Caller caller) {
        var wanted = Selection.of(request, JobDocument.FIELDS);
        var wait = waitOf(request);
        var engine = lifecycle.engine();
        var id = visible.idOf(request, caller, engine);
        if (!wait.isZero()) {
            awaitEnd(id, wait, caller);
        }
        if (wanted.isAllOf(JobDocument.ROW_FIELDS)) {
            Answers.json(request, 200, wanted.from(JobDocument.of(visible.of(request, caller))));
            return;
        }
        heavy.run(
                HeavyRequests.Kind.READ,
                caller,
                () -> {
                    var reading =
                            JobReading.of(id, engine, store).orElseThrow(VisibleJobs::notFound);
                    var document = jobs.of(reading, engine::whyNotYet, wanted);
                    var asked = ApprovalRoutes.asked(reading.job(), caller, links);
                    Answers.json(
                            request,
                            200,
                            asked.size() == 0
                                    ? document
                                    : wanted.from(document.with("approvals", asked)));
                });
    }

    private void awaitEnd(JobId id, Duration wanted, Caller caller) {
        switch (waiting.take(caller.name())) {
            case ROOM -> {}
            case SHARE_USED ->
                    throw HttpRefusal.later(
                            ErrorCode.RATE_LIMITED,
                            Duration.ofSeconds(1),
                            "Too Many Requests",
                            "Client "
                                    + caller.name()
                                    + " has as many requests that wait for the end of a job as it"
                                    + " leaves to all others; wait for fewer at once, follow"
                                    + " /events, or ask without wait");
            case NO_ROOM ->
                    throw HttpRefusal.later(
                            Duration.ofSeconds(1), "Too many requests wait for the end of a job");
        }
        try {
            var _ = lifecycle.engine().awaitEnd(id, wanted);
        } finally {
            waiting.release(caller.name());
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
            // reported below
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_PARAMETER,
                "Invalid wait parameter",
                "wait is a number of seconds from 0 to 60");
    }

    void cancel(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var reason = "cancelled by client " + caller.name();
        switch (engine.cancel(row.id(), reason)) {
            case CommandReply.Done _ ->
                    Answers.json(
                            request,
                            200,
                            JsonObject.of("status", JsonValue.of("cancellation_request_accepted")));
            case CommandReply.Refused(var why, var detail) -> throw Refusals.of(why, detail);
            case CommandReply.TryLater(var after, var detail) ->
                    throw HttpRefusal.later(after, detail);
        }
    }

    void history(Context request, Caller caller) {
        var after = Numbers.of(request, "after", 0, 0, Long.MAX_VALUE - 1);
        var asked = PageRequest.of(request, "events");
        var behind = asked.number().orElse(after);
        var row = visible.of(request, caller);
        heavy.run(
                HeavyRequests.Kind.READ,
                caller,
                () -> {
                    var page = new Page(asked);
                    page.answer(request, fill(page, row.id(), behind));
                });
    }

    /// The same for clients of the first generation: an array of the first events.
    void historyAsOfOld(Context request, Caller caller) {
        var row = visible.of(request, caller);
        heavy.run(
                HeavyRequests.Kind.READ,
                caller,
                () -> {
                    var page =
                            new Page(new PageRequest("events", EVENTS_AS_OF_OLD, Optional.empty()));
                    var _ = fill(page, row.id(), 0);
                    page.answerArray(request);
                });
    }

    private OptionalLong fill(Page page, JobId job, long behind) {
        var events = new EventDocument(apiJson.ofJob(job, ApiJson.LARGEST_OF_EVENT));
        return HistoryPage.fill(page, job, store, events, behind);
    }

    /// A large value that the job names, as it is kept: never in memory as a whole.
    void value(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var digest = request.pathParam("sha256");
        heavy.run(
                HeavyRequests.Kind.READ,
                caller,
                () -> {
                    var reading =
                            JobReading.of(row.id(), lifecycle.engine(), store)
                                    .orElseThrow(VisibleJobs::notFound);
                    var value =
                            NamedValues.find(reading, digest)
                                    .orElseThrow(() ->
                                            new HttpRefusal(
                                                    ErrorCode.VALUE_NOT_FOUND,
                                                    "Value not found",
                                                    "job "
                                                            + row.id()
                                                            + " names no value of that"
                                                            + " digest"));
                    try (var content = payloads.open(value)) {
                        Answers.stream(request, value.bytes(), content);
                    }
                });
    }

    void task(Context request, Caller caller) {
        var wanted = Selection.of(request, TaskDocument.FIELDS);
        var row = visible.of(request, caller);
        var reading =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound);
        var task = reading.job().tasks().get(number(request, reading));
        Answers.json(
                request, 200, tasks.detail(reading, task, lifecycle.engine()::whyNotYet, wanted));
    }

    void explain(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound);
        var explained =
                JobExplanation.of(
                        reading,
                        lifecycle.engine(),
                        child -> JobReading.of(child, lifecycle.engine(), store),
                        lifecycle.webhooks()::waiting);
        var stuck = StuckRoutes.of(lifecycle, stall -> stall.job().equals(row.id()));
        Answers.json(request, 200, stuck.isEmpty() ? explained : explained.with("stuck", stuck));
    }

    void why(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound);
        var task = reading.job().tasks().get(number(request, reading));
        var limit = (int) Numbers.of(request, "eligibility", 20, 0, 1000);
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
                    ErrorCode.INVALID_PARAMETER,
                    "Invalid worker parameter",
                    String.valueOf(invalid.getMessage()));
        }
    }

    private static int number(Context request, JobReading reading) {
        var number = Numbers.among(request.pathParam("task"), reading.job().tasks().size());
        if (number < 0) {
            throw new HttpRefusal(
                    ErrorCode.TASK_NOT_FOUND,
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
        lines(request, row.id(), OptionalInt.empty());
    }

    void taskLogs(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound);
        var task = OptionalInt.of(number(request, reading));
        lines(request, row.id(), task);
    }

    /// The newest first.
    private void lines(Context request, JobId job, OptionalInt task) {
        var asked = PageRequest.of(request, "logs");
        var before = asked.behind().map(JobRoutes::place);
        var found = store.logs().read(job, task, before, asked.limit());
        var page = new Page(asked);
        Optional<JobLogs.Place> last = Optional.empty();
        for (var entry : found.reversed()) {
            if (!page.isFull()) {
                page.add(
                        JsonObject.builder()
                                .put("task", entry.task())
                                .put("attempt", entry.attempt())
                                .put("number", entry.number())
                                .put("at", ApiJson.of(entry.line().at()))
                                .put("level", entry.line().level())
                                .put("message", entry.line().message())
                                .build());
                last = Optional.of(entry.place());
            }
        }
        page.answer(request, page.isFull() ? last.map(JobLogs.Place::toString) : Optional.empty());
    }

    private static JobLogs.Place place(String text) {
        try {
            return JobLogs.Place.parse(text);
        } catch (IllegalArgumentException noPlace) {
            throw PageRequest.invalid();
        }
    }
}
