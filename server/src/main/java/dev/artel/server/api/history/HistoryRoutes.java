package dev.artel.server.api.history;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.server.api.access.HeavyRequests;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Numbers;
import dev.artel.server.api.http.Page;
import dev.artel.server.api.http.PageRequest;
import dev.artel.server.api.tasks.TaskRoutes;
import io.javalin.http.Context;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What happened to a job, the large values that it names, and the log of its workers.
public final class HistoryRoutes {
    private static final int EVENTS_AS_OF_OLD = 10_000;

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final VisibleJobs visible;
    private final ApiJson apiJson;
    private final PayloadStore payloads;
    private final HeavyRequests heavy;

    /// Routes that read what is kept of the jobs that `visible` shows.
    public HistoryRoutes(
            Lifecycle lifecycle,
            EventStore store,
            VisibleJobs visible,
            ApiJson apiJson,
            PayloadStore payloads,
            HeavyRequests heavy) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.visible = visible;
        this.apiJson = apiJson;
        this.payloads = payloads;
        this.heavy = heavy;
    }

    /// Lists the events of a job, oldest first.
    public void history(Context request, Caller caller) {
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
    public void historyAsOfOld(Context request, Caller caller) {
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
    public void value(Context request, Caller caller) {
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

    /// Lists what workers wrote of all tasks of a job, newest first.
    public void logs(Context request, Caller caller) {
        var row = visible.of(request, caller);
        lines(request, row.id(), OptionalInt.empty());
    }

    /// Lists what workers wrote of one task, newest first.
    public void taskLogs(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound);
        var task = OptionalInt.of(TaskRoutes.number(request, reading));
        lines(request, row.id(), task);
    }

    /// The newest first.
    private void lines(Context request, JobId job, OptionalInt task) {
        var asked = PageRequest.of(request, "logs");
        var before = asked.behind().map(HistoryRoutes::place);
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
