package dev.artel.server.feed;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/// What happens to workers, kept for a while. Positions begin with the process, so that those of an earlier one are not
/// known. Safe for use by many threads.
public final class FleetEvents {
    private static final int KEPT = 4_096;

    private final Deque<Item> newest = new ArrayDeque<>();
    private final Set<EventWaiter> eventWaiters = ConcurrentHashMap.newKeySet();
    private final long begin;
    private volatile BiConsumer<String, JsonObject> watch = (_, _) -> {};
    private long last;

    /// Something that happened.
    ///
    /// @param type in words and dots, as in `worker.joined`
    public record Item(long position, String type, JsonObject what) {}

    /// What happened behind a position.
    ///
    /// @param complete false if some of it is no longer known: a reader must look at the fleet itself
    record Since(List<Item> items, boolean complete) {}

    /// Nothing yet.
    ///
    /// @param begin what the positions begin behind; to be higher than any that an earlier process gave, such as the
    ///     microseconds since 1970
    public FleetEvents(long begin) {
        this.begin = begin;
        this.last = begin;
    }

    /// Publishes an event to the readers. Does not wait.
    public void publish(String type, JsonObject what) {
        synchronized (newest) {
            last++;
            newest.add(new Item(last, type, what));
            if (newest.size() > KEPT) {
                newest.remove();
            }
        }
        eventWaiters.forEach(EventWaiter::ring);
        watch.accept(type, what);
    }

    /// A worker gets no more tasks, or gets some again.
    ///
    /// @param by the operator
    public void drains(WorkerId worker, boolean drains, String by) {
        publish(
                drains ? "worker.draining" : "worker.undrained",
                JsonObject.builder()
                        .put("worker_id", worker.value())
                        .put("by", by)
                        .put("at", Instant.now().toString())
                        .build());
    }

    /// Who hears of it from now on, by its type and what it is; must not wait.
    public void addListener(BiConsumer<String, JsonObject> who) {
        watch = who;
    }

    EventWaiter waiter() {
        var eventWaiter = new EventWaiter(eventWaiters::remove);
        eventWaiters.add(eventWaiter);
        return eventWaiter;
    }

    long lastPosition() {
        synchronized (newest) {
            return last;
        }
    }

    Since after(long position) {
        synchronized (newest) {
            var first = newest.isEmpty() ? last : newest.getFirst().position() - 1;
            var items = new ArrayList<Item>();
            for (var item : newest) {
                if (item.position() > position) {
                    items.add(item);
                }
            }
            return new Since(items, position >= Math.max(begin, first) && position <= last);
        }
    }
}
