package dev.artel.webhook;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.webhook.WebhookEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A pending webhook call of a job.
///
/// @param host where; empty if the subscription was removed
/// @param tries empty: there is no room for it in memory yet
/// @param end when it is given up at the latest
public record WaitingCall(
        WebhookEvent webhookEvent, Optional<String> host, Optional<Tries> tries, Instant end) {
    /// How it went so far.
    ///
    /// @param call which call it is
    /// @param error the outcome of the last attempt
    /// @param next when it is tried next; empty: it is being called, or is next in turn
    record Tries(EffectId call, int attempts, Optional<String> error, Optional<Instant> next) {
        static Tries of(WebhookDelivery webhookDelivery) {
            return new Tries(
                    webhookDelivery.call.orElseThrow(),
                    webhookDelivery.attempts,
                    last(webhookDelivery.tries()).flatMap(WebhookDelivery.Attempt::error),
                    webhookDelivery.next);
        }

        private static <T> Optional<T> last(List<T> all) {
            return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
        }
    }

    /// When it is tried next, if that is later.
    public Optional<Instant> next() {
        return tries.flatMap(Tries::next);
    }

    /// What is waited for, in words.
    public String text() {
        var to =
                webhookEvent.to().url().isPresent()
                        ? ""
                        : ", subscription " + webhookEvent.to().subscriber();
        return "it still has to notify "
                + host.orElse("a receiver that is gone")
                + to
                + " of "
                + webhookEvent.webhookEventType().text()
                + " (call "
                + webhookEvent.id()
                + "): "
                + progress();
    }

    private String progress() {
        if (host.isEmpty()) {
            return "the subscription was removed, so it is given up with the next attempt";
        }
        if (tries.isEmpty()) {
            return "more calls wait than there is room for, so it waits in the store";
        }
        var known = tries.get();
        var last = known.error().map(error -> ", the last time: " + error).orElse("");
        var when = known.next().map(at -> "tried again at " + at).orElse("being called now");
        return known.attempts() == 0
                ? "it is the turn of others, or " + when
                : "tried " + known.attempts() + " times" + last + "; " + when;
    }
}
