package dev.artel.gateway.http;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A worker's end of a WebSocket.
final class RawSocket implements WebSocket.Listener, AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> frames = new LinkedBlockingQueue<>();
    private @Nullable WebSocket socket;

    private volatile boolean hasEnded;

    static RawSocket open(int port, String path) throws Exception {
        return open(port, path, GatewayServer.TOKEN);
    }

    static RawSocket open(int port, String path, String token) throws Exception {
        var raw = new RawSocket();
        raw.socket =
                raw.client
                        .newWebSocketBuilder()
                        .header("X-Worker-Token", token)
                        .buildAsync(URI.create("ws://127.0.0.1:" + port + path), raw)
                        .get(Await.seconds(), TimeUnit.SECONDS);
        return raw;
    }

    /// The next frame, or the code with which the socket was closed under `closed`.
    JsonObject next() throws InterruptedException {
        var frame = frames.poll(Await.seconds(), TimeUnit.SECONDS);
        if (frame == null) {
            throw new AssertionError("no frame came");
        }
        return (JsonObject) JsonText.read(frame);
    }

    /// Whether the orchestrator has closed it.
    boolean hasEnded() {
        return hasEnded;
    }

    void send(String text) throws Exception {
        if (socket != null) {
            socket.sendText(text, true).get(Await.seconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
        frames.add(text.toString());
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        frames.add("{\"closed\":\"" + code + " " + reason + "\"}");
        hasEnded = true;
        return null;
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.abort();
        }
        client.shutdownNow();
    }
}
