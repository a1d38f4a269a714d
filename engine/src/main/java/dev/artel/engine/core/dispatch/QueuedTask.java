package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// An offer that waits. Single-threaded.
final class QueuedTask {
    /// By the number under which it was first queued, within its job.
    static final Comparator<QueuedTask> ORDER =
            (one, other) -> {
                var bySecond = Long.compare(one.second, other.second);
                if (bySecond != 0) {
                    return bySecond;
                }
                var byNano = Integer.compare(one.nanoOfSecond, other.nanoOfSecond);
                return byNano != 0 ? byNano : Integer.compare(one.number, other.number);
            };

    private final Key key;
    private final Effect.Offer offer;

    /// Since when it is open, and its number: what it is compared by, at hand.
    private final long second;

    private final int nanoOfSecond;
    private final int number;

    /// In whose queue it stands; null while it is held back, and while a grant is under way.
    @Nullable DemandClass in;

    /// When it is to be looked at again; null if not by time.
    @Nullable Instant timer;

    /// Whether it stands in no queue until then.
    boolean isHeldBack;

    QueuedTask(Key key, Effect.Offer offer) {
        this.key = key;
        this.offer = offer;
        var opened = offer.opened();
        second = opened.getEpochSecond();
        nanoOfSecond = opened.getNano();
        number = offer.task();
    }

    /// The name of an offer.
    record Key(JobId job, EffectId offer) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            var byJob = job.compareTo(other.job);
            return byJob != 0 ? byJob : offer.compareTo(other.offer);
        }
    }

    Key key() {
        return key;
    }

    JobId job() {
        return key.job();
    }

    Effect.Offer offer() {
        return offer;
    }

    /// Since when it waits for a worker.
    Instant since() {
        return since(offer);
    }

    /// Since when `offer` waits for a worker.
    static Instant since(Effect.Offer offer) {
        return offer.notBefore().isAfter(offer.opened()) ? offer.notBefore() : offer.opened();
    }
}
