package dev.artel.kernel.blueprint;

import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.BlueprintRef;
import java.util.Optional;

/// The definition with which a job goes on, see [Action#replaceDefinition(String)]. Immutable.
public sealed interface Replacement {
    /// The most characters of a definition that a job brings along: 1 Mi.
    int MOST_CHARACTERS = 1 << 20;

    /// A definition as it is written. The engine compiles and keeps it before the job goes on with it.
    ///
    /// @param text for example a process card
    record Written(String text) implements Replacement {
        /// Refuses one that is too long.
        public Written {
            if (text.length() > MOST_CHARACTERS) {
                throw new IllegalArgumentException(
                        "a definition has at most "
                                + MOST_CHARACTERS
                                + " characters, this one has "
                                + text.length());
            }
        }
    }

    /// A definition that the engine knows.
    ///
    /// @param blueprint the definition
    /// @param start the state in which the job goes on
    /// @param guards those of the definition
    /// @param cancelState the state of the definition that handles a cancel; empty: a cancel ends the job
    record Known(BlueprintRef blueprint, String start, Guards guards, Optional<String> cancelState)
            implements Replacement {
        /// Of a definition that is registered, or is about to be.
        public static Known of(Blueprint blueprint) {
            return new Known(
                    blueprint.ref(),
                    blueprint.start().name(),
                    blueprint.guards(),
                    blueprint.cancelState());
        }
    }
}
