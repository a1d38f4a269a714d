package dev.artel.worker.server.hub;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The events of one connection, delivered one by one and in order, whatever threads they come from. No thread waits: who
/// finds the queue idle delivers, who finds it busy leaves the event to the one that does.
final class EventQueue {
    private final Executor executor;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean busy;

    EventQueue(Executor executor) {
        this.executor = executor;
    }

    /// Has `event` delivered by the executor, or by the thread that delivers now. Events never throw.
    void post(Runnable event) {
        if (enter(event, Integer.MAX_VALUE) == Entry.TURN) {
            executor.execute(this::deliverAll);
        }
    }

    /// Delivers `event` on this thread, or leaves it to the thread that delivers now.
    ///
    /// @return false if `bound` events wait already; the event is dropped
    boolean deliver(Runnable event, int bound) {
        return switch (enter(event, bound)) {
            case FULL -> false;
            case LEFT -> true;
            case TURN -> {
                deliverAll();
                yield true;
            }
        };
    }

    private enum Entry {
        FULL,
        LEFT,
        TURN
    }

    private synchronized Entry enter(Runnable event, int bound) {
        if (waiting.size() >= bound) {
            return Entry.FULL;
        }
        waiting.add(event);
        if (busy) {
            return Entry.LEFT;
        }
        busy = true;
        return Entry.TURN;
    }

    private void deliverAll() {
        for (var event = next(); event != null; event = next()) {
            event.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        var event = waiting.poll();
        busy = event != null;
        return event;
    }
}
