package dev.artel.server.api.submit;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.TraceContext;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.OpenJobLimit;
import dev.artel.server.api.access.Refusals;
import java.util.Optional;

/// Where jobs of clients enter: their quota, their limit of open jobs, their webhooks. Safe for
/// use by many threads.
public final class SubmissionGate {
    private final Lifecycle lifecycle;
    private final ApiAuthenticator apiAuthenticator;
    private final OpenJobLimit openJobs;

    /// A way to the engine of `lifecycle`.
    public SubmissionGate(
            Lifecycle lifecycle, ApiAuthenticator apiAuthenticator, OpenJobLimit openJobs) {
        this.lifecycle = lifecycle;
        this.apiAuthenticator = apiAuthenticator;
        this.openJobs = openJobs;
    }

    /// The job, which is durable.
    ///
    /// @throws HttpRefusal if there is none
    public JobId accept(Submission asked, Optional<TraceContext> trace, Caller caller) {
        var submission = asked.withTerms(caller.terms()).withTrace(trace);
        var engine = lifecycle.engine();
        refuseBadWebhooks(submission);
        var reply = submitted(engine, submission, caller);
        return switch (reply) {
            case SubmitReply.Accepted(var job, boolean _) -> job;
            case SubmitReply.Refused(var why, var detail, var problems) ->
                    throw switch (why) {
                        case UNKNOWN_BLUEPRINT ->
                                new HttpRefusal(
                                        ErrorCode.BLUEPRINT_NOT_FOUND,
                                        "Blueprint not found",
                                        detail);
                        case INVALID_DATA ->
                                new HttpRefusal(
                                                ErrorCode.INVALID_INITIAL_DATA,
                                                "Invalid initial data",
                                                detail)
                                        .withProblems(problems);
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
        };
    }

    /// What is not made, for whatever reason, costs nothing.
    private SubmitReply submitted(Engine engine, Submission submission, Caller caller) {
        if (engine.isKnown(submission)) {
            // Made before: sent again, it costs nothing, also where the quota is used up by now.
            return engine.submit(submission);
        }
        var place = openJobs.take(caller);
        var isSpent = false;
        var isNew = false;
        try {
            apiAuthenticator.spend(caller, 1);
            isSpent = true;
            var reply = engine.submit(submission);
            isNew = reply instanceof SubmitReply.Accepted(var _, boolean fresh) && fresh;
            return reply;
        } finally {
            place.end(isNew);
            if (isSpent && !isNew) {
                apiAuthenticator.giveBack(caller, 1);
            }
        }
    }

    private void refuseBadWebhooks(Submission submission) {
        for (var webhook : submission.options().webhooks()) {
            webhook.url()
                    .flatMap(lifecycle.webhooks()::problem)
                    .ifPresent(why -> {
                        throw HttpRefusal.invalidJson("webhook_url: " + why);
                    });
        }
    }
}
