package dev.artel.engine.core.watch;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;

/// What was seen of a job at one moment.
///
/// @param durable the fold of what is durable; empty if there is nothing
/// @param inMemory the version of the job in memory; empty if it is not there
/// @param isBusy whether the engine processes it, so that what is seen proves little
/// @param unheld what it asks for and no holder has
/// @param lost why a child will never report its end
/// @param slots the leases for which it takes up slots
/// @param overdue its leases that are over and held on, with the time since when
/// @param parent the fold of what is durable of the job that started it; empty if there is none
/// @param signals the ids of signals that were acknowledged
/// @param now the wall clock
public record StallSnapshot(
        JobId job,
        Optional<Job> durable,
        OptionalLong inMemory,
        boolean isBusy,
        List<Effect> unheld,
        SequencedMap<EffectId, String> lost,
        List<LeaseToken> slots,
        SequencedMap<LeaseToken, Instant> overdue,
        Optional<Job> parent,
        List<String> signals,
        Instant now) {
    /// Copies the collections.
    public StallSnapshot {
        unheld = List.copyOf(unheld);
        lost = new LinkedHashMap<>(lost);
        slots = List.copyOf(slots);
        overdue = new LinkedHashMap<>(overdue);
        signals = List.copyOf(signals);
    }
}
