package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.engine.Submitter;
import dev.artel.kernel.task.JobData;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.NewJobs;
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
    private final NewJobs newJobs;
    private final VisibleJobs visible;
    private final Bodies bodies;

    /// Routes that fork the jobs that `visible` shows.
    ///
    /// @param maxBodyBytes larger bodies are refused
    public ForkRoutes(Lifecycle lifecycle, NewJobs newJobs, VisibleJobs visible, int maxBodyBytes) {
        this.lifecycle = lifecycle;
        this.newJobs = newJobs;
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
        var by = new Submitter(caller.name(), caller.terms(), caller.maxPriority());
        var reply =
                newJobs.begin(
                        caller,
                        key.isPresent() && engine.isKnown(caller.name(), key.get()),
                        () -> engine.fork(row.id(), state, changes, by, key));
        switch (reply) {
            case SubmitReply.Accepted(var job, boolean isNew) -> {
                if (!isNew) {
                    ApiAuthenticator.changesNothing(request);
                }
                Answers.json(
                        request,
                        202,
                        JsonObject.of(
                                "status",
                                JsonValue.of("accepted"),
                                "job_id",
                                JsonValue.of(job.value())));
            }
            case SubmitReply.Refused refused -> {
                var detail = refused.detail();
                throw Refusals.of(
                        refused,
                        new HttpRefusal(ErrorCode.VERSION_NOT_FOUND, "Blueprint not found", detail),
                        new HttpRefusal(
                                ErrorCode.STATE_NEVER_ENTERED, "Job was never there", detail));
            }
            case SubmitReply.TryLater(var after, var detail) ->
                    throw HttpRefusal.later(after, detail);
        }
    }

    private static HttpRefusal invalid(String detail) {
        return new HttpRefusal(ErrorCode.INVALID_BODY, "Invalid body", detail);
    }
}
