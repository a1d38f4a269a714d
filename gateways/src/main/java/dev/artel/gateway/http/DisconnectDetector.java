package dev.artel.gateway.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/// Notices that the sender of a request hangs up before its answer is ready.
///
/// Under HTTP/1.1 Jetty does not read a connection while a request on it is worked on, so that it would learn of the
/// end only when it writes, and the first write into a connection that the other side has closed even succeeds. So
/// this asks the connection itself to report when there is something to read, which is the end of the connection:
/// it is noticed at once, whether the other side closed it or its process was killed. A machine that vanishes
/// without a word is not noticed here; its leases run out.
///
/// What arrives instead of an end is a next request sent too early. It cannot be put back, so that it counts as an
/// end as well and the connection is closed.
final class DisconnectDetector implements Callback {
    private enum State {
        WATCHING,
        LOOKING,
        GONE,
        STOPPED
    }

    private final EndPoint endPoint;
    private final Runnable gone;
    private final AtomicReference<State> state = new AtomicReference<>(State.WATCHING);

    private DisconnectDetector(EndPoint endPoint, Runnable gone) {
        this.endPoint = endPoint;
        this.gone = gone;
    }

    /// Watches the connection of `request`, whose body has been read.
    ///
    /// @param gone run at most once, on a thread of the server
    static DisconnectDetector watch(HttpServletRequest request, Runnable gone) {
        return watch(ServletContextRequest.getServletContextRequest(request), gone);
    }

    /// Watches a connection of HTTP/1.1 whose request has been read.
    ///
    /// @param gone run at most once, on a thread of the server
    static DisconnectDetector watch(EndPoint endPoint, Runnable gone) {
        var disconnectDetector = new DisconnectDetector(endPoint, gone);
        endPoint.tryFillInterested(disconnectDetector);
        return disconnectDetector;
    }

    /// Watches the connection of `jetty`, whose body has been read.
    ///
    /// @param gone run at most once, on a thread of the server
    static DisconnectDetector watch(Request jetty, Runnable gone) {
        var connection = jetty.getConnectionMetaData();
        var disconnectDetector =
                new DisconnectDetector(connection.getConnection().getEndPoint(), gone);
        if (connection.getHttpVersion().getVersion() <= HttpVersion.HTTP_1_1.getVersion()) {
            disconnectDetector.endPoint.tryFillInterested(disconnectDetector);
        } else {
            jetty.addFailureListener(_ -> disconnectDetector.end());
        }
        return disconnectDetector;
    }

    /// Stops watching, so that the answer can be written. To be called once.
    ///
    /// @return false if the sender has hung up
    boolean stop() {
        if (!state.compareAndSet(State.WATCHING, State.STOPPED)) {
            return false;
        }
        // Takes this out of the end point, which otherwise could not wait for the next request.
        if (endPoint instanceof AbstractEndPoint selectable) {
            selectable.getFillInterest().fillable();
        }
        return true;
    }

    @Override
    public void succeeded() {
        if (!state.compareAndSet(State.WATCHING, State.LOOKING)) {
            return;
        }
        if (isStillConnected()) {
            state.set(State.WATCHING);
            if (endPoint.tryFillInterested(this)) {
                return;
            }
        }
        end();
    }

    private boolean isStillConnected() {
        try {
            return endPoint.fill(ByteBuffer.allocate(1).limit(0)) == 0;
        } catch (IOException broken) {
            return false;
        }
    }

    @Override
    public void failed(Throwable cause) {
        end();
    }

    private void end() {
        var before = state.getAndUpdate(now -> now == State.STOPPED ? now : State.GONE);
        if (before == State.WATCHING || before == State.LOOKING) {
            gone.run();
        }
    }
}
