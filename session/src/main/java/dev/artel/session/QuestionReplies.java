package dev.artel.session;

import dev.artel.kernel.engine.QuestionReply;
import dev.artel.kernel.job.Decision;
import dev.artel.protocol.QuestionAnswer;

/// Answers workers with the outcome of their questions.
public final class QuestionReplies {
    private QuestionReplies() {}

    /// The answer to a [SessionOutput.Question].
    public static SessionReply of(QuestionReply reply) {
        return switch (reply) {
            case QuestionReply.Answered(var answer) ->
                    new SessionReply.Message(new QuestionAnswer.Answered(answer));
            case QuestionReply.Waiting(long number) ->
                    new SessionReply.Message(new QuestionAnswer.Parked(number));
            case QuestionReply.Refused(var reason, var detail) ->
                    new SessionReply.Message(new QuestionAnswer.Ignored(word(reason, detail)));
            case QuestionReply.TryLater(var after, var detail) ->
                    new SessionReply.TryLater(after, detail);
        };
    }

    private static String word(Decision.Reason reason, String detail) {
        return switch (reason) {
            case FULL, NOT_AWAITED -> detail;
            case UNKNOWN_JOB,
                    UNKNOWN_TASK,
                    STALE_LEASE,
                    STALE_EFFECT,
                    KEY_REUSED,
                    NO_SUCH_CHOICE,
                    NOT_AN_APPROVER,
                    UNKNOWN_TOKEN,
                    TOKEN_USED,
                    TOKEN_EXPIRED,
                    FINAL ->
                    QuestionAnswer.Ignored.STALE;
        };
    }
}
