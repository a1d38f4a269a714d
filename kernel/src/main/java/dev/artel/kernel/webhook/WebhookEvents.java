package dev.artel.kernel.webhook;

import dev.artel.kernel.job.EffectId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The calls of a job's webhooks.
///
/// @param pending calls that are neither delivered nor given up, oldest first
/// @param past the last calls that were delivered or given up, oldest first
public record WebhookEvents(List<WebhookEvent> pending, List<Past> past) {
    /// Nothing.
    public static final WebhookEvents NONE = new WebhookEvents(List.of(), List.of());

    /// How many are remembered when they are over.
    private static final int REMEMBERED = 50;

    /// Copies both.
    public WebhookEvents {
        pending = List.copyOf(pending);
        past = List.copyOf(past);
    }

    /// One that is over.
    ///
    /// @param attempts how often it was tried, as far as is known
    /// @param problem why it was given up; empty if it was delivered
    public record Past(
            WebhookEvent webhookEvent, int attempts, Optional<String> problem, Instant at) {}

    public WebhookEvents with(WebhookEvent webhookEvent) {
        var more = new ArrayList<>(pending);
        more.add(webhookEvent);
        return new WebhookEvents(more, past);
    }

    public WebhookEvents over(Past one) {
        var left = new ArrayList<>(pending);
        left.remove(one.webhookEvent());
        var all = new ArrayList<>(past);
        all.add(one);
        return new WebhookEvents(
                left, all.subList(Math.max(0, all.size() - REMEMBERED), all.size()));
    }

    /// The one that `id` names, if it is pending.
    public Optional<WebhookEvent> find(EffectId id) {
        return pending.stream().filter(webhookEvent -> webhookEvent.id().equals(id)).findFirst();
    }
}
