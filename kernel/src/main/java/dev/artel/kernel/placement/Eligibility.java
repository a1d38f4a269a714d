package dev.artel.kernel.placement;

import dev.artel.kernel.attempt.WorkerId;
import java.util.Optional;

/// What is true of one worker for one task now.
///
/// @param wire over which it gets tasks
/// @param unmetRequirement why it does not take the task; empty: nothing keeps it from it
/// @param givenBack how often it has given tasks back lately, for which it comes behind others
public record Eligibility(
        WorkerId worker, String wire, Optional<UnmetRequirement> unmetRequirement, int givenBack) {
    /// In words.
    public String text() {
        return unmetRequirement.map(UnmetRequirement::text).orElse(worker + " could take it now")
                + (givenBack == 0
                        ? ""
                        : "; it comes behind others, as it has given back tasks "
                                + (givenBack + 1)
                                + " times lately");
    }
}
