package dev.artel.worker.server;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.util.Optional;

/// One HTTP request to a worker server, and the way to answer it. For one thread at a time.
public interface HttpCall {
    /// The method, in capital letters.
    String method();

    /// The path, decoded, without the query.
    String path();

    /// The query as it was sent; empty if there is none.
    Optional<String> query();

    /// The first value of a header.
    Optional<String> header(String name);

    /// The address of the client.
    String remoteAddress();

    /// The body.
    ///
    /// @throws IllegalArgumentException if it has more than `maxBytes`
    /// @throws java.io.UncheckedIOException if the client breaks off
    byte[] body(int maxBytes);

    /// Answers.
    ///
    /// @throws IllegalStateException if it is answered already
    void respond(int status, String contentType, byte[] body);

    /// Answers with JSON.
    ///
    /// @throws IllegalStateException if it is answered already
    default void respond(int status, JsonObject body) {
        respond(status, "application/json", JsonText.write(body));
    }

    /// Whether it is answered.
    boolean isAnswered();
}
