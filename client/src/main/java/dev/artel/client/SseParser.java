package dev.artel.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Server-sent events as text (HTML standard, section 9.2).
final class SseParser implements AutoCloseable {
    private final InputStream source;
    private final Duration silence;
    private final long most;
    private final byte[] piece = new byte[8 << 10];
    private int at;
    private int end;
    private boolean wasReturn;

    /// @param id null if the message has none
    record Message(@Nullable String id, String data) {}

    /// @param silence the stream ends where nothing comes for so long
    /// @param most the most bytes of a message
    SseParser(InputStream source, Duration silence, long most) {
        this.source = source;
        this.silence = silence;
        this.most = most;
    }

    /// The next message with data; empty at the end of the stream.
    Optional<Message> next() throws IOException {
        String id = null;
        var data = new StringBuilder();
        var left = most;
        for (var line = line(left); line != null; line = line(left)) {
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
                case "data" -> {
                    left -= line.length();
                    data.append(data.isEmpty() ? "" : "\n").append(value);
                }
                default -> {
                    // Comments keep the connection alive; the type is in the data as well.
                }
            }
        }
        return Optional.empty();
    }

    /// Without its end; null at the end of the stream.
    private @Nullable String line(long longest) throws IOException {
        var line = new ByteArrayOutputStream();
        var isBegun = false;
        for (var next = read(); next >= 0; next = read()) {
            var isSecond = wasReturn && next == '\n';
            wasReturn = next == '\r';
            if (isSecond) {
                continue;
            }
            if (next == '\r' || next == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            isBegun = true;
            if (line.size() >= longest) {
                throw new IOException("an event has more than " + most + " bytes");
            }
            line.write(next);
        }
        return isBegun ? line.toString(StandardCharsets.UTF_8) : null;
    }

    private int read() throws IOException {
        if (at == end) {
            var count = more();
            if (count < 0) {
                return -1;
            }
            at = 0;
            end = count;
        }
        return piece[at++] & 0xff;
    }

    /// A connection may die without a word.
    private int more() throws IOException {
        var isSilent =
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, silence.toMillis(), TimeUnit.MILLISECONDS);
        var _ = isSilent.thenRun(this::close);
        try {
            return source.read(piece);
        } finally {
            isSilent.cancel(false);
        }
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
