package dev.artel.kernel.timer;

import dev.artel.kernel.job.EffectId;
import java.time.Instant;

/// A pending [Effect.ScheduleTimer], as the state keeps it.
///
/// @param id the effect's id
/// @param at wall-clock time, since it outlives the process
public record Timer(EffectId id, Instant at) {}
