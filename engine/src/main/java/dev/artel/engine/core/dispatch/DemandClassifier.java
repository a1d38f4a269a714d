package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.placement.WarmPolicy;
import java.time.Instant;
import java.util.Optional;

/// Which class an offer belongs to at a moment.
final class DemandClassifier {
    private DemandClassifier() {}

    /// @param isWary whether the task came back from workers again and again
    static DemandClass.Key offer(Effect.Offer offer, boolean isWary, Instant now) {
        var task = offer.outline();
        return new DemandClass.Key(
                task.type(),
                task.demand(),
                task.blueprint(),
                offer.client(),
                offer.failedOn(),
                isWarmOnly(offer, now),
                isWary);
    }

    private static boolean isWarmOnly(Effect.Offer offer, Instant now) {
        return switch (offer.outline().demand().preferences().warmPolicy()) {
            case WarmPolicy.Any _ -> false;
            case WarmPolicy.Required _ -> true;
            case WarmPolicy.PreferredFor(var time) -> offer.notBefore().plus(time).isAfter(now);
        };
    }

    /// Until when the offer waits for a warm worker; empty if that is not a matter of time.
    static Optional<Instant> awaitsWarmUntil(Effect.Offer offer) {
        return offer.outline().demand().preferences().warmPolicy()
                        instanceof WarmPolicy.PreferredFor(var time)
                ? Optional.of(offer.notBefore().plus(time))
                : Optional.empty();
    }
}
