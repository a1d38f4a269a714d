package dev.artel.gateway.zeromq;

import dev.artel.log.LinesAMinute;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import zmq.ZError;
import zmq.ZMQ;
import zmq.util.Errno;

/// Reports connections that the library ends since a frame is larger than any that is read. Nobody reports it otherwise: the worker sees an end without a reason. Called by the
/// thread of the library.
final class CutConnections implements ZMQ.EventConsummer {
    private static final Logger LOG = LoggerFactory.getLogger(CutConnections.class);

    /// How many lines of the log are warnings in a minute. Any stranger can have one written.
    private static final int MOST_WARNINGS = 20;

    private final WirePort port;
    private final int largest;
    private final ZeroMqCounts counts;
    private final Errno reason = new Errno();
    private final LinesAMinute warnings = new LinesAMinute(MOST_WARNINGS);

    CutConnections(WirePort port, int largest, ZeroMqCounts counts) {
        this.port = port;
        this.largest = largest;
        this.counts = counts;
    }

    /// The reason is that of the last failure of this thread, which has just decided to end the connection.
    @Override
    public void consume(ZMQ.Event event) {
        if (!reason.is(ZError.EMSGSIZE)) {
            return;
        }
        reason.set(0);
        counts.isCut();
        line().addKeyValue("port", port.word())
                .addKeyValue("peer", event.arg instanceof SocketChannel peer ? address(peer) : "")
                .addKeyValue("largest", largest)
                .log(
                        "the connection of a worker on ZeroMQ has ended, since it sent a frame that is larger than any that is read; "
                                + "larger values are put by address, or zeromq.max-message-bytes is raised");
    }

    private LoggingEventBuilder line() {
        var before = warnings.next();
        return before.isPresent()
                ? LOG.atWarn().addKeyValue(LinesAMinute.LEFT_OUT, before.getAsLong())
                : LOG.atDebug();
    }

    private static String address(SocketChannel peer) {
        try {
            return String.valueOf(peer.getRemoteAddress());
        } catch (IOException closed) {
            return "gone: " + closed.getMessage();
        }
    }
}
