package dev.artel.kernel.question;

import java.time.Instant;

/// A question of a task that has its answer, for all attempts at the task.
///
/// @param number see [OpenQuestion#number]
/// @param text the answer; one of the choices if there are any
/// @param by who knew
public record Answer(long number, Question question, String text, String by, Instant at) {
    /// How many characters the question and the answer have.
    public int characters() {
        return question.characters() + text.length();
    }
}
