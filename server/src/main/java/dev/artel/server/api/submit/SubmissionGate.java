package dev.artel.server.api.submit;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.TraceContext;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.NewJobs;
import dev.artel.server.api.access.Refusals;
import java.util.Optional;

/// Where jobs of clients enter: their quota, their limit of open jobs, their webhooks. Safe for
/// use by many threads.
public final class SubmissionGate {
    private final Lifecycle lifecycle;
    private final NewJobs newJobs;

    /// A way to the engine of `lifecycle`.
    public SubmissionGate(Lifecycle lifecycle, NewJobs newJobs) {
        this.lifecycle = lifecycle;
        this.newJobs = newJobs;
    }

    /// The job, which is durable.
    ///
    /// @throws HttpRefusal if there is none
    public JobId accept(Submission asked, Optional<TraceContext> trace, Caller caller) {
        var submission = asked.withTerms(caller.terms()).withTrace(trace);
        var engine = lifecycle.engine();
        refuseBadWebhooks(submission);
        var reply =
                newJobs.begin(caller, engine.isKnown(submission), () -> engine.submit(submission));
        return switch (reply) {
            case SubmitReply.Accepted(var job, boolean _) -> job;
            case SubmitReply.Refused refused -> {
                var detail = refused.detail();
                throw Refusals.of(
                        refused,
                        new HttpRefusal(
                                ErrorCode.BLUEPRINT_NOT_FOUND, "Blueprint not found", detail),
                        new HttpRefusal(
                                        ErrorCode.INVALID_INITIAL_DATA,
                                        "Invalid initial data",
                                        detail)
                                .withProblems(refused.problems()));
            }
            case SubmitReply.TryLater(var after, var detail) ->
                    throw HttpRefusal.later(after, detail);
        };
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
