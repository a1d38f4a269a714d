package dev.artel.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Server-sent events as text (HTML standard, section 9.2).
final class SseParser implements AutoCloseable {
    private final InputStream source;
    private final BufferedReader lines;

    /// @param id null if the message has none
    record Message(@Nullable String id, String data) {}

    SseParser(InputStream source) {
        this.source = source;
        this.lines = new BufferedReader(new InputStreamReader(source, StandardCharsets.UTF_8));
    }

    /// The next message with data; empty at the end of the stream.
    Optional<Message> next() throws IOException {
        String id = null;
        var data = new StringBuilder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (!data.isEmpty()) {
                    return Optional.of(new Message(id, data.toString()));
                }
                continue;
            }
            var colon = line.indexOf(':');
            var field = colon < 0 ? line : line.substring(0, colon);
            var value = colon < 0 ? "" : line.substring(colon + 1);
            if (value.startsWith(" ")) {
                value = value.substring(1);
            }
            switch (field) {
                case "id" -> id = value;
                case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
                default -> {
                    // Comments keep the connection alive; the type is in the data as well.
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        try {
            source.close();
        } catch (IOException alreadyBroken) {
            // Nothing more is read from it.
        }
    }
}
