package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Which tasks came back from workers that had not begun them, and in which order workers gave something back. One who has many names gives
/// back little under each of them, and [GivenBack] excuses that: a task that came back again and again goes to a worker of which nothing came back for
/// long. Single-threaded; nothing of it is durable.
final class CameBack {
    /// How long a task is remembered after it came back.
    static final Duration KEPT_FOR = Duration.ofMinutes(10);

    static final int MOST_TASKS = 10_000;

    static final int MOST_HOLDERS = 10_000;

    /// Once may happen to each task.
    private static final int OFTEN = 2;

    /// The one that came back last comes last.
    private final SequencedMap<Delivery, Times> deliveries = new LinkedHashMap<>();

    /// For those that have a token, when a worker with it gave something back last. That which did so last comes last.
    private final SequencedMap<String, Long> holders = new LinkedHashMap<>();

    /// Counts what workers gave back, and those that came.
    private long clock;

    private long now = Long.MIN_VALUE;

    /// Until when some task may be remembered.
    private long until = Long.MIN_VALUE;

    /// What is delivered: an attempt that comes back keeps its number.
    record Delivery(JobId job, int task, int attempt) implements Comparable<Delivery> {
        private static final Comparator<Delivery> ORDER =
                Comparator.comparing(Delivery::job)
                        .thenComparingInt(Delivery::task)
                        .thenComparingInt(Delivery::attempt);

        @Override
        public int compareTo(Delivery other) {
            return ORDER.compare(this, other);
        }
    }

    /// How often a task came back.
    private static final class Times {
        private int count;
        private long last;

        private boolean isOver(long now) {
            return last <= now - KEPT_FOR.toMillis() || last > now;
        }
    }

    /// It is `now`.
    void at(Instant now) {
        this.now = now.toEpochMilli();
        if (this.now >= until) {
            deliveries.clear();
        }
    }

    /// A task came back.
    ///
    /// @param token under which a worker had it
    void count(LeaseToken token) {
        var address = token.address();
        var attempt = token.attempt();
        if (address.isEmpty() || attempt.isEmpty()) {
            return;
        }
        var delivery = new Delivery(address.get().job(), address.get().task(), attempt.getAsInt());
        var known = deliveries.remove(delivery);
        var times = known == null || known.isOver(now) ? new Times() : known;
        times.count = Math.min(OFTEN, times.count + 1);
        times.last = now;
        until = now + KEPT_FOR.toMillis();
        deliveries.put(delivery, times);
        while (deliveries.size() > MOST_TASKS || deliveries.firstEntry().getValue().isOver(now)) {
            deliveries.pollFirstEntry();
        }
    }

    /// Whether an attempt came back again and again.
    boolean isOften(JobId job, int task, int attempt) {
        if (deliveries.isEmpty()) {
            return false;
        }
        @Nullable Times times = deliveries.get(new Delivery(job, task, attempt));
        return times != null && times.count >= OFTEN && !times.isOver(now);
    }

    /// How many tasks are remembered.
    int size() {
        return deliveries.size();
    }

    /// A worker is there from now on.
    ///
    /// @return a number that is higher than all before
    long joined() {
        return ++clock;
    }

    /// A worker gave something back.
    ///
    /// @param holder see [dev.artel.kernel.fleet.WorkerProfile#holder]
    /// @return a number that is higher than all before
    long count(String holder) {
        clock++;
        holders.remove(holder);
        holders.put(holder, clock);
        if (holders.size() > MOST_HOLDERS) {
            holders.pollFirstEntry();
        }
        return clock;
    }

    /// The number at which a worker of `holder` gave something back last; 0 if that is not known.
    long lastOf(String holder) {
        return holders.getOrDefault(holder, 0L);
    }
}
