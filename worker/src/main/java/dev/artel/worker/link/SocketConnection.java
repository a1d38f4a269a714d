package dev.artel.worker.link;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A WebSocket to an orchestrator. What is sent waits in a queue for a thread of its own, so that the thread that reads never waits
/// for one that writes. Of a peer from which nothing comes, not even the answer to a ping, the connection ends. Safe for use by many
/// threads.
final class SocketConnection implements WebSocket.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);
    private static final Duration SEND = Duration.ofSeconds(20);
    private static final int MOST_WAITING = 10_000;
    private static final int LONGEST_MESSAGE = 64 << 20;
    private static final int NORMAL = 1000;

    /// How long after the last message the connection is looked at.
    private static final Duration SETTLED = Duration.ofMillis(250);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final Receiver receiver;
    private final Duration beat;
    private final BlockingQueue<Outgoing> outgoing = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicBoolean hasEnded = new AtomicBoolean();
    private StringBuilder text = new StringBuilder();
    private volatile boolean isHeard = true;

    /// Whether messages have come, and no pong since. The WebSocket of the JDK (25) does not report an end of the connection that it
    /// reads while its listener has a message: nothing comes then, and all seems well. What is sent fails soon, so that pings follow
    /// each burst of messages until one is answered.
    private final AtomicBoolean isUnsettled = new AtomicBoolean();

    /// When the last message and the last pong came, as [System#nanoTime] has it.
    private volatile long receivedAt;

    private volatile long answeredAt = System.nanoTime();

    private volatile @Nullable Thread sender;

    /// What is to leave, in order.
    private sealed interface Outgoing {
        record Message(ByteBuffer text) implements Outgoing {}

        enum Signal implements Outgoing {
            /// Nothing follows.
            END,
            /// A message has come, after which the connection is to be looked at.
            LOOK
        }
    }

    /// What becomes of a connection.
    ///
    /// @param message takes each message, one at a time; must not wait
    /// @param beat called each time that another sign of life is due
    /// @param ended takes the connection and why it has ended, once
    record Receiver(
            Consumer<String> message, Runnable beat, BiConsumer<SocketConnection, String> ended) {}

    private SocketConnection(Receiver receiver, Duration beat) {
        this.receiver = receiver;
        this.beat = beat;
    }

    /// Opens one.
    ///
    /// @param beat how often a sign of life is due
    /// @throws IOException if there is no connection in time
    static SocketConnection open(
            HttpClient http,
            Orchestrator orchestrator,
            Receiver receiver,
            Duration beat,
            Duration timeout)
            throws IOException, InterruptedException {
        var connection = new SocketConnection(receiver, beat);
        var uri = orchestrator.pushSocket();
        var socket = opened(http, orchestrator, uri, connection, timeout);
        connection.sender =
                Thread.ofVirtual().name("artel-websocket").start(() -> connection.write(socket));
        return connection;
    }

    private static WebSocket opened(
            HttpClient http,
            Orchestrator orchestrator,
            URI uri,
            WebSocket.Listener listener,
            Duration timeout)
            throws IOException, InterruptedException {
        var builder = http.newWebSocketBuilder().connectTimeout(timeout);
        orchestrator.authorize(builder::header);
        var opening = builder.buildAsync(uri, listener);
        try {
            return opening.get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException("connecting to " + uri + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            var _ = opening.thenAccept(WebSocket::abort);
            throw new IOException("connecting to " + uri + " took longer than " + timeout, e);
        }
    }

    /// Finds out whether one could be opened.
    ///
    /// @throws IOException if not
    static void probe(HttpClient http, Orchestrator orchestrator, Duration timeout)
            throws IOException, InterruptedException {
        var listener = new WebSocket.Listener() {};
        opened(http, orchestrator, orchestrator.pushSocket(), listener, timeout).abort();
    }

    boolean hasEnded() {
        return hasEnded.get();
    }

    /// Sends a message, at once or soon.
    ///
    /// @return whether it will; not after the end, nor while too many wait
    boolean send(byte[] message) {
        return !hasEnded() && outgoing.offer(new Outgoing.Message(ByteBuffer.wrap(message)));
    }

    /// Ends it when all that was sent before has left.
    void close() {
        if (!outgoing.offer(Outgoing.Signal.END)) {
            end("too many messages wait");
        }
    }

    /// Ends it now.
    void end(String cause) {
        if (hasEnded.compareAndSet(false, true)) {
            var thread = sender;
            if (thread != null) {
                thread.interrupt();
            }
            receiver.ended().accept(this, cause);
        }
    }

    private void write(WebSocket socket) {
        try {
            writeAll(socket);
            end("closed");
        } catch (ExecutionException e) {
            end("a message could not be sent: " + e.getCause());
        } catch (TimeoutException e) {
            end("a message could not be sent within " + SEND);
        } catch (InterruptedException ended) {
            LOG.debug("ended");
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("unexpected failure of a connection");
            end(e.toString());
        } finally {
            socket.abort();
        }
    }

    private void writeAll(WebSocket socket)
            throws ExecutionException, TimeoutException, InterruptedException {
        var beaten = System.nanoTime();
        var lookedAt = beaten - LOOK_AGAIN.toNanos();
        while (!hasEnded()) {
            var now = System.nanoTime();
            var left = beaten + beat.toNanos() - now;
            if (left <= 0) {
                beaten = now;
                beat(socket);
                continue;
            }
            if (isUnsettled.get()) {
                if (lookedAt - receivedAt > 0 && answeredAt - lookedAt > 0) {
                    isUnsettled.set(false);
                    if (lookedAt - receivedAt <= 0) {
                        isUnsettled.set(true); // another one has come meanwhile
                    }
                    continue;
                }
                var leftToLook =
                        Math.max(
                                receivedAt + SETTLED.toNanos() - now,
                                lookedAt + LOOK_AGAIN.toNanos() - now);
                if (leftToLook <= 0) {
                    lookedAt = now;
                    await(socket.sendPing(ByteBuffer.allocate(0)));
                    continue;
                }
                left = Math.min(left, leftToLook);
            }
            switch (outgoing.poll(left, TimeUnit.NANOSECONDS)) {
                case Outgoing.Message(var text) -> await(socket.sendBinary(text, true));
                case Outgoing.Signal.END -> {
                    await(socket.sendClose(NORMAL, ""));
                    return;
                }
                case Outgoing.Signal.LOOK -> {}
                case null -> {}
            }
        }
    }

    private void beat(WebSocket socket)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (!isHeard) {
            end("nothing came for " + beat.multipliedBy(2));
            return;
        }
        isHeard = false;
        await(socket.sendPing(ByteBuffer.allocate(0)));
        receiver.beat().run();
    }

    private static void await(CompletableFuture<WebSocket> sent)
            throws ExecutionException, TimeoutException, InterruptedException {
        sent.get(SEND.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
        isHeard = true;
        if (text.length() + part.length() > LONGEST_MESSAGE) {
            end("a message has more than " + LONGEST_MESSAGE + " characters");
            return null;
        }
        text.append(part);
        if (last) {
            var message = text.toString();
            text = new StringBuilder(); // a buffer keeps the size of its largest message
            receiver.message().accept(message);
        }
        receivedAt = System.nanoTime();
        if (isUnsettled.compareAndSet(false, true)) {
            var _ = outgoing.offer(Outgoing.Signal.LOOK); // if it is full, the writer is awake
        }
        socket.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
        isHeard = true;
        answeredAt = System.nanoTime();
        socket.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
        end("closed by the orchestrator: " + status + (reason.isEmpty() ? "" : " " + reason));
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        end(error.toString());
    }
}
