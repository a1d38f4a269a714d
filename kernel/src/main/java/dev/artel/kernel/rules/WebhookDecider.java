package dev.artel.kernel.rules;

import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;

/// Decides what comes of the calls of webhooks that were made or given up.
final class WebhookDecider {
    private final Draft draft;

    WebhookDecider(Draft draft) {
        this.draft = draft;
    }

    Decision settle(Job job, JobCommand.SettleWebhook c) {
        var webhookEvents = job.webhookEvents();
        if (webhookEvents.find(c.call()).isEmpty()) {
            return webhookEvents.past().stream()
                            .anyMatch(past -> past.webhookEvent().id().equals(c.call()))
                    ? draft.accepted()
                    : new Decision.Rejected(
                            Reason.STALE_EFFECT,
                            "job " + job.id() + ": it does not wait for webhook call " + c.call());
        }
        draft.emit(
                c.problem()
                        .<JobEvent>map(reason ->
                                new JobEvent.WebhookGivenUp(c.call(), c.attempts(), reason, c.at()))
                        .orElseGet(() ->
                                new JobEvent.WebhookDelivered(c.call(), c.attempts(), c.at())));
        return draft.accepted();
    }
}
