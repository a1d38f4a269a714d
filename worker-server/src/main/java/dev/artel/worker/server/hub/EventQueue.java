package dev.artel.worker.server.hub;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The events of one connection, delivered one by one and in order, whatever threads they come from. Who finds the queue idle delivers, who
/// finds it busy leaves the event to the one that does. No thread waits but the one that reads from the peer, while what it has read and
/// handlers have not seen is too much.
final class EventQueue {
    /// How many bytes events may hold that wait, before nothing more is read from the peer.
    static final long MOST_WEIGHT = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(EventQueue.class);

    private final Executor executor;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long weight;
    private boolean busy;
    private boolean isOver;

    private record Waiting(Runnable event, long weight) {}

    EventQueue(Executor executor) {
        this.executor = executor;
    }

    /// Has `event` delivered by the executor, or by the thread that delivers now. Events never throw.
    void post(Runnable event) {
        post(event, 0);
    }

    /// The same for an event that the peer has caused.
    ///
    /// @param weight about how many bytes it holds
    void post(Runnable event, long weight) {
        if (enter(new Waiting(event, weight), Integer.MAX_VALUE) == Entry.TURN) {
            execute();
        }
    }

    /// An executor that is shut down leaves the events to this thread, so that none is lost, and the next ones have their turn.
    private void execute() {
        try {
            executor.execute(this::deliverAll);
        } catch (RejectedExecutionException shutDown) {
            LOG.atDebug().setCause(shutDown).log("the executor of handlers takes nothing more");
            deliverAll();
        }
    }

    /// Delivers `event` on this thread, or leaves it to the thread that delivers now.
    ///
    /// @param weight about how many bytes it holds
    void deliver(Runnable event, long weight) {
        var _ = deliver(event, Integer.MAX_VALUE, weight);
    }

    /// The same, unless too many wait.
    ///
    /// @param weight about how many bytes it holds
    /// @return false if `bound` events wait already; the event is dropped
    boolean deliver(Runnable event, int bound, long weight) {
        return switch (enter(new Waiting(event, weight), bound)) {
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

    private synchronized Entry enter(Waiting event, int bound) {
        if (waiting.size() >= bound) {
            return Entry.FULL;
        }
        waiting.add(event);
        weight += event.weight();
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

    /// Waits while more than [#MOST_WEIGHT] waits, for the thread that reads from the peer and delivers nothing itself; not beyond the
    /// end of the connection.
    synchronized void awaitRoom() {
        try {
            while (weight > MOST_WEIGHT && !isOver) {
                wait();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// The connection has ended: what waits is delivered, and nobody waits for that.
    synchronized void end() {
        isOver = true;
        notifyAll();
    }

    /// Whether what comes now waits until a thread that delivers is done.
    synchronized boolean isBusy() {
        return busy;
    }

    /// How many events wait.
    synchronized int waiting() {
        return waiting.size();
    }

    private synchronized @Nullable Runnable next() {
        var event = waiting.poll();
        busy = event != null;
        if (event == null) {
            return null;
        }
        weight -= event.weight();
        notifyAll();
        return event.event();
    }
}
