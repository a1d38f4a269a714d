package dev.artel.kernel.rules;

import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.webhook.WebhookEvent;
import dev.artel.kernel.webhook.WebhookEventType;
import dev.artel.kernel.webhook.WebhookEvents;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The part of [JobDecider] and of [JobFold] that is about webhooks.
final class WebhookDecider {
    /// One event may call many webhooks: the subscriber's number keeps the ids apart from all others.
    private static final int ORDINALS = 1 << 29;

    /// While so many wait, only the end of the job adds another call.
    private static final int MOST = 100;

    private WebhookDecider() {}

    /// A job comes to this by an event.
    private record News(WebhookEventType webhookEventType, Optional<String> detail) {}

    /// `notices` with the calls that `event` causes.
    ///
    /// @param version the number of the event
    static WebhookEvents after(
            WebhookEvents webhookEvents,
            JobOptions options,
            JobEvent event,
            long version,
            List<Effect> asked) {
        var webhooks = options.webhooks();
        if (webhooks.isEmpty()) {
            return webhookEvents;
        }
        var news = news(event);
        var next = webhookEvents;
        for (var i = 0; i < webhooks.size() && news.isPresent(); i++) {
            var webhook = webhooks.get(i);
            var webhookEventType = news.get().webhookEventType();
            if (webhook.webhookEventTypes().contains(webhookEventType)
                    && (event instanceof JobEvent.JobEnded || next.pending().size() < MOST)) {
                var webhookEvent =
                        new WebhookEvent(
                                new EffectId(version, ORDINALS + i),
                                webhook,
                                webhookEventType,
                                news.get().detail(),
                                event.at());
                next = next.with(webhookEvent);
                asked.add(new Effect.CallWebhook(webhookEvent.id(), webhookEvent));
            }
        }
        return next;
    }

    private static Optional<News> news(JobEvent event) {
        return switch (event) {
            case JobEvent.JobEnded(JobOutcome.Finished _, var _) ->
                    Optional.of(new News(WebhookEventType.FINISHED, Optional.empty()));
            case JobEvent.JobEnded(JobOutcome.Failed(var reason), var _) ->
                    Optional.of(new News(WebhookEventType.FAILED, Optional.of(reason)));
            case JobEvent.JobEnded(JobOutcome.Cancelled(var reason), var _) ->
                    Optional.of(new News(WebhookEventType.CANCELLED, Optional.of(reason)));
            case JobEvent.JobQuarantined(var reason, var _) ->
                    Optional.of(new News(WebhookEventType.QUARANTINED, Optional.of(reason)));
            case JobEvent.ApprovalRequested(var _, var approval, var _, var _) ->
                    Optional.of(
                            new News(WebhookEventType.WAITING, Optional.of(approval.message())));
            case JobEvent.QuestionAsked e ->
                    Optional.of(
                            new News(WebhookEventType.WAITING, Optional.of(e.question().text())));
            case JobEvent.OutcomeUnknown e ->
                    Optional.of(new News(WebhookEventType.WAITING, Optional.of(e.reason())));
            case JobEvent _ -> Optional.empty();
        };
    }

    static WebhookEvents delivered(
            WebhookEvents webhookEvents, JobEvent.WebhookDelivered event, List<Effect> ended) {
        return over(
                webhookEvents, event.call(), event.attempts(), Optional.empty(), event.at(), ended);
    }

    static WebhookEvents givenUp(
            WebhookEvents webhookEvents, JobEvent.WebhookGivenUp event, List<Effect> ended) {
        return over(
                webhookEvents,
                event.call(),
                event.attempts(),
                Optional.of(event.reason()),
                event.at(),
                ended);
    }

    private static WebhookEvents over(
            WebhookEvents webhookEvents,
            EffectId call,
            int attempts,
            Optional<String> problem,
            Instant at,
            List<Effect> ended) {
        var webhookEvent = webhookEvents.find(call);
        if (webhookEvent.isEmpty()) {
            return webhookEvents;
        }
        ended.add(new Effect.CallWebhook(call, webhookEvent.get()));
        return webhookEvents.over(
                new WebhookEvents.Past(webhookEvent.get(), attempts, problem, at));
    }

    static Decision settle(JobDecider jobDecider, Job job, JobCommand.SettleWebhook c) {
        var webhookEvents = job.webhookEvents();
        if (webhookEvents.find(c.call()).isEmpty()) {
            return webhookEvents.past().stream()
                            .anyMatch(past -> past.webhookEvent().id().equals(c.call()))
                    ? jobDecider.accepted()
                    : new Decision.Rejected(
                            Reason.STALE_EFFECT,
                            "job " + job.id() + ": nobody waits for webhook call " + c.call());
        }
        jobDecider.emit(
                c.problem()
                        .<JobEvent>map(reason ->
                                new JobEvent.WebhookGivenUp(c.call(), c.attempts(), reason, c.at()))
                        .orElseGet(() ->
                                new JobEvent.WebhookDelivered(c.call(), c.attempts(), c.at())));
        return jobDecider.accepted();
    }
}
