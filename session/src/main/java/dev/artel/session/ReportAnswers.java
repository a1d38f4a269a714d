package dev.artel.session;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.CommandReply.TryLater;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.TaskMetrics;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The results of one request, and what became of each.
final class ReportAnswers {
    /// The answer to a report under a lease that another worker holds.
    static final ResultAnswer MISMATCH = ResultAnswer.ignored("mismatch");

    /// The answer to a report under a lease that was never granted.
    static final ResultAnswer NOT_FOUND = ResultAnswer.ignored("not_found");

    final WorkerId worker;
    private final List<TaskResult> results;
    private final List<@Nullable ResultAnswer> answers;
    private @Nullable TryLater trouble;
    private int open;

    ReportAnswers(WorkerId worker, List<TaskResult> results) {
        this.worker = worker;
        this.results = results;
        this.answers = new ArrayList<>(Collections.nCopies(results.size(), null));
        this.open = results.size();
    }

    TaskResult result(int index) {
        return results.get(index);
    }

    void answer(int index, ResultAnswer answer) {
        if (answers.set(index, answer) == null) {
            open--;
        }
    }

    /// The engine has answered a report.
    ///
    /// @param isRevoked whether the lease of the attempt was revoked
    void answer(int index, CommandReply reply, boolean isRevoked) {
        answer(
                index,
                switch (reply) {
                    case CommandReply.Done _ -> ResultAnswer.accepted(result(index).outcome());
                    case CommandReply.Refused(var reason, _) ->
                            ResultAnswer.ignored(isRevoked ? "cancelled" : word(reason));
                    case TryLater later -> {
                        trouble = longer(later);
                        yield ResultAnswer.ignored("late");
                    }
                });
    }

    private TryLater longer(TryLater later) {
        return trouble == null || later.after().compareTo(trouble.after()) > 0 ? later : trouble;
    }

    /// The answer to the request once every result has its own; null before. A result that could not be taken yet
    /// asks for all of them again, which does no harm to the others.
    @Nullable SessionReply reply() {
        if (open > 0) {
            return null;
        }
        if (trouble != null) {
            return new SessionReply.TryLater(trouble.after(), trouble.detail());
        }
        return new SessionReply.Results(
                answers.stream().map(answer -> answer == null ? NOT_FOUND : answer).toList());
    }

    private static String word(Decision.Reason reason) {
        return switch (reason) {
            case UNKNOWN_JOB, UNKNOWN_TASK -> "not_found";
            case STALE_LEASE,
                    STALE_EFFECT,
                    KEY_REUSED,
                    FULL,
                    NOT_AWAITED,
                    NO_SUCH_CHOICE,
                    NOT_AN_APPROVER,
                    UNKNOWN_TOKEN,
                    TOKEN_USED,
                    TOKEN_EXPIRED ->
                    "stale";
            case FINAL -> "late";
        };
    }

    /// The token of a result; null if it has a form that no token has.
    static @Nullable LeaseToken token(TaskResult result) {
        return LeaseTokens.of(result.lease());
    }

    static TaskReport report(TaskOutcome outcome) {
        return switch (outcome) {
            case TaskOutcome.Succeeded(var status, var data) ->
                    new TaskReport.Succeeded(status, Payload.of(data));
            case TaskOutcome.Stored(var status, var data) ->
                    new TaskReport.Succeeded(status, new Payload.Ref(data.sha256(), data.bytes()));
            case TaskOutcome.Failed(var code, var message) ->
                    new TaskReport.Failed(new TaskError(kind(code), code, message));
            case TaskOutcome.CancelledByWorker _ -> new TaskReport.Cancelled();
        };
    }

    /// What a result says of the cost, also in the data of a success.
    static ReportedCost cost(TaskResult result) {
        var metrics = TaskMetrics.of(result.metrics());
        if (metrics.equals(TaskMetrics.NONE)
                && result.outcome() instanceof TaskOutcome.Succeeded(var _, var data)) {
            metrics = TaskMetrics.in(data);
        }
        return metrics.equals(TaskMetrics.NONE)
                ? ReportedCost.NONE
                : new ReportedCost(
                        metrics.costUsd() == null
                                ? OptionalLong.empty()
                                : OptionalLong.of(Spending.nanoRoundedUp(metrics.costUsd())),
                        optional(metrics.tokens()),
                        optional(metrics.calls()));
    }

    private static OptionalLong optional(@Nullable Long amount) {
        return amount == null ? OptionalLong.empty() : OptionalLong.of(amount);
    }

    /// Codes that promise that no other try helps are few; the rest is worth one.
    private static ErrorClass kind(String code) {
        return switch (code) {
            case TaskOutcome.INVALID_INPUT_ERROR -> ErrorClass.INVALID_INPUT;
            case TaskOutcome.PERMANENT_ERROR,
                    TaskOutcome.INVALID_RESULT,
                    TaskOutcome.RESULT_TOO_LARGE,
                    "SECURITY_ERROR",
                    "DEPENDENCY_ERROR",
                    "INTEGRITY_MISMATCH_ERROR",
                    "CONTRACT_VIOLATION_ERROR" ->
                    ErrorClass.PERMANENT;
            default -> ErrorClass.TRANSIENT;
        };
    }
}
