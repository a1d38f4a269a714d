package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.engine.Submitter;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.OpenJobLimit;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;

/// Beginning new jobs where others were.
public final class ForkRoutes {
    private static final List<String> FIELDS = List.of("state", "data", "idempotency_key");
    private static final int LONGEST_KEY = 200;

    private final Lifecycle lifecycle;
    private final ApiAuthenticator apiAuthenticator;
    private final OpenJobLimit openJobs;
    private final VisibleJobs visible;
    private final Bodies bodies;

    /// Routes that fork the jobs that `visible` shows.
    ///
    /// @param maxBodyBytes larger bodies are refused
    public ForkRoutes(
            Lifecycle lifecycle,
            ApiAuthenticator apiAuthenticator,
            OpenJobLimit openJobs,
            VisibleJobs visible,
            int maxBodyBytes) {
        this.lifecycle = lifecycle;
        this.apiAuthenticator = apiAuthenticator;
        this.openJobs = openJobs;
        this.visible = visible;
        bodies = new Bodies(maxBodyBytes);
    }

    /// Begins a new job in a state of an earlier one, with its data.
    public void fork(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var body = bodies.object(request, FIELDS);
        var state =
                body.string("state")
                        .orElseThrow(() ->
                                invalid("state is missing; name the state in which to begin"));
        var data = body.object("data");
        if (body.has("data") && data.isEmpty()) {
            throw invalid("data must be an object");
        }
        var key =
                body.string("idempotency_key")
                        .or(() -> Optional.ofNullable(request.header("Idempotency-Key")));
        if (key.filter(text -> text.isBlank() || text.length() > LONGEST_KEY).isPresent()
                || (body.has("idempotency_key") && body.string("idempotency_key").isEmpty())) {
            throw invalid("idempotency_key must be a text of 1 to " + LONGEST_KEY + " characters");
        }
        var changes = JobData.of(data.orElse(JsonObject.EMPTY));
        var reply = forked(engine, row.id(), state, changes, caller, key);
        switch (reply) {
            case SubmitReply.Accepted(var job, boolean _) ->
                    Answers.json(
                            request,
                            202,
                            JsonObject.of(
                                    "status",
                                    JsonValue.of("accepted"),
                                    "job_id",
                                    JsonValue.of(job.value())));
            case SubmitReply.Refused(var why, var detail, var _) ->
                    throw switch (why) {
                        case UNKNOWN_BLUEPRINT ->
                                new HttpRefusal(
                                        ErrorCode.VERSION_NOT_FOUND, "Blueprint not found", detail);
                        case INVALID_DATA ->
                                new HttpRefusal(
                                        ErrorCode.STATE_NEVER_ENTERED,
                                        "Job was never there",
                                        detail);
                        case KEY_REUSED ->
                                new HttpRefusal(
                                        ErrorCode.IDEMPOTENCY_KEY_REUSED,
                                        "Idempotency key reused",
                                        detail);
                        case JOB_OVER -> new HttpRefusal(ErrorCode.JOB_OVER, "Job is over", detail);
                        case SIGNALS_FULL -> Refusals.of(Decision.Reason.FULL, detail);
                    };
            case SubmitReply.TryLater(var after, var detail) ->
                    throw HttpRefusal.later(after, detail);
        }
    }

    /// What is not made, for whatever reason, costs nothing.
    private SubmitReply forked(
            Engine engine,
            JobId of,
            String state,
            JobData changes,
            Caller caller,
            Optional<String> key) {
        var by = new Submitter(caller.name(), caller.terms(), caller.maxPriority());
        if (key.isPresent() && engine.isKnown(caller.name(), key.get())) {
            // Made before: sent again, it costs nothing, also where the quota is used up by now.
            return engine.fork(of, state, changes, by, key);
        }
        var place = openJobs.take(caller);
        var isSpent = false;
        var isNew = false;
        try {
            apiAuthenticator.spend(caller, 1);
            isSpent = true;
            var reply = engine.fork(of, state, changes, by, key);
            isNew = reply instanceof SubmitReply.Accepted(var _, boolean fresh) && fresh;
            return reply;
        } finally {
            place.end(isNew);
            if (isSpent && !isNew) {
                apiAuthenticator.giveBack(caller, 1);
            }
        }
    }

    private static HttpRefusal invalid(String detail) {
        return new HttpRefusal(ErrorCode.INVALID_BODY, "Invalid body", detail);
    }
}
