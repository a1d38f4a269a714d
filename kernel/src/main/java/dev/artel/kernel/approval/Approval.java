package dev.artel.kernel.approval;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Outcomes;
import java.util.Optional;

/// A question to a person.
///
/// @param step the run of the handler that asked; no other approval of the job has the same
/// @param message what is to be decided, for people
/// @param approvers who may decide without the token
/// @param choices what may be decided, and the state that follows each
/// @param tokenDigest SHA-256 of the token with which every holder may decide, in lower-case hexadecimal; empty: only a client may
/// @param otherwise the state that follows if no person decides in time
public record Approval(
        EffectId step,
        String message,
        Approvers approvers,
        Outcomes choices,
        Optional<String> tokenDigest,
        Optional<String> otherwise) {}
