package dev.artel.benchmarks;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// One kept connection of a load generator: as little of HTTP/1.1 as it takes to put load on a server without taking
/// the processors from it. Not safe for use by many threads.
final class HttpClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 120_000;

    private final int port;
    private final String token;
    private Connected connected;

    private record Connected(Socket socket, InputStream in, OutputStream out) {
        static Connected to(int port) throws IOException {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return new Connected(
                    socket,
                    new BufferedInputStream(socket.getInputStream(), 1 << 14),
                    socket.getOutputStream());
        }
    }

    HttpClient(int port, String token) throws IOException {
        this.port = port;
        this.token = token;
        connected = Connected.to(port);
    }

    JsonObject post(String path, JsonObject body) throws IOException {
        return (JsonObject) JsonText.read(call("POST", path, JsonText.write(body)));
    }

    JsonObject get(String path) throws IOException {
        return (JsonObject) JsonText.read(bytes(path));
    }

    /// What a `GET` of `path` is answered; over a new connection if the server has closed this one, which it does with those that are idle.
    byte[] bytes(String path) throws IOException {
        try {
            return call("GET", path, new byte[0]);
        } catch (Closed | SocketException idle) {
            close();
            connected = Connected.to(port);
            return call("GET", path, new byte[0]);
        }
    }

    private static final class Closed extends IOException {
        @java.io.Serial private static final long serialVersionUID = 1;

        Closed() {
            super("the server closed the connection");
        }
    }

    /// Begins a stream of events; the answer's head was read when this returns. The connection is good for [#drain] alone then.
    void stream(String path) throws IOException {
        send("GET", path, new byte[0]);
        var status = line();
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException("GET " + path + " was answered " + status);
        }
        var header = line();
        while (!header.isEmpty()) {
            header = line();
        }
    }

    /// Reads until the connection is over, and returns how many bytes there were.
    long drain() throws IOException {
        return connected.in().transferTo(OutputStream.nullOutputStream());
    }

    private byte[] call(String method, String path, byte[] body) throws IOException {
        send(method, path, body);
        try {
            return answer(method + ' ' + path);
        } catch (SocketTimeoutException late) {
            throw new IOException(
                    method + ' ' + path + " was not answered in " + TIMEOUT_MILLIS + " ms", late);
        }
    }

    private void send(String method, String path, byte[] body) throws IOException {
        var head =
                method
                        + ' '
                        + path
                        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                        + token
                        + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length
                        + "\r\n\r\n";
        var start = head.getBytes(StandardCharsets.US_ASCII);
        var request = new byte[start.length + body.length];
        System.arraycopy(start, 0, request, 0, start.length);
        System.arraycopy(body, 0, request, start.length, body.length);
        connected.out().write(request);
    }

    private byte[] answer(String request) throws IOException {
        var status = line();
        var length = -1;
        var chunked = false;
        for (var header = line(); !header.isEmpty(); header = line()) {
            var lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(header.substring("content-length:".length()).strip());
            } else if (lower.startsWith("transfer-encoding:") && lower.contains("chunked")) {
                chunked = true;
            }
        }
        var body = chunked ? chunks() : connected.in().readNBytes(length);
        if (!status.startsWith("HTTP/1.1 2")) {
            throw new IOException(
                    request
                            + " was answered "
                            + status
                            + ": "
                            + new String(body, StandardCharsets.UTF_8));
        }
        return body;
    }

    private byte[] chunks() throws IOException {
        var all = new ByteArrayOutputStream();
        while (true) {
            var size = Integer.parseInt(line().strip(), 16);
            all.write(connected.in().readNBytes(size));
            line();
            if (size == 0) {
                return all.toByteArray();
            }
        }
    }

    private String line() throws IOException {
        var text = new StringBuilder(64);
        for (var c = connected.in().read(); c != '\n'; c = connected.in().read()) {
            if (c < 0) {
                throw new Closed();
            }
            if (c != '\r') {
                text.append((char) c);
            }
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        connected.socket().close();
    }
}
