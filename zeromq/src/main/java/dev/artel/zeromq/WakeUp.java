package dev.artel.zeromq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Wakes the thread that polls sockets, for those who have put something into its queue. [#wake] is safe for use by many threads, the rest is
/// for the thread of the sockets.
public final class WakeUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WakeUp.class);

    private final AtomicBoolean isAwake = new AtomicBoolean();
    private final Pipe pipe;

    private WakeUp(Pipe pipe) {
        this.pipe = pipe;
    }

    /// One for one thread.
    public static WakeUp open() {
        try {
            var pipe = Pipe.open();
            pipe.source().configureBlocking(false);
            pipe.sink().configureBlocking(false);
            return new WakeUp(pipe);
        } catch (IOException e) {
            throw new UncheckedIOException("opening what wakes the thread of the sockets", e);
        }
    }

    /// What the thread polls beside its sockets.
    public SelectableChannel channel() {
        return pipe.source();
    }

    /// Ends the poll, or the next one. Does not wait.
    public void wake() {
        if (isAwake.compareAndSet(false, true)) {
            try {
                var _ = pipe.sink().write(ByteBuffer.allocate(1));
            } catch (IOException closed) {
                LOG.atDebug().setCause(closed).log("the thread of the sockets is gone");
            }
        }
    }

    /// Wakes the thread also if it was woken and has not noticed yet: for the last time.
    public void wakeAnyway() {
        isAwake.set(false);
        wake();
    }

    /// A poll has ended. What is put into the queue from now on wakes the thread again, so it is read after this.
    public void hasPolled() {
        try {
            var bytes = ByteBuffer.allocate(64);
            while (pipe.source().read(bytes) > 0) {
                bytes.clear();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("reading what wakes the thread of the sockets", broken);
        }
        isAwake.set(false);
    }

    @Override
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
