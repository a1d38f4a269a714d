package dev.artel.amqp;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.AMQConnection;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How many bytes of delivered messages a connection has in memory: from before the body of one is read until its consumer is [#done] with it. A
/// prefetch counts messages, and those who publish them choose how large they are. Beyond the bound the connection reads nothing, and what
/// is in its way waits at the broker. Safe for use by many threads.
public final class ReadAhead {
    /// Which part of the heap a connection has: one divided by it.
    private static final int PART = 32;

    private final long most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isChanged = lock.newCondition();
    private long held;
    private boolean isClosing;
    private boolean isOver;

    /// @param most how many bytes; one message alone may have more
    ReadAhead(long most) {
        this.most = most;
    }

    /// Of the heap of this process, a thirty-second part.
    static long share() {
        return Runtime.getRuntime().maxMemory() / PART;
    }

    /// That of a connection of [BoundedConnections].
    public static ReadAhead of(Connection connection) {
        if (connection instanceof AMQConnection open
                && open.getFrameHandler() instanceof BoundedFrames frames) {
            return frames.ahead();
        }
        throw new IllegalArgumentException("a connection without bounds: " + connection);
    }

    /// Waits until a body of `bytes` may be read.
    ///
    /// @throws IOException if the connection is closed meanwhile
    void take(long bytes) throws IOException {
        lock.lock();
        try {
            while (!isOver && !isClosing && held > 0 && held + bytes > most) {
                isChanged.awaitUninterruptibly();
            }
            if (isOver) {
                throw new IOException("the connection was closed while a message waited for room");
            }
            held += bytes;
        } finally {
            lock.unlock();
        }
    }

    /// A consumer has no more use for a body of `bytes`: once for each delivery.
    public void done(long bytes) {
        lock.lock();
        try {
            held -= bytes;
            isChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The connection is being closed: the client throws away what it reads, and no consumer is done with it.
    void closing() {
        lock.lock();
        try {
            isClosing = true;
            isChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Nothing more is read.
    void end() {
        lock.lock();
        try {
            isOver = true;
            isChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
