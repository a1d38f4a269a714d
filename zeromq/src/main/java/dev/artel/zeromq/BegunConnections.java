package dev.artel.zeromq;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;
import org.zeromq.ZMonitor;

/// Watches over the connections that sockets of one context begin, and brings those on that the library has lost sight of.
///
/// JeroMQ hands a new connection from the object that connects to the one that speaks. Both use the same channel, and where both happens in one turn of its
/// thread, the second is never registered with the selector: the connection is there, says nothing, and ends with the handshake timer
/// after 30 s. That is the case with one to six of a hundred. Whatever else comes to be watched by that thread repairs it, so [#tick] has a socket listen for a
/// moment.
///
/// Source: zeromq/jeromq#1022. [#tick] and [#watch] are for one thread.
public final class BegunConnections {
    private static final int EVENTS =
            ZMQ.EVENT_CONNECTED
                    | ZMQ.EVENT_CONNECT_RETRIED
                    | ZMQ.EVENT_DISCONNECTED
                    | ZMQ.EVENT_CLOSED
                    | ZMQ.EVENT_HANDSHAKE_PROTOCOL
                    | ZMQ.HANDSHAKE_FAILED_AUTH
                    | ZMQ.HANDSHAKE_FAILED_PROTOCOL
                    | ZMQ.HANDSHAKE_FAILED_NO_DETAIL;

    /// A connection has sent something after that, in nanoseconds.
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(50);

    /// Others are slow, or do not speak ZeroMQ.
    private static final int MOST_TIMES = 8;

    private final ZContext context;
    private final List<Watched> watched = new ArrayList<>();

    /// Receives the events of a socket, on the thread of the library.
    public interface Listener {
        /// One of the events of connections and handshakes.
        void on(ZEvent event);
    }

    private static final class Watched {
        private final Listener listener;

        /// Connected, and not a word since; written by the thread of the library.
        private volatile boolean isSilent;

        /// How often it was brought on since.
        private int times;

        /// When it is brought on the next time, in nanoseconds; 0 if it was not silent at the last look.
        private long due;

        private Watched(Listener listener) {
            this.listener = listener;
        }

        private boolean isDue(long now) {
            if (!isSilent) {
                times = 0;
                due = 0;
                return false;
            }
            if (due == 0) {
                due = now + MOMENT;
            }
            if (now - due < 0 || times == MOST_TIMES) {
                return false;
            }
            times++;
            due = now + (MOMENT << times);
            return true;
        }

        private void on(ZEvent event) {
            isSilent = event.getEvent() == ZMonitor.Event.CONNECTED;
            listener.on(event);
        }
    }

    /// @param context that of the sockets, with one thread for its connections
    public BegunConnections(ZContext context) {
        this.context = context;
    }

    /// Watches over `socket`, before it connects. It has no other hook for events.
    ///
    /// @param listener gets the same events
    public void watch(ZMQ.Socket socket, Listener listener) {
        var its = new Watched(listener);
        watched.add(its);
        var _ = socket.setEventHook(its::on, EVENTS);
    }

    /// Brings on what has been silent for a moment, and for twice as long each time; to be called at least some times a second.
    public void tick() {
        var now = System.nanoTime();
        var isStuck = false;
        for (var each : watched) {
            isStuck |= each.isDue(now);
        }
        if (isStuck) {
            try (var other = context.createSocket(SocketType.PAIR)) {
                var _ = other.bind("tcp://127.0.0.1:*");
            }
        }
    }
}
