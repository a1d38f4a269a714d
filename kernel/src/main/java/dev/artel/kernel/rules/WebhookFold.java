package dev.artel.kernel.rules;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.webhook.WebhookEvent;
import dev.artel.kernel.webhook.WebhookEventType;
import dev.artel.kernel.webhook.WebhookEvents;
import java.time.Instant;
import java.util.Optional;

/// The part of [JobFold] that is about calls of webhooks.
final class WebhookFold {
    /// One event may call many webhooks: the subscriber's number keeps the ids apart from all others.
    private static final int ORDINALS = 1 << 29;

    /// While so many wait, only the end of the job adds another call.
    private static final int MOST = 100;

    private final MutableJob draft;

    WebhookFold(MutableJob draft) {
        this.draft = draft;
    }

    /// Why webhooks are called: what has happened, with its detail.
    private record Trigger(WebhookEventType webhookEventType, Optional<String> detail) {}

    /// Adds the calls that `event` causes, which is the latest one of the job.
    void call(JobEvent event) {
        var webhooks = draft.spec().options().webhooks();
        if (webhooks.isEmpty()) {
            return;
        }
        var trigger = trigger(event);
        for (var i = 0; i < webhooks.size() && trigger.isPresent(); i++) {
            var webhook = webhooks.get(i);
            var webhookEventType = trigger.get().webhookEventType();
            if (webhook.webhookEventTypes().contains(webhookEventType)
                    && (event instanceof JobEvent.JobEnded
                            || draft.webhookEvents.pending().size() < MOST)) {
                var webhookEvent =
                        new WebhookEvent(
                                new EffectId(draft.version, ORDINALS + i),
                                webhook,
                                webhookEventType,
                                trigger.get().detail(),
                                event.at());
                draft.webhookEvents = draft.webhookEvents.with(webhookEvent);
                draft.asked.add(new Effect.CallWebhook(webhookEvent.id(), webhookEvent));
            }
        }
    }

    private static Optional<Trigger> trigger(JobEvent event) {
        return switch (event) {
            case JobEvent.JobEnded(JobOutcome.Finished _, var _) ->
                    Optional.of(new Trigger(WebhookEventType.FINISHED, Optional.empty()));
            case JobEvent.JobEnded(JobOutcome.Failed(var reason), var _) ->
                    Optional.of(new Trigger(WebhookEventType.FAILED, Optional.of(reason)));
            case JobEvent.JobEnded(JobOutcome.Cancelled(var reason), var _) ->
                    Optional.of(new Trigger(WebhookEventType.CANCELLED, Optional.of(reason)));
            case JobEvent.JobQuarantined(var reason, var _) ->
                    Optional.of(new Trigger(WebhookEventType.QUARANTINED, Optional.of(reason)));
            case JobEvent.ApprovalRequested(var _, var approval, var _, var _) ->
                    Optional.of(
                            new Trigger(WebhookEventType.WAITING, Optional.of(approval.message())));
            case JobEvent.QuestionAsked e ->
                    Optional.of(
                            new Trigger(
                                    WebhookEventType.WAITING, Optional.of(e.question().text())));
            case JobEvent.OutcomeUnknown e ->
                    Optional.of(new Trigger(WebhookEventType.WAITING, Optional.of(e.reason())));
            case JobEvent _ -> Optional.empty();
        };
    }

    void delivered(JobEvent.WebhookDelivered e) {
        over(e.call(), e.attempts(), Optional.empty(), e.at());
    }

    void givenUp(JobEvent.WebhookGivenUp e) {
        over(e.call(), e.attempts(), Optional.of(e.reason()), e.at());
    }

    private void over(EffectId call, int attempts, Optional<String> problem, Instant at) {
        var webhookEvent = draft.webhookEvents.find(call);
        if (webhookEvent.isEmpty()) {
            return;
        }
        draft.ended.add(new Effect.CallWebhook(call, webhookEvent.get()));
        draft.webhookEvents =
                draft.webhookEvents.over(
                        new WebhookEvents.Past(webhookEvent.get(), attempts, problem, at));
    }
}
