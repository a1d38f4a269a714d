package dev.artel.kernel.engine;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEvent;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Calls webhooks when jobs end, are quarantined or wait for a person. Safe for use by many threads; no call waits for
/// a receiver.
public interface Notifier {
    /// The webhooks of a new job of `blueprint`, beside the one that its client has named.
    List<Webhook> subscribers(String blueprint);

    /// Sends `notice` until the receiver accepts it or it is given up. The notice is durable, the job may have
    /// changed since.
    ///
    /// @param client whose job it is
    /// @param onReply receives the result once, from any thread
    void deliver(JobId job, String client, WebhookEvent webhookEvent, Consumer<Reply> onReply);

    /// Whether [#deliver] would take a notice like this of a job of `client` at this moment.
    boolean hasRoom(String client, WebhookEvent webhookEvent);

    /// Whether a call is still being made or waits to be made.
    boolean holds(JobId job, EffectId call);

    /// What became of a notice.
    sealed interface Reply {}

    /// There is no room for it now: it is to be handed over again later.
    record NoRoom() implements Reply {}

    /// How the delivery of a notice went.
    ///
    /// @param attempts how often it was tried
    /// @param problem why it was given up; empty if it was heard
    record End(int attempts, Optional<String> problem) implements Reply {}
}
