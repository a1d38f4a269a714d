package dev.artel.kernel.job;

import java.time.Instant;

/// A pending [Effect.WakeAt], as the state keeps it.
///
/// @param id the effect's id
/// @param at wall-clock time, since it outlives the process
public record Alarm(EffectId id, Instant at) {}
