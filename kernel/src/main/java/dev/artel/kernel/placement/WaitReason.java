package dev.artel.kernel.placement;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Why a queued task has no worker yet.
///
/// @param text in one sentence
/// @param workers how many workers the fleet has
/// @param refused how many of them each reason refused
public record WaitReason(String text, int workers, SequencedMap<Refusal, Integer> refused) {
    /// Copies `refused`.
    public WaitReason {
        refused = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(refused));
    }
}
