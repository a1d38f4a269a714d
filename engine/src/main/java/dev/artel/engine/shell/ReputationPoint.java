package dev.artel.engine.shell;

import java.time.Instant;

/// What the reputation of a worker was at a time.
///
/// @param at from when on, off by [ReputationHistory#STEP] at most
/// @param score see [dev.artel.kernel.fleet.Reputation#score]
public record ReputationPoint(Instant at, double score) {}
