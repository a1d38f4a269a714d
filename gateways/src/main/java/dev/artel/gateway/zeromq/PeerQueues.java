package dev.artel.gateway.zeromq;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does what is to be done for each peer in order, and for different peers at the same time, each on a thread of its own: one that
/// sends too much fills only its own queue. Safe for use by many threads.
final class PeerQueues implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerQueues.class);

    /// How much waits of one peer.
    static final int MOST_OF_A_PEER = 1_000;

    /// How many bytes wait or are being worked on, in all, before the sockets are read on.
    private static final long MOST_BYTES =
            Math.min(128L << 20, Runtime.getRuntime().maxMemory() / 8);

    private static final int MOST = 100_000;

    private final ZeroMqCounts counts;
    private final Object lock = new Object();

    /// Peers of which something waits or is being done.
    private final Map<PeerName, Queue<Item>> queues = new HashMap<>();

    private long bytes;
    private int size;

    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("artel-zeromq-peer").factory());

    private record Item(long bytes, Runnable work) {}

    PeerQueues(ZeroMqCounts counts) {
        this.counts = counts;
    }

    /// Whether more may come in.
    boolean hasRoom() {
        synchronized (lock) {
            return bytes < MOST_BYTES && size < MOST;
        }
    }

    /// Puts `work` behind what waits of `peer`.
    ///
    /// @param length how many bytes it holds
    /// @return whether there was room for it
    boolean put(PeerName peer, long length, Runnable work) {
        synchronized (lock) {
            var queue = queues.get(peer);
            var isIdle = queue == null;
            if (queue == null) {
                queue = new ArrayDeque<>();
                queues.put(peer, queue);
            }
            if (queue.size() >= MOST_OF_A_PEER) {
                counts.isDropped();
                return false;
            }
            queue.add(new Item(length, work));
            bytes += length;
            size++;
            if (!isIdle) {
                return true;
            }
        }
        try {
            threads.execute(() -> work(peer));
        } catch (RejectedExecutionException closed) {
            return false;
        }
        return true;
    }

    private void work(PeerName peer) {
        for (var next = next(peer); next != null; next = next(peer)) {
            try {
                next.work().run();
            } catch (RuntimeException | AssertionError bug) {
                counts.hasFailed();
                LOG.atError()
                        .addKeyValue("worker", peer)
                        .setCause(bug)
                        .log("a message of a worker on ZeroMQ could not be processed");
            } finally {
                isDone(next);
            }
        }
    }

    private void isDone(Item item) {
        synchronized (lock) {
            bytes -= item.bytes();
            size--;
        }
    }

    private @Nullable Item next(PeerName peer) {
        synchronized (lock) {
            var queue = queues.get(peer);
            var item = queue == null ? null : queue.poll();
            if (item == null) {
                queues.remove(peer);
                return null;
            }
            return item;
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
