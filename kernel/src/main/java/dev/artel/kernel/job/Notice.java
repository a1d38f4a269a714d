package dev.artel.kernel.job;

import java.time.Instant;
import java.util.Optional;

/// One call of a webhook about a job.
///
/// @param id the effect that does so; unique in its job
/// @param detail why, or what is asked; empty where there is nothing to say
/// @param at when it happened
public record Notice(
        EffectId id, Webhook to, Occasion occasion, Optional<String> detail, Instant at) {}
