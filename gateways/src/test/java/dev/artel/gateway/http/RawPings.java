package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.waits.Await;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Frames of a WebSocket that carry nothing, as bytes of one write: they are there together, and nothing is written while the answer comes. What the
/// orchestrator has not read when it closes would reset the connection, and take the close frame along; so each connection gets as many frames as are
/// one too many, and another one is opened where a second went by between them.
public final class RawPings {
    private static final int CLOSE = 8;
    private static final int PONG = 10;
    private static final int LONG = 126;

    /// What the last ping of a connection has, which alone is answered for certain.
    private static final byte LAST = 2;

    /// What is sent.
    public enum Kind {
        /// Pings.
        PINGS(0x89),
        /// Pongs that answer no ping of the server, and one ping behind them.
        PONGS(0x8A);

        private final byte head;

        Kind(int head) {
            this.head = (byte) head;
        }
    }

    private RawPings() {}

    /// Sends `count` frames to the socket at `path`, over one connection after another until one is closed because of them.
    ///
    /// @return the code and the reason with which the orchestrator closes it
    public static String closeAfter(int port, String path, Kind kind, int count)
            throws IOException {
        var close = Optional.<String>empty();
        while (close.isEmpty()) {
            close = closeOfOne(port, path, frames(kind, count));
        }
        return close.get();
    }

    private static byte[] frames(Kind kind, int count) {
        var bytes = new ByteArrayOutputStream();
        for (var i = 1; i < count; i++) {
            bytes.writeBytes(frame(kind.head, (byte) 1));
        }
        bytes.writeBytes(frame(Kind.PINGS.head, LAST));
        return bytes.toByteArray();
    }

    /// Masked, with one byte; the mask; the byte.
    private static byte[] frame(byte head, byte payload) {
        return new byte[] {head, (byte) 0x81, 0, 0, 0, 0, payload};
    }

    private static Optional<String> closeOfOne(int port, String path, byte[] frames)
            throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(Math.toIntExact(Await.longest().toMillis()));
            var out = socket.getOutputStream();
            var in = new DataInputStream(socket.getInputStream());
            out.write(
                    ("GET "
                                    + path
                                    + " HTTP/1.1\r\nHost: artel\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Worker-Token: "
                                    + GatewayServer.TOKEN
                                    + "\r\n\r\n")
                            .getBytes(US_ASCII));
            readHead(in);
            out.write(frames);
            while (true) {
                var kind = in.readUnsignedByte() & 0x0F;
                var length = in.readUnsignedByte();
                var payload = new byte[length == LONG ? in.readUnsignedShort() : length];
                in.readFully(payload);
                if (kind == CLOSE) {
                    var close = ByteBuffer.wrap(payload);
                    return Optional.of(close.getShort() + " " + UTF_8.decode(close));
                }
                if (kind == PONG && payload[0] == LAST) {
                    return Optional.empty();
                }
            }
        }
    }

    private static void readHead(DataInputStream in) throws IOException {
        for (var ends = 0; ends < 2; ) {
            var next = in.readUnsignedByte();
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
        }
    }
}
