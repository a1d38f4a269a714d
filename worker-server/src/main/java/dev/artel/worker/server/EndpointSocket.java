package dev.artel.worker.server;

import dev.artel.worker.server.hub.ConnectionInput;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The way in over a WebSocket of Jetty: puts the parts of messages together, up to a bound, and asks for the next part when
/// the one before is handled. What an endpoint throws is logged and closes its connection; an [Error] goes to the handler of uncaught
/// exceptions as well, as if it had ended its thread.
///
/// Public for Jetty, and for servers with a Jetty of their own.
public final class EndpointSocket implements Session.Listener.AutoDemanding {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);
    private static final int SERVER_ERROR = 1011;
    private static final int BROKEN_TERMS = 1008;
    private static final int TRY_AGAIN_LATER = 1013;

    /// After so many frames others go first: what has arrived already is read without waiting, and a thread that does not wait keeps its
    /// processor.
    private static final int TURN = 16;

    /// How many bytes of an address of IPv6 are its network.
    private static final int NETWORK = 8;

    private final Routes.Route route;
    private final int maxMessageBytes;
    private final Sessions sessions;
    private final ArrivalRoom room;

    /// What has arrived of a message. Of each message anew: a buffer keeps the size of the largest one that it ever had.
    private @Nullable StringBuilder text;

    private @Nullable ByteArrayOutputStream bytes;
    private long size;
    private final FrameRate rate = new FrameRate(System.nanoTime());
    private long frames;
    private boolean isTooFast;
    private boolean isGivenUp;

    /// Whether the connection is closed because a step failed or there is no room, so that nothing more that arrives is looked at.
    private boolean isOver;

    private @Nullable Session session;
    private ArrivalRoom.@Nullable Share share;
    private @Nullable Pongs pongs;
    private @Nullable ConnectionInput input;

    /// One of a server of its own, behind whatever leads to it: it closes its connections itself.
    ///
    /// @param path for logs
    /// @param maxMessageBytes of a larger message the endpoint receives nothing but that it came, and how it begins
    public static EndpointSocket of(String path, SocketEndpoint endpoint, int maxMessageBytes) {
        return new EndpointSocket(
                new Routes.Route(path, SocketGuard.none(), endpoint),
                maxMessageBytes,
                new Sessions());
    }

    EndpointSocket(Routes.Route route, int maxMessageBytes, Sessions sessions) {
        this(route, maxMessageBytes, sessions, ArrivalRoom.OF_PROCESS);
    }

    EndpointSocket(Routes.Route route, int maxMessageBytes, Sessions sessions, ArrivalRoom room) {
        this.route = route;
        this.maxMessageBytes = maxMessageBytes;
        this.sessions = sessions;
        this.room = room;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        session = opened;
        share = room.begin(networkOf(opened));
        pongs = new Pongs(opened::sendPong);
        if (!sessions.add(opened)) {
            opened.close(1001, "Server shutting down", Callback.NOOP);
            return;
        }
        guarded(() -> input = route.endpoint().opened(new JettyConnection(opened)));
    }

    /// The address of the peer, or its network of IPv6 (/64).
    private static String networkOf(Session session) {
        if (session.getRemoteSocketAddress() instanceof InetSocketAddress remote
                && remote.getAddress() != null) {
            var address = remote.getAddress().getAddress();
            return HexFormat.of().formatHex(address, 0, Math.min(address.length, NETWORK));
        }
        return "";
    }

    /// Counts a frame, before what follows from it.
    ///
    /// @return whether it is looked at
    @SuppressWarnings("ThreadPriorityCheck") // a virtual thread is not interrupted by others
    private boolean takes(boolean isEmpty) {
        frames++;
        if (frames % TURN == 0) {
            Thread.yield();
        }
        if (!rate.take(isEmpty, System.nanoTime())) {
            tooFast();
        }
        return !isTooFast && !isOver;
    }

    /// The connection is closed, and broken off if its peer goes on.
    private void tooFast() {
        var open = session;
        if (open == null) {
            return;
        }
        if (isTooFast) {
            open.disconnect();
        } else {
            isTooFast = true;
            open.close(BROKEN_TERMS, "Too many frames", Callback.NOOP);
        }
    }

    @Override
    public void onWebSocketPartialText(String part, boolean last) {
        if (!takes(part.isEmpty())) {
            return;
        }
        guarded(() -> keepText(part));
        if (last && !isOver) {
            guarded(this::endText);
        }
    }

    private void keepText(String part) {
        size += part.getBytes(StandardCharsets.UTF_8).length;
        if (mayGoOn()) {
            text = text == null ? new StringBuilder(part) : text.append(part);
        }
    }

    private void endText() {
        var whole = text == null ? "" : text.toString();
        end(to -> to.onText(whole), () -> ByteBuffer.wrap(whole.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void onWebSocketPartialBinary(ByteBuffer part, boolean last, Callback callback) {
        if (!takes(!part.hasRemaining())) {
            callback.succeed();
            return;
        }
        guarded(() -> keepBytes(part));
        callback.succeed();
        if (last && !isOver) {
            guarded(this::endBinary);
        }
    }

    private void keepBytes(ByteBuffer part) {
        size += part.remaining();
        if (mayGoOn()) {
            var kept = bytes == null ? new ByteArrayOutputStream(part.remaining()) : bytes;
            var copy = new byte[part.remaining()];
            part.get(copy);
            kept.writeBytes(copy);
            bytes = kept;
        }
    }

    private void endBinary() {
        var whole = bytes == null ? new byte[0] : bytes.toByteArray();
        end(to -> to.onBinary(ByteBuffer.wrap(whole)), () -> ByteBuffer.wrap(whole));
    }

    @Override
    public void onWebSocketPing(ByteBuffer payload) {
        var to = pongs;
        if (takes(true) && to != null) {
            to.answer(payload);
        }
    }

    @Override
    public void onWebSocketPong(ByteBuffer payload) {
        if (!takes(true)) {
            return;
        }
        report(to -> to.onPong(payload));
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        LOG.atDebug()
                .addKeyValue("path", route.path())
                .addKeyValue("problem", String.valueOf(cause.getMessage()))
                .log("WebSocket failed");
        report(to -> to.onError(cause));
    }

    @Override
    public void onWebSocketClose(int code, String reason, Callback callback) {
        var closed = session;
        if (closed != null) {
            sessions.remove(closed);
        }
        if (share != null) {
            share.close();
        }
        report(to -> to.onClosed(code, reason == null ? "" : reason));
        callback.succeed();
    }

    /// Whether this part of a message is kept; what is given up stays so.
    private boolean mayGoOn() {
        var to = input;
        isGivenUp |= size > maxMessageBytes || (to != null && !to.mayGoOn(size));
        return !isGivenUp && hasRoom();
    }

    private boolean hasRoom() {
        var open = session;
        if (open == null || share == null || share.takes(size)) {
            return true;
        }
        drop();
        open.close(TRY_AGAIN_LATER, "Too many large messages", Callback.NOOP);
        return false;
    }

    /// Nothing that arrives is looked at any more, and nothing stays of the message that was under way.
    private void drop() {
        isOver = true;
        text = null;
        bytes = null;
        if (share != null) {
            share.close();
        }
    }

    /// At the end of a message.
    ///
    /// @param beginning what there is of one that is too large
    private void end(Consumer<ConnectionInput> message, Supplier<ByteBuffer> beginning) {
        var tooLarge = isGivenUp;
        isGivenUp = false;
        size = 0;
        text = null;
        bytes = null;
        report(tooLarge ? to -> to.onTooLarge(beginning.get()) : message);
        report(to -> to.mayGoOn(0));
        if (share != null) {
            share.free();
        }
    }

    private void report(Consumer<ConnectionInput> event) {
        var to = input;
        if (to != null) {
            guarded(() -> event.accept(to));
        }
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            if (e instanceof Error error) {
                var thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
            }
            failed(e);
        }
    }

    private void failed(Throwable e) {
        drop();
        LOG.atError()
                .addKeyValue("path", route.path())
                .addKeyValue("problem", e.getMessage() == null ? e : e.getMessage())
                .setCause(e)
                .log("endpoint of WebSockets failed");
        var failed = session;
        if (failed != null) {
            failed.close(SERVER_ERROR, "Endpoint failed", Callback.NOOP);
        }
    }
}
