package dev.artel.kernel.job;

import dev.artel.kernel.job.Decision.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The part of [Deciding] and of [Folding] that is about webhooks.
final class Notifying {
    /// One event may call many webhooks: the subscriber's number keeps the ids apart from all others.
    private static final int ORDINALS = 1 << 29;

    /// While so many wait, only the end of the job adds another call.
    private static final int MOST = 100;

    private Notifying() {}

    /// A job comes to this by an event.
    private record News(Occasion occasion, Optional<String> detail) {}

    /// `notices` with the calls that `event` causes.
    ///
    /// @param version the number of the event
    static Notices after(
            Notices notices, JobOptions options, JobEvent event, long version, List<Effect> asked) {
        var webhooks = options.webhooks();
        if (webhooks.isEmpty()) {
            return notices;
        }
        var news = news(event);
        var next = notices;
        for (var i = 0; i < webhooks.size() && news.isPresent(); i++) {
            var webhook = webhooks.get(i);
            var occasion = news.get().occasion();
            if (webhook.occasions().contains(occasion)
                    && (event instanceof JobEvent.JobEnded || next.pending().size() < MOST)) {
                var notice =
                        new Notice(
                                new EffectId(version, ORDINALS + i),
                                webhook,
                                occasion,
                                news.get().detail(),
                                event.at());
                next = next.with(notice);
                asked.add(new Effect.CallWebhook(notice.id(), notice));
            }
        }
        return next;
    }

    private static Optional<News> news(JobEvent event) {
        return switch (event) {
            case JobEvent.JobEnded(JobOutcome.Finished _, var _) ->
                    Optional.of(new News(Occasion.FINISHED, Optional.empty()));
            case JobEvent.JobEnded(JobOutcome.Failed(var reason), var _) ->
                    Optional.of(new News(Occasion.FAILED, Optional.of(reason)));
            case JobEvent.JobEnded(JobOutcome.Cancelled(var reason), var _) ->
                    Optional.of(new News(Occasion.CANCELLED, Optional.of(reason)));
            case JobEvent.JobQuarantined(var reason, var _) ->
                    Optional.of(new News(Occasion.QUARANTINED, Optional.of(reason)));
            case JobEvent.ApprovalRequested(var _, var approval, var _, var _) ->
                    Optional.of(new News(Occasion.WAITING, Optional.of(approval.message())));
            case JobEvent.QuestionAsked e ->
                    Optional.of(new News(Occasion.WAITING, Optional.of(e.question().text())));
            case JobEvent.OutcomeUnknown e ->
                    Optional.of(new News(Occasion.WAITING, Optional.of(e.reason())));
            case JobEvent _ -> Optional.empty();
        };
    }

    static Notices delivered(Notices notices, JobEvent.WebhookDelivered event, List<Effect> ended) {
        return over(notices, event.call(), event.attempts(), Optional.empty(), event.at(), ended);
    }

    static Notices givenUp(Notices notices, JobEvent.WebhookGivenUp event, List<Effect> ended) {
        return over(
                notices,
                event.call(),
                event.attempts(),
                Optional.of(event.reason()),
                event.at(),
                ended);
    }

    private static Notices over(
            Notices notices,
            EffectId call,
            int attempts,
            Optional<String> problem,
            Instant at,
            List<Effect> ended) {
        var notice = notices.find(call);
        if (notice.isEmpty()) {
            return notices;
        }
        ended.add(new Effect.CallWebhook(call, notice.get()));
        return notices.over(new Notices.Past(notice.get(), attempts, problem, at));
    }

    static Decision settle(Deciding deciding, Job job, JobCommand.SettleWebhook c) {
        var notices = job.notices();
        if (notices.find(c.call()).isEmpty()) {
            return notices.past().stream().anyMatch(past -> past.notice().id().equals(c.call()))
                    ? deciding.accepted()
                    : new Decision.Rejected(
                            Reason.STALE_EFFECT,
                            "job " + job.id() + ": nobody waits for webhook call " + c.call());
        }
        deciding.emit(
                c.problem()
                        .<JobEvent>map(reason ->
                                new JobEvent.WebhookGivenUp(c.call(), c.attempts(), reason, c.at()))
                        .orElseGet(() ->
                                new JobEvent.WebhookDelivered(c.call(), c.attempts(), c.at())));
        return deciding.accepted();
    }
}
