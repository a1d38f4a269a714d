package dev.artel.e2e.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A connection on which any bytes are sent, and answers of HTTP/1.1 are read. For one thread.
final class HttpExchange implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 40_000;

    private final Socket socket;
    private final InputStream in;
    private int answers;

    /// An answer.
    ///
    /// @param isLast whether the connection ends with it
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Answer(int status, boolean isLast, byte[] body) {
        String text() {
            return new String(body, UTF_8);
        }
    }

    HttpExchange(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 13);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /// Whether there was no answer before on this connection.
    boolean isFirst() {
        return answers == 0;
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /// Sends the first `length` bytes, and breaks the connection.
    void sendAndReset(byte[] bytes, int length) throws IOException {
        socket.setSoLinger(true, 0);
        socket.getOutputStream().write(bytes, 0, length);
    }

    InputStream input() {
        return in;
    }

    Socket socket() {
        return socket;
    }

    /// The next answer; null if the connection ends before.
    @Nullable Answer answer() throws IOException {
        var status = line();
        if (status == null) {
            return null;
        }
        var words = status.split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.")) {
            throw new IOException("no HTTP: " + status);
        }
        var code = Integer.parseInt(words[1]);
        var length = code == 204 || code == 304 || code < 200 ? 0 : -1;
        var isChunked = false;
        var isLast = false;
        for (var header = line(); header != null && !header.isEmpty(); header = line()) {
            var lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring("content-length:".length()).strip());
            } else if (lower.startsWith("transfer-encoding:") && lower.contains("chunked")) {
                isChunked = true;
            } else if (lower.startsWith("connection:") && lower.contains("close")) {
                isLast = true;
            }
        }
        answers++;
        return new Answer(code, isLast || code == 101, body(length, isChunked));
    }

    private byte[] body(int length, boolean isChunked) throws IOException {
        if (!isChunked) {
            return length < 0 ? in.readAllBytes() : in.readNBytes(length);
        }
        var all = new ByteArrayOutputStream();
        while (true) {
            var head = line();
            if (head == null) {
                throw new IOException("the answer ends within a chunk");
            }
            var size = Integer.parseInt(head.strip(), 16);
            all.write(in.readNBytes(size));
            var _ = line();
            if (size == 0) {
                return all.toByteArray();
            }
        }
    }

    private @Nullable String line() throws IOException {
        var text = new ByteArrayOutputStream(64);
        for (var c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            if (c != '\r') {
                text.write(c);
            }
        }
        return text.toString(ISO_8859_1);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            throw new IllegalStateException("a socket did not close", gone);
        }
    }
}
