package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Flags;
import dev.artel.server.api.jobs.ListRoutes;
import io.javalin.http.Context;
import java.util.List;

/// What people do about quarantined jobs, one by one or all that a filter lets through.
public final class QuarantineRoutes {
    private static final String TITLE = "Invalid body";

    private final Lifecycle lifecycle;
    private final VisibleJobs visible;
    private final ListRoutes lists;
    private final ApiAuthenticator apiAuthenticator;
    private final Bodies bodies;

    /// Routes that resolve the quarantine of jobs.
    ///
    /// @param lists finds those of [#resolveAll]
    /// @param maxBodyBytes larger bodies are refused
    public QuarantineRoutes(
            Lifecycle lifecycle,
            VisibleJobs visible,
            ListRoutes lists,
            ApiAuthenticator apiAuthenticator,
            int maxBodyBytes) {
        this.apiAuthenticator = apiAuthenticator;
        this.lifecycle = lifecycle;
        this.visible = visible;
        this.lists = lists;
        bodies = new Bodies(maxBodyBytes);
    }

    /// Takes one job out of quarantine, as the path names it.
    public void resolve(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var how = resolution(request);
        var _ = Refusals.changed(request, engine.resolve(row.id(), how, nameOf(caller)));
        var changes = how instanceof QuarantineAction.Retry(var data) ? data : JobData.EMPTY;
        Answers.json(request, 200, answer(how.text(), row.id(), changes));
    }

    /// Takes a job that waits or is quarantined back to where it was.
    public void rewind(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var body = bodies.object(request, List.of("state", "data"));
        var state = Bodies.text(body, "state", "", TITLE);
        if (state.isEmpty()) {
            throw invalid("state is missing; name the state to which the job is to go back");
        }
        var changes = JobData.of(data(body));
        var _ = Refusals.changed(request, engine.rewind(row.id(), state, changes, nameOf(caller)));
        Answers.json(request, 200, answer("rewound", row.id(), changes));
    }

    /// Lists the handlers that read `changes`, as far as the definition of the job is there.
    private JsonObject answer(String status, JobId id, JobData changes) {
        var answer = JsonObject.builder().put("status", status);
        if (!changes.values().isEmpty()) {
            var engine = lifecycle.engine();
            engine.find(id)
                    .flatMap(job -> engine.blueprints().of(job.spec().blueprint()))
                    .ifPresent(blueprint ->
                            new DataReaders(blueprint)
                                    .describe(changes.values().sequencedKeySet(), answer));
        }
        return answer.build();
    }

    private static JsonObject data(JsonObject body) {
        var data = body.object("data");
        if (body.has("data") && data.isEmpty()) {
            throw invalid("data must be an object");
        }
        return data.orElse(JsonObject.EMPTY);
    }

    /// One page of the filter at a time; each job stands for itself, and counts as a request against the rate of the client.
    public void resolveAll(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var how = resolution(request);
        var isDry = Flags.of(request, "dry_run");
        var wanted = ListRoutes.jobs(request);
        var taken = isDry ? 0 : apiAuthenticator.takeForJobs(caller, wanted.limit());
        var asked = isDry ? wanted : wanted.withLimit(taken);
        var tally = new BulkTally(isDry);
        try {
            var page = lists.quarantinedOf(request, asked, caller);
            tally.matched(page.rows().size(), 0);
            if (!isDry) {
                page.rows()
                        .forEach(row ->
                                tally.add(
                                        row.id(),
                                        BulkTally.outcome(() ->
                                                engine.resolve(row.id(), how, nameOf(caller)))));
            }
            tally.answer(request, asked.cursorBehind(page.next()));
        } finally {
            apiAuthenticator.giveBackForJobs(caller, taken - tally.reached());
        }
    }

    private static String nameOf(Caller caller) {
        return "client " + caller.name();
    }

    private QuarantineAction resolution(Context request) {
        return switch (request.pathParam("act")) {
            case "release" -> {
                var _ = bodies.object(request, List.of());
                yield new QuarantineAction.Release();
            }
            case "retry" -> {
                var body = bodies.object(request, List.of("data"));
                yield new QuarantineAction.Retry(JobData.of(data(body)));
            }
            case "skip" -> {
                var body = bodies.object(request, List.of("status", "result"));
                yield new QuarantineAction.Skip(
                        Bodies.text(body, "status", TaskReport.Succeeded.SUCCESS, TITLE),
                        Payload.of(body.get("result").orElse(JsonObject.EMPTY)));
            }
            case "discard" -> {
                var body = bodies.object(request, List.of("reason"));
                yield new QuarantineAction.Discard(
                        Bodies.text(body, "reason", "no reason given", TITLE));
            }
            default ->
                    throw new HttpRefusal(
                            ErrorCode.UNKNOWN_ACT,
                            "Unknown act",
                            "there are release, retry, skip and discard");
        };
    }

    private static HttpRefusal invalid(String detail) {
        return new HttpRefusal(ErrorCode.INVALID_BODY, TITLE, detail);
    }
}
