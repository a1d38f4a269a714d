package dev.artel.kernel.webhook;

import dev.artel.kernel.job.EffectId;
import java.time.Instant;
import java.util.Optional;

/// One call of a webhook about a job.
///
/// @param id the effect that does so; unique in its job
/// @param detail why, or what is asked; empty where there is nothing to add
/// @param at when it happened
public record WebhookEvent(
        EffectId id,
        Webhook to,
        WebhookEventType webhookEventType,
        Optional<String> detail,
        Instant at) {}
