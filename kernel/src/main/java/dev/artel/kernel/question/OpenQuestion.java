package dev.artel.kernel.question;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.timer.Timer;
import java.time.Instant;
import java.util.Optional;

/// A question that waits for its answer.
///
/// @param effect the one that waits for the answer
/// @param at when it was asked
/// @param deadline when it is too late for an answer; empty: never
public record OpenQuestion(
        EffectId effect, Question question, Instant at, Optional<Timer> deadline) {
    /// The number by which people name the question, unique in its job.
    public long number() {
        return effect.event();
    }
}
