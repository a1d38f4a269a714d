package dev.artel.mcp;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// The lines of an input that are messages of the protocol. Another line is answered with an error, reported, and left out: the transport of
/// the SDK stops reading at it, and answers nothing any more.
final class MessageLines extends InputStream {
    /// The most bytes of a line.
    static final int LONGEST = 1 << 20;

    private static final int PARSE_ERROR = -32_700;
    private static final int INVALID_REQUEST = -32_600;
    private static final int LONGEST_REASON = 300;

    private final McpJsonMapper mapper = McpJsonDefaults.getMapper();
    private final InputStream in;
    private final OutputStream out;
    private final PrintStream reports;
    private byte[] message = {};
    private int position;
    private long lines;

    /// @param out where the server answers; held while an answer is written to it, as the transport does
    MessageLines(InputStream in, OutputStream out, PrintStream reports) {
        this.in = new BufferedInputStream(in);
        this.out = out;
        this.reports = reports;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (position == message.length && !advance()) {
            return -1;
        }
        var count = Math.min(length, message.length - position);
        System.arraycopy(message, position, bytes, offset, count);
        position += count;
        return count;
    }

    /// Goes on to the next message.
    private boolean advance() throws IOException {
        var line = new ByteArrayOutputStream();
        var length = 0L;
        for (var read = in.read(); read >= 0; read = in.read()) {
            if (read != '\n') {
                length++;
                if (length <= LONGEST) {
                    // Between the tokens of a message it is a space; to the transport it ends a
                    // line.
                    line.write(read == '\r' ? ' ' : read);
                }
            } else if (isMessage(line, length)) {
                take(line);
                return true;
            } else {
                line.reset();
                length = 0;
            }
        }
        if (length > 0 && isMessage(line, length)) {
            take(line);
            return true;
        }
        return false;
    }

    private void take(ByteArrayOutputStream line) {
        line.write('\n');
        message = line.toByteArray();
        position = 0;
    }

    private boolean isMessage(ByteArrayOutputStream line, long length) throws IOException {
        lines++;
        if (length > LONGEST) {
            refuse(PARSE_ERROR, "it has " + length + " bytes, more than " + LONGEST);
            return false;
        }
        var text = line.toString(StandardCharsets.UTF_8);
        if (text.isBlank()) {
            return false;
        }
        try {
            var _ = McpSchema.deserializeJsonRpcMessage(mapper, text);
            return true;
        } catch (IOException | RuntimeException wrong) {
            refuse(line.toByteArray(), wrong);
            return false;
        }
    }

    private void refuse(byte[] line, Exception wrong) throws IOException {
        try {
            var _ = JsonText.read(line);
            refuse(INVALID_REQUEST, "it is no message of JSON-RPC: " + wrong.getMessage());
        } catch (MalformedJson malformed) {
            refuse(PARSE_ERROR, "it is not JSON: " + malformed.getMessage());
        }
    }

    private void refuse(int code, String why) throws IOException {
        var reason =
                ("line " + lines + " of the input is left out: " + why)
                        .lines()
                        .findFirst()
                        .orElseThrow();
        var cut = reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
        reports.println("artel mcp: " + cut);
        var answer =
                JsonText.write(
                        JsonObject.builder()
                                .put("jsonrpc", "2.0")
                                .put("id", JsonNull.NULL)
                                .put(
                                        "error",
                                        JsonObject.of("code", JsonValue.of(code))
                                                .with("message", new JsonString(cut)))
                                .build());
        synchronized (out) {
            out.write(answer);
            out.write('\n');
            out.flush();
        }
    }
}
