package dev.artel.worker.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.protocol.MalformedMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What came back for a request: a status and a body, as over HTTP on every wire. Safe for use by many threads.
public final class OrchestratorResponse {
    private static final int LONGEST_QUOTE = 300;

    private final int status;
    private final byte[] body;
    private final @Nullable Duration retryAfter;

    /// An answer.
    ///
    /// @param status as over HTTP
    /// @param body JSON in UTF-8, or empty; not to be changed any more
    /// @param retryAfter how long the orchestrator wants to be left alone; null if it did not state it
    public OrchestratorResponse(int status, byte[] body, @Nullable Duration retryAfter) {
        this.status = status;
        this.body = body;
        this.retryAfter = retryAfter;
    }

    /// As over HTTP.
    public int status() {
        return status;
    }

    /// How long the orchestrator wants to be left alone; null if it did not state it.
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /// Whether there is no body.
    public boolean isEmpty() {
        return body.length == 0;
    }

    /// The body as JSON.
    ///
    /// @throws MalformedMessage if it is none
    public JsonValue json() {
        try {
            return JsonText.read(body);
        } catch (MalformedJson unreadable) {
            throw new MalformedMessage("", "JSON", String.valueOf(unreadable.getMessage()));
        }
    }

    /// The status and the beginning of the body, for messages.
    public String text() {
        var text = new String(body, 0, Math.min(body.length, LONGEST_QUOTE), UTF_8);
        return status + (text.isBlank() ? "" : " " + text);
    }
}
