package dev.artel.kernel.job;

import java.time.Instant;
import java.util.Optional;

/// Why a job stands still until a client resumes it.
///
/// @param effect the one that waits for the client
/// @param by who paused it
/// @param reason why, if they gave a reason
/// @param at since when
public record Pause(EffectId effect, String by, Optional<String> reason, Instant at) {
    /// Who paused it, when and why, after the name of the job.
    public String text() {
        return "is paused since " + at + " by " + by + reason.map(it -> ": " + it).orElse("");
    }
}
