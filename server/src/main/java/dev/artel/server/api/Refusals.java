package dev.artel.server.api;

import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Decision;
import java.time.Duration;

/// Says to clients why a command was refused.
final class Refusals {
    private static final Duration LATER = Duration.ofSeconds(10);

    private Refusals() {}

    /// Whether something has changed.
    ///
    /// @throws HttpRefusal if the command was not done
    static boolean changed(CommandReply reply) {
        return switch (reply) {
            case CommandReply.Done(boolean changed) -> changed;
            case CommandReply.Refused(var reason, var detail) -> throw of(reason, detail);
            case CommandReply.TryLater(var after, var detail) ->
                    throw HttpRefusal.later(after, detail);
        };
    }

    static HttpRefusal of(Decision.Reason reason, String detail) {
        return switch (reason) {
            case UNKNOWN_JOB -> VisibleJobs.notFound();
            case UNKNOWN_TASK -> new HttpRefusal(404, "Task not found", detail);
            case KEY_REUSED -> new HttpRefusal(409, "Idempotency key reused", detail);
            case STALE_EFFECT, STALE_LEASE -> new HttpRefusal(409, "Out of date", detail);
            case FINAL -> new HttpRefusal(409, "Job is over", detail);
            case FULL -> HttpRefusal.later(429, LATER, "Too many signals", detail);
            case NOT_AWAITED -> new HttpRefusal(409, "Not awaited", detail);
            case NO_SUCH_CHOICE -> new HttpRefusal(400, "Invalid decision", detail);
            case NOT_AN_APPROVER -> new HttpRefusal(403, "Not an approver", detail);
            case UNKNOWN_TOKEN -> new HttpRefusal(403, "Invalid approval token", detail);
            case TOKEN_USED -> new HttpRefusal(409, "Approval token already used", detail);
            case TOKEN_EXPIRED -> new HttpRefusal(410, "Approval expired", detail);
        };
    }
}
