package dev.artel.kernel.engine;

import dev.artel.kernel.job.Decision;
import java.time.Duration;

/// What became of a worker's question.
public sealed interface QuestionReply {
    /// There is an answer; durable.
    record Answered(String answer) implements QuestionReply {}

    /// There is no answer yet. That it was asked is durable.
    ///
    /// @param number see [dev.artel.kernel.question.OpenQuestion#number]
    record Waiting(long number) implements QuestionReply {}

    /// The attempt is not the worker's any more, or is not to ask this.
    record Refused(Decision.Reason reason, String detail) implements QuestionReply {}

    /// Not now; the same may be asked again.
    record TryLater(Duration after, String detail) implements QuestionReply {}
}
