package dev.artel.server;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads server-sent events, one after another.
public final class StreamReader implements AutoCloseable {
    private final HttpURLConnection connection;
    private final @Nullable BufferedReader in;

    /// An event.
    public record Event(long id, String type, JsonObject data) {}

    private StreamReader(HttpURLConnection connection) throws IOException {
        this.connection = connection;
        this.in =
                connection.getResponseCode() == 200
                        ? new BufferedReader(
                                new InputStreamReader(
                                        connection.getInputStream(), StandardCharsets.UTF_8))
                        : null;
    }

    public static StreamReader of(ArtelNode node, String path) {
        return after(node, path, "");
    }

    /// The stream behind an event.
    ///
    /// @param lastEventId empty for none
    public static StreamReader after(ArtelNode node, String path, String lastEventId) {
        return as(node.clientToken(), node, path, lastEventId);
    }

    /// The stream of another client.
    ///
    /// @param token whose stream it is
    public static StreamReader as(String token, ArtelNode node, String path, String lastEventId) {
        return open("X-Client-Token", token, node, path, lastEventId);
    }

    /// The stream of a session of the dashboard.
    public static StreamReader by(String cookie, ArtelNode node, String path) {
        return open("Cookie", cookie, node, path, "");
    }

    private static StreamReader open(
            String header, String value, ArtelNode node, String path, String lastEventId) {
        try {
            var connection =
                    (HttpURLConnection)
                            URI.create(node.uri() + "/api/v1" + path).toURL().openConnection();
            connection.setRequestProperty(header, value);
            connection.setRequestProperty("Accept", "text/event-stream");
            if (!lastEventId.isEmpty()) {
                connection.setRequestProperty("Last-Event-ID", lastEventId);
            }
            connection.setReadTimeout((int) Await.longest().toMillis());
            return new StreamReader(connection);
        } catch (IOException e) {
            throw new AssertionError("no stream of " + path, e);
        }
    }

    public int status() throws IOException {
        return connection.getResponseCode();
    }

    public String header(String name) {
        return String.valueOf(connection.getHeaderField(name));
    }

    /// The next event; null at the end.
    public @Nullable Event next() throws IOException {
        var id = 0L;
        var type = "";
        var data = "";
        if (in == null) {
            throw new AssertionError("the answer was " + status());
        }
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("id: ")) {
                id = Long.parseLong(line.substring(4));
            } else if (line.startsWith("event: ")) {
                type = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else if (line.isEmpty() && !data.isEmpty()) {
                return new Event(id, type, (JsonObject) JsonText.read(data));
            }
        }
        return null;
    }

    /// The next event, which there must be.
    public Event require() throws IOException {
        var event = next();
        if (event == null) {
            throw new AssertionError("the stream has ended");
        }
        return event;
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
