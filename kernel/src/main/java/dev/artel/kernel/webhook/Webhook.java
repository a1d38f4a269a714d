package dev.artel.kernel.webhook;

import java.util.List;
import java.util.Optional;

/// A receiver of calls about a job; fixed when the job is submitted.
///
/// @param subscriber the id of a subscription, or [#OWN]
/// @param url where the job's own one is; a subscription knows its own
/// @param webhookEventTypes the event types of which it receives calls
public record Webhook(
        String subscriber, Optional<String> url, List<WebhookEventType> webhookEventTypes) {
    /// The subscriber that the client names when it submits the job.
    public static final String OWN = "job";

    /// So many subscribers a job has at most.
    public static final int MOST = 20;

    /// Copies `eventTypes`.
    public Webhook {
        webhookEventTypes = List.copyOf(webhookEventTypes);
    }

    /// The job's own one, with all event types.
    public static Webhook of(String url) {
        return new Webhook(OWN, Optional.of(url), List.of(WebhookEventType.values()));
    }

    /// One of a subscription.
    public static Webhook subscription(String id, List<WebhookEventType> webhookEventTypes) {
        return new Webhook(id, Optional.empty(), webhookEventTypes);
    }
}
