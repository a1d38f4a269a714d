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
                var byTime = Long.compare(one.opened, other.opened);
                return byTime != 0 ? byTime : Integer.compare(one.number, other.number);
            };

    /// The last second of which the nanoseconds since 1970 are a number of 64 bits, and the first with a minus.
    private static final long LAST_SECOND = Long.MAX_VALUE / 1_000_000_000 - 1;

    private final Key key;
    private final Effect.Offer offer;

    /// Since when it is open, in nanoseconds since 1970, and its number: what it is compared by, at hand. A million tasks wait, and each
    /// field of eight bytes counts.
    private final long opened;

    private final int number;

    /// In whose queue it stands; null while it is held back, and while a grant is under way.
    @Nullable DemandClass in;

    /// When it is to be looked at again; null if not by time.
    @Nullable Instant timer;

    QueuedTask(Key key, Effect.Offer offer) {
        this.key = key;
        this.offer = offer;
        var at = offer.opened();
        var second = Math.clamp(at.getEpochSecond(), -LAST_SECOND, LAST_SECOND);
        opened = second * 1_000_000_000 + at.getNano();
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
