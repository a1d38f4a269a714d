package dev.artel.gateway.http;

import java.util.Locale;

/// Why a request was answered with an error, for programs. A code keeps its meaning; sentences beside it may change.
public enum ErrorCode {
    /// The request is not HTTP as the orchestrator understands it.
    BAD_REQUEST(400, "The request is not HTTP as the orchestrator understands it."),
    /// A parameter of the address or a header has a value that it cannot have.
    INVALID_PARAMETER(
            400, "A parameter of the address or a header has a value that it cannot have."),
    /// The address has a parameter that the route does not have.
    UNKNOWN_PARAMETER(400, "The address has a parameter that the route does not have."),
    /// The request has two tokens that differ.
    TOKENS_DISAGREE(400, "The request has two tokens that differ."),
    /// The body is not one JSON value.
    INVALID_JSON(400, "The body is not one JSON value."),
    /// The body ended before its announced end.
    INCOMPLETE_BODY(400, "The body ended before its announced end."),
    /// The body is JSON, and not what the route takes.
    INVALID_BODY(400, "The body is JSON, and not what the route takes."),
    /// The body has a field that the route does not have.
    UNKNOWN_FIELD(400, "The body has a field that the route does not have."),
    /// The cursor is not one that a page before has given.
    INVALID_CURSOR(400, "The cursor is not one that a page before has given."),
    /// The approval has no such choice.
    INVALID_DECISION(400, "The approval has no such choice."),
    /// The value that arrived is not the one that was announced.
    VALUE_DAMAGED(400, "The value that arrived is not the one that was announced."),
    /// The request has no token, or one that is not good.
    UNAUTHENTICATED(401, "The request has no token, or one that is not good."),
    /// The token is good, and does not allow this.
    FORBIDDEN(403, "The token is good, and does not allow this."),
    /// A request with the cookie of a session is not from a page of the orchestrator.
    CSRF_REFUSED(
            403, "A request with the cookie of a session is not from a page of the orchestrator."),
    /// Jars of blueprints and process cards cannot be uploaded here.
    UPLOADS_DISABLED(403, "Jars of blueprints and process cards cannot be uploaded here."),
    /// The lease under which the worker acts is over.
    LEASE_OVER(403, "The lease under which the worker acts is over."),
    /// The approval is for others to decide.
    NOT_AN_APPROVER(403, "The approval is for others to decide."),
    /// The token belongs to no approval of the job.
    INVALID_APPROVAL_TOKEN(403, "The token belongs to no approval of the job."),
    /// There is no such route.
    NOT_FOUND(404, "There is no such route."),
    /// There is no such job, or it belongs to another client.
    JOB_NOT_FOUND(404, "There is no such job, or it belongs to another client."),
    /// The job has no such task.
    TASK_NOT_FOUND(404, "The job has no such task."),
    /// No blueprint has the name, or none the version.
    BLUEPRINT_NOT_FOUND(404, "No blueprint has the name, or none the version."),
    /// No worker has the id.
    WORKER_NOT_FOUND(404, "No worker has the id."),
    /// There is no such large value.
    VALUE_NOT_FOUND(404, "There is no such large value."),
    /// No key has the id.
    KEY_NOT_FOUND(404, "No key has the id."),
    /// There is no such subscription to webhooks.
    SUBSCRIPTION_NOT_FOUND(404, "There is no such subscription to webhooks."),
    /// There is no such call of a webhook.
    WEBHOOK_CALL_NOT_FOUND(404, "There is no such call of a webhook."),
    /// A quarantined job takes no such act.
    UNKNOWN_ACT(404, "A quarantined job takes no such act."),
    /// There is no such jar of blueprints.
    JAR_NOT_FOUND(404, "There is no such jar of blueprints."),
    /// There is no such process card, or not the version.
    CARD_NOT_FOUND(404, "There is no such process card, or not the version."),
    /// Neither a blueprint nor a client of the name is paused.
    PAUSE_NOT_FOUND(404, "Neither a blueprint nor a client of the name is paused."),
    /// There is no such schedule, or it belongs to another client.
    SCHEDULE_NOT_FOUND(404, "There is no such schedule, or it belongs to another client."),
    /// The route does not take the method.
    METHOD_NOT_ALLOWED(405, "The route does not take the method."),
    /// The request did not arrive in time.
    REQUEST_TIMEOUT(408, "The request did not arrive in time."),
    /// The job is not where the command needs it to be.
    JOB_IN_WRONG_STATE(409, "The job is not where the command needs it to be."),
    /// The job has ended.
    JOB_OVER(409, "The job has ended."),
    /// The name of the jar, or a version of a blueprint in it, is taken.
    JAR_TAKEN(409, "The name of the jar, or a version of a blueprint in it, is taken."),
    /// Open jobs need a blueprint of the jar.
    JAR_IN_USE(409, "Open jobs need a blueprint of the jar."),
    /// The name and version of the card are those of something else.
    CARD_TAKEN(409, "The name and version of the card are those of something else."),
    /// Open jobs need the card.
    CARD_IN_USE(409, "Open jobs need the card."),
    /// There are as many versions of cards as there may be.
    TOO_MANY_CARDS(409, "There are as many versions of cards as there may be."),
    /// The job has not ended, or something of it is still under way.
    JOB_NOT_OVER(409, "The job has not ended, or something of it is still under way."),
    /// As many blueprints and clients are paused as can be.
    TOO_MANY_PAUSES(409, "As many blueprints and clients are paused as can be."),
    /// The job that started this one has not ended.
    PARENT_NOT_OVER(409, "The job that started this one has not ended."),
    /// The job has gone on since.
    OUT_OF_DATE(409, "The job has gone on since."),
    /// The job does not wait for this, or no longer.
    NOT_AWAITED(409, "The job does not wait for this, or no longer."),
    /// The job was never in the state.
    STATE_NEVER_ENTERED(409, "The job was never in the state."),
    /// The version of the blueprint that the job needs is not registered.
    VERSION_NOT_FOUND(409, "The version of the blueprint that the job needs is not registered."),
    /// The idempotency key was used for another request.
    IDEMPOTENCY_KEY_REUSED(409, "The idempotency key was used for another request."),
    /// The token of an approval works once.
    APPROVAL_TOKEN_USED(409, "The token of an approval works once."),
    /// As many keys or secrets are good as there may be.
    TOO_MANY_KEYS(409, "As many keys or secrets are good as there may be."),
    /// There are as many subscriptions as there may be.
    TOO_MANY_SUBSCRIPTIONS(409, "There are as many subscriptions as there may be."),
    /// The subscription is in the configuration, and changes there.
    SUBSCRIPTION_CONFIGURED(409, "The subscription is in the configuration, and changes there."),
    /// The call of a webhook is being made.
    WEBHOOK_CALL_UNDER_WAY(409, "The call of a webhook is being made."),
    /// The name of the schedule is that of another client's.
    SCHEDULE_TAKEN(409, "The name of the schedule is that of another client's."),
    /// The schedule is written in a file or beside a blueprint, and changes there.
    SCHEDULE_CONFIGURED(
            409, "The schedule is written in a file or beside a blueprint, and changes there."),
    /// There are as many schedules as there may be.
    TOO_MANY_SCHEDULES(409, "There are as many schedules as there may be."),
    /// As many runs that persons asked for wait as may.
    TOO_MANY_RUNS(409, "As many runs of the schedule that persons asked for wait as may."),
    /// Another client is logged in at the browser.
    SESSION_OPEN(409, "Another client is logged in at the browser."),
    /// A file of the configuration has something that cannot be used.
    CONFIGURATION_INVALID(409, "A file of the configuration has something that cannot be used."),
    /// The time to decide is over.
    APPROVAL_EXPIRED(410, "The time to decide is over."),
    /// The body is larger than the route takes, or its value would take more memory than there is for one.
    BODY_TOO_LARGE(
            413,
            "The body is larger than the route takes, or its value would take more memory than"
                    + " there is for one."),
    /// A value is larger than the orchestrator keeps.
    VALUE_TOO_LARGE(413, "A value is larger than the orchestrator keeps."),
    /// Under its lease a worker has sent more values than it may.
    TOO_MANY_VALUES(413, "Under its lease a worker has sent more values than it may."),
    /// The address is too long.
    URI_TOO_LONG(414, "The address is too long."),
    /// Something in the jar cannot be used.
    INVALID_JAR(422, "Something in the jar cannot be used."),
    /// The process card cannot be run; problems has why.
    INVALID_CARD(422, "The process card cannot be run; problems has why."),
    /// The initial data do not fit the blueprint.
    INVALID_INITIAL_DATA(422, "The initial data do not fit the blueprint."),
    /// The client or worker sends more than its limits allow; Retry-After states when it may go on.
    RATE_LIMITED(
            429,
            "The client or worker sends more than its limits allow; Retry-After states when it may go on."),
    /// As many jobs of the client are open as may be; Retry-After states when to try again.
    TOO_MANY_OPEN_JOBS(
            429,
            "As many jobs of the client are open as may be; Retry-After states when to try again."),
    /// The headers are too large.
    HEADERS_TOO_LARGE(431, "The headers are too large."),
    /// The orchestrator failed; its log has more.
    INTERNAL_ERROR(500, "The orchestrator failed; its log has more."),
    /// What is stored cannot be read.
    STORED_DATA_UNREADABLE(500, "What is stored cannot be read."),
    /// Not now: the orchestrator starts, stops or is too busy; Retry-After states when to try again.
    UNAVAILABLE(
            503,
            "Not now: the orchestrator starts, stops or is too busy; Retry-After states when to try again."),
    /// The store does not answer, or has no room.
    STORE_UNAVAILABLE(503, "The store does not answer, or has no room.");

    private final int status;
    private final String meaning;

    ErrorCode(int status, String meaning) {
        this.status = status;
        this.meaning = meaning;
    }

    /// The code of an answer of which only the `status` is known.
    public static ErrorCode of(int status) {
        return switch (status) {
            case 401 -> UNAUTHENTICATED;
            case 403 -> FORBIDDEN;
            case 404 -> NOT_FOUND;
            case 405 -> METHOD_NOT_ALLOWED;
            case 408 -> REQUEST_TIMEOUT;
            case 413 -> BODY_TOO_LARGE;
            case 414 -> URI_TOO_LONG;
            case 429 -> RATE_LIMITED;
            case 431 -> HEADERS_TOO_LARGE;
            // A method, a coding or a version that there is not.
            case 501, 505 -> BAD_REQUEST;
            case 503 -> UNAVAILABLE;
            default -> status < 500 ? BAD_REQUEST : INTERNAL_ERROR;
        };
    }

    /// The code as answers have it, in lower case.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The HTTP status of such answers.
    public int status() {
        return status;
    }

    /// What it means, in one sentence for people.
    public String meaning() {
        return meaning;
    }
}
