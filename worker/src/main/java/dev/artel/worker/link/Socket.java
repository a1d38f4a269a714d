package dev.artel.worker.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.text.JsonText;
import dev.artel.protocol.CancelTask;
import dev.artel.protocol.Progress;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A socket to the orchestrator for cancels and progress, beside the wire of HTTP. One at a time: the next is opened only when the last
/// is closed, since some orchestrators would take the end of the old one for that of the new one.
final class Socket implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Socket.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration SEND = Duration.ofSeconds(5);
    private static final Duration PING = Duration.ofSeconds(20);
    private static final int LARGEST_FRAME = 1 << 20;

    private final Supplier<OrchestratorClient.@Nullable SocketAddress> addresses;
    private final LinkSettings settings;
    private final RegistrationState registration;
    private final Consumer<String> cancel;
    private final ReentrantLock sending = new ReentrantLock();
    private volatile @Nullable WebSocket open;
    private int failures;

    Socket(
            Supplier<OrchestratorClient.@Nullable SocketAddress> addresses,
            LinkSettings settings,
            RegistrationState registration,
            Consumer<String> cancel) {
        this.addresses = addresses;
        this.settings = settings;
        this.registration = registration;
        this.cancel = cancel;
    }

    @Override
    public void turn() throws InterruptedException {
        registration.awaitFirst();
        var address = addresses.get();
        if (address == null) {
            Thread.sleep(PING);
            return;
        }
        var listener = new Listener(address);
        var builder = address.http().newWebSocketBuilder().connectTimeout(CONNECT);
        address.orchestrator().authorize(builder::header);
        var uri = address.orchestrator().socket(address.worker());
        try {
            var socket =
                    builder.buildAsync(uri, listener)
                            .get(2 * CONNECT.toMillis(), TimeUnit.MILLISECONDS);
            failures = 0;
            open = socket;
            keep(socket, listener);
        } catch (ExecutionException | TimeoutException e) {
            failures++;
            LOG.atWarn()
                    .addKeyValue("orchestrator", address.orchestrator())
                    .addKeyValue("cause", String.valueOf(e.getCause()))
                    .log("no socket; trying again");
        } finally {
            open = null;
        }
        Thread.sleep(settings.backoff().after(Math.max(1, failures)));
    }

    private void keep(WebSocket socket, Listener listener) throws InterruptedException {
        try {
            while (!listener.closed.await(PING.toMillis(), TimeUnit.MILLISECONDS)) {
                if (!listener.answered || addresses.get() == null) {
                    break;
                }
                listener.answered = false;
                await(socket.sendPing(ByteBuffer.allocate(0)));
            }
        } finally {
            socket.abort();
        }
    }

    /// Sends progress.
    ///
    /// @return whether there was a socket to send it on
    boolean send(Progress progress) {
        var socket = open;
        if (socket == null) {
            return false;
        }
        sending.lock();
        try {
            return await(
                    socket.sendText(new String(JsonText.write(progress.toFrame()), UTF_8), true));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            sending.unlock();
        }
    }

    private static boolean await(CompletableFuture<WebSocket> sent) throws InterruptedException {
        try {
            sent.get(SEND.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException | CompletionException broken) {
            return false;
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final OrchestratorClient.SocketAddress address;
        private final CountDownLatch closed = new CountDownLatch(1);
        private final StringBuilder frame = new StringBuilder();
        private volatile boolean answered = true;

        private Listener(OrchestratorClient.SocketAddress address) {
            this.address = address;
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence part, boolean isLast) {
            answered = true;
            if (frame.length() + part.length() > LARGEST_FRAME) {
                socket.abort();
                closed.countDown();
                return null;
            }
            frame.append(part);
            if (isLast) {
                on(frame.toString());
                frame.setLength(0);
            }
            socket.request(1);
            return null;
        }

        private void on(String text) {
            try {
                CancelTask.readFrame(JsonText.read(text)).map(CancelTask::taskId).ifPresent(cancel);
            } catch (RuntimeException unreadable) {
                LOG.atWarn()
                        .addKeyValue("orchestrator", address.orchestrator())
                        .addKeyValue("cause", unreadable.getMessage())
                        .log("a frame cannot be read; ignored");
            }
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            answered = true;
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(
                WebSocket socket, int statusCode, String reason) {
            closed.countDown();
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.countDown();
        }
    }
}
