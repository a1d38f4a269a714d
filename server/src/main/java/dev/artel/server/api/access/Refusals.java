package dev.artel.server.api.access;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.Decision;
import io.javalin.http.Context;
import java.time.Duration;

/// Answers clients why a command was refused.
public final class Refusals {
    private static final Duration LATER = Duration.ofSeconds(10);

    private Refusals() {}

    /// Whether `request` has changed something; one that has not is no line of the audit.
    ///
    /// @throws HttpRefusal if the command was not done
    public static boolean changed(Context request, CommandReply reply) {
        return switch (reply) {
            case CommandReply.Done(boolean changed) -> {
                if (!changed) {
                    ApiAuthenticator.changesNothing(request);
                }
                yield changed;
            }
            case CommandReply.Refused(var reason, var detail) -> throw of(reason, detail);
            case CommandReply.TryLater(var after, var detail) ->
                    throw HttpRefusal.later(after, detail);
        };
    }

    /// The answer to a job that was not begun.
    ///
    /// @param noBlueprint what it means that there is no such blueprint
    /// @param noData what it means that the data is not right
    public static HttpRefusal of(
            SubmitReply.Refused refused, HttpRefusal noBlueprint, HttpRefusal noData) {
        return switch (refused.why()) {
            case UNKNOWN_BLUEPRINT -> noBlueprint;
            case INVALID_DATA -> noData;
            case KEY_REUSED -> of(Decision.Reason.KEY_REUSED, refused.detail());
            case JOB_OVER -> of(Decision.Reason.FINAL, refused.detail());
            case SIGNALS_FULL -> of(Decision.Reason.FULL, refused.detail());
        };
    }

    /// The answer to a command that was refused for `reason`.
    public static HttpRefusal of(Decision.Reason reason, String detail) {
        return switch (reason) {
            case UNKNOWN_JOB -> VisibleJobs.notFound();
            case UNKNOWN_TASK ->
                    new HttpRefusal(ErrorCode.TASK_NOT_FOUND, "Task not found", detail);
            case KEY_REUSED ->
                    new HttpRefusal(
                            ErrorCode.IDEMPOTENCY_KEY_REUSED, "Idempotency key reused", detail);
            case STALE_EFFECT, STALE_LEASE ->
                    new HttpRefusal(ErrorCode.OUT_OF_DATE, "Out of date", detail);
            case FINAL -> new HttpRefusal(ErrorCode.JOB_OVER, "Job is over", detail);
            case FULL ->
                    HttpRefusal.later(ErrorCode.RATE_LIMITED, LATER, "Too many signals", detail);
            case NOT_AWAITED -> new HttpRefusal(ErrorCode.NOT_AWAITED, "Not awaited", detail);
            case NO_SUCH_CHOICE ->
                    new HttpRefusal(ErrorCode.INVALID_DECISION, "Invalid decision", detail);
            case NOT_AN_APPROVER ->
                    new HttpRefusal(ErrorCode.NOT_AN_APPROVER, "Not an approver", detail);
            case UNKNOWN_TOKEN ->
                    new HttpRefusal(
                            ErrorCode.INVALID_APPROVAL_TOKEN, "Invalid approval token", detail);
            case TOKEN_USED ->
                    new HttpRefusal(
                            ErrorCode.APPROVAL_TOKEN_USED, "Approval token already used", detail);
            case TOKEN_EXPIRED ->
                    new HttpRefusal(ErrorCode.APPROVAL_EXPIRED, "Approval expired", detail);
        };
    }
}
