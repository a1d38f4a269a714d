package dev.artel.worker.process;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/// Reads the messages of the other end of a pipe: JSON text sequences of RFC 7464, each a record separator, one JSON object in UTF-8
/// and a line feed. Everything between them is output of the program and goes to `output`, line by line. For one thread.
public final class PipeReader {
    /// The bytes of the largest message.
    public static final int LARGEST = 64 << 20;

    static final int RECORD_SEPARATOR = 0x1E;

    private static final int LONGEST_LINE = 4096;

    private final InputStream in;
    private final Consumer<String> output;

    /// Reads from `in`; `output` gets lines without their ends, the first 4,096 bytes of each.
    public PipeReader(InputStream in, Consumer<String> output) {
        this.in = new BufferedInputStream(in, 1 << 16);
        this.output = output;
    }

    /// Waits for the next message.
    ///
    /// @return empty at the end of the pipe
    /// @throws IOException if the pipe breaks, or what follows a record separator is no JSON object of at most [#LARGEST] bytes
    public Optional<JsonObject> next() throws IOException {
        for (var first = in.read(); first >= 0; first = in.read()) {
            if (first == RECORD_SEPARATOR || line(first)) {
                return Optional.of(message());
            }
        }
        return Optional.empty();
    }

    /// Passes a line on that begins with `first`.
    ///
    /// @return whether a message begins in it
    private boolean line(int first) throws IOException {
        var line = new ByteArrayOutputStream();
        var next = first;
        while (next >= 0 && next != '\n' && next != RECORD_SEPARATOR) {
            if (line.size() < LONGEST_LINE) {
                line.write(next);
            }
            next = in.read();
        }
        var text = line.toString(StandardCharsets.UTF_8).stripTrailing();
        if (!text.isEmpty()) {
            output.accept(text);
        }
        return next == RECORD_SEPARATOR;
    }

    private JsonObject message() throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (var next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the pipe ended within a message");
            }
            if (bytes.size() == LARGEST) {
                throw new IOException(
                        "a message has more than "
                                + LARGEST
                                + " bytes; give large values as files");
            }
            bytes.write(next);
        }
        try {
            if (JsonText.read(bytes.toByteArray()) instanceof JsonObject message) {
                return message;
            }
        } catch (MalformedJson malformed) {
            throw new IOException("a message is no JSON: " + malformed.getMessage(), malformed);
        }
        throw new IOException("a message is no JSON object");
    }
}
