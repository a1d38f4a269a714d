package dev.artel.server.api.jobs;

import dev.artel.access.Caller;
import dev.artel.access.Shares;
import dev.artel.approval.ApprovalLinks;
import dev.artel.gateway.http.BodyRoom;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.HeavyRequests;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Selection;
import dev.artel.server.api.people.ApprovalRoutes;
import io.javalin.http.Context;
import java.time.Duration;

/// One job: what it is, and what it waits for.
public final class JobRoutes {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final VisibleJobs visible;
    private final ApprovalLinks links;
    private final JobDocument jobs;
    private final HeavyRequests heavy;
    private final Shares waiting;

    /// Routes that read one job.
    ///
    /// @param waiting how many requests may wait for the end of a job at once
    public JobRoutes(
            Lifecycle lifecycle,
            EventStore store,
            VisibleJobs visible,
            ApiJson apiJson,
            ApprovalLinks links,
            HeavyRequests heavy,
            Shares waiting) {
        this.waiting = waiting;
        this.lifecycle = lifecycle;
        this.store = store;
        this.visible = visible;
        this.links = links;
        this.heavy = heavy;
        jobs = new JobDocument(apiJson);
    }

    /// Answers with the job, at once or when it has ended, as the parameter `wait` asks.
    public void find(Context request, Caller caller) {
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
                    BodyRoom.takeAnswer(
                            request,
                            "client " + caller.name(),
                            JobDocument.weight(reading.job(), wanted));
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

    /// Answers with what the job waits for.
    public void explain(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound);
        var explained =
                JobExplanation.of(
                        reading,
                        lifecycle.engine(),
                        child -> JobReading.of(child, lifecycle.engine(), store),
                        lifecycle.webhooks()::waiting,
                        lifecycle.engine()::unreadable);
        var stuck = StuckRoutes.of(lifecycle, stall -> stall.job().equals(row.id()));
        Answers.json(request, 200, stuck.isEmpty() ? explained : explained.with("stuck", stuck));
    }
}
