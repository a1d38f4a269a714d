package dev.artel.client;

import dev.artel.json.JsonObject;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The orchestrator did not do what it was asked for. The cases differ in what to do next.
public sealed class ClientException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final String code;

    private ClientException(String message, String code, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /// Why the orchestrator refused, for programs, such as `job_not_found` or `idempotency_key_reused`; empty if it did not answer.
    public Optional<String> code() {
        return code.isEmpty() ? Optional.empty() : Optional.of(code);
    }

    /// The token is missing, wrong, or does not allow this: use another one.
    public static final class Unauthorized extends ClientException {
        @Serial private static final long serialVersionUID = 1;

        Unauthorized(String message, String code) {
            super(message, code, null);
        }
    }

    /// There is no such job or blueprint, or the token may not see it.
    public static final class NotFound extends ClientException {
        @Serial private static final long serialVersionUID = 1;

        NotFound(String message, String code) {
            super(message, code, null);
        }
    }

    /// The job does not allow it any more, another request was faster, it came too late, or the idempotency key was used for another request.
    public static final class Conflict extends ClientException {
        @Serial private static final long serialVersionUID = 1;

        Conflict(String message, String code) {
            super(message, code, null);
        }
    }

    /// The request makes no sense: change it. Sent again it is refused again.
    public static final class Invalid extends ClientException {
        @Serial private static final long serialVersionUID = 1;

        private final transient List<String> problems;

        Invalid(String message, String code, List<String> problems) {
            super(message, code, null);
            this.problems = List.copyOf(problems);
        }

        /// Each thing that is wrong, with its path; empty if the orchestrator sent one sentence.
        public List<String> problems() {
            return problems;
        }
    }

    /// The orchestrator has too much to do, or starts or stops, and was so for all the time that the client tried:
    /// try again later.
    public static final class TryLater extends ClientException {
        @Serial private static final long serialVersionUID = 1;

        private final transient Duration after;

        TryLater(String message, String code, Duration after) {
            super(message, code, null);
            this.after = after;
        }

        /// How long the orchestrator wants to be left alone.
        public Duration after() {
            return after;
        }
    }

    /// The orchestrator could not be reached, or its answer was lost: whether it did what was asked is not known. A job
    /// can be submitted again, with the same [JobSubmission].
    public static final class Unreachable extends ClientException {
        @Serial private static final long serialVersionUID = 1;

        Unreachable(String message, @Nullable Throwable cause) {
            super(message, "", cause);
        }
    }

    /// The orchestrator failed, or what answered is none.
    public static final class Failed extends ClientException {
        @Serial private static final long serialVersionUID = 1;

        Failed(String message) {
            this(message, "");
        }

        Failed(String message, String code) {
            super(message, code, null);
        }
    }

    /// The job that was waited for has no result, at least not now.
    public abstract static sealed class NoResult extends ClientException
            permits JobFailed, JobCancelled, JobQuarantined, TimedOut {
        @Serial private static final long serialVersionUID = 1;

        private final transient JobView job;

        private NoResult(JobView job, String what) {
            super(
                    "job "
                            + job.job()
                            + " of "
                            + job.blueprint()
                            + " "
                            + what
                            + job.error().map(why -> ": " + why).orElse(""),
                    "",
                    null);
            this.job = job;
        }

        /// The job as it was.
        public JobView job() {
            return job;
        }
    }

    /// The job has failed: its error states why.
    public static final class JobFailed extends NoResult {
        @Serial private static final long serialVersionUID = 1;

        JobFailed(JobView job) {
            super(job, "failed in state " + job.state());
        }
    }

    /// The job was cancelled.
    public static final class JobCancelled extends NoResult {
        @Serial private static final long serialVersionUID = 1;

        JobCancelled(JobView job) {
            super(job, "was cancelled in state " + job.state());
        }
    }

    /// The job waits for a person to release, retry, skip or discard it, and did so when the time was over.
    public static final class JobQuarantined extends NoResult {
        @Serial private static final long serialVersionUID = 1;

        JobQuarantined(JobView job) {
            super(job, "is quarantined in state " + job.state());
        }
    }

    /// The job goes on and had not ended when the time was over: wait again.
    public static final class TimedOut extends NoResult {
        @Serial private static final long serialVersionUID = 1;

        TimedOut(JobView job, Duration waited) {
            super(
                    job,
                    "has not ended after "
                            + waited
                            + ", and is "
                            + job.statusWord()
                            + " in state "
                            + job.state()
                            + job.waitsBecause().stream()
                                    .map(why -> "; " + why)
                                    .collect(Collectors.joining()));
        }
    }

    /// What the answer `status` with `body` means.
    ///
    /// @param attempted for the message, as in "submitting a job"
    static ClientException of(String attempted, int status, JsonObject body, Duration after) {
        var error = body.string("error").or(() -> body.string("title")).orElse("");
        var code = body.string("code").orElse("");
        var detail = body.string("detail").map(text -> " (" + text + ")").orElse("");
        var message = attempted + ": " + status + " " + error + detail;
        return switch (status) {
            case 401, 403 -> new Unauthorized(message, code);
            case 404 -> new NotFound(message, code);
            case 409, 410 -> new Conflict(message, code);
            case 429, 502, 503, 504 -> new TryLater(message, code, after);
            case 400, 405, 413, 415, 422 ->
                    new Invalid(message, code, ApiResponse.problemsOf(body));
            default -> new Failed(message, code);
        };
    }
}
