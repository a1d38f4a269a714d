package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.waits.Await;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Pings of a WebSocket as bytes of one write: they are there together, and nothing is written while the answer comes. What the orchestrator
/// has not read when it closes would reset the connection, and take the close frame along; so each connection gets as many pings as are
/// one too many, and another one is opened where a second went by between them.
final class RawPings {
    /// Final, a ping; masked, with one byte; the mask; the byte.
    private static final byte[] PING = {(byte) 0x89, (byte) 0x81, 0, 0, 0, 0, 1};

    private static final int CLOSE = 8;
    private static final int PONG = 10;
    private static final int LONG = 126;

    private RawPings() {}

    /// Sends `count` pings to the socket at `path`, over one connection after another until one is closed because of them.
    ///
    /// @return the code and the reason with which the orchestrator closes it
    static String closeAfter(int port, String path, int count) throws IOException {
        var close = Optional.<String>empty();
        while (close.isEmpty()) {
            close = closeOfOne(port, path, count);
        }
        return close.get();
    }

    private static Optional<String> closeOfOne(int port, String path, int count)
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
            var pings = ByteBuffer.allocate(PING.length * count);
            for (var i = 0; i < count; i++) {
                pings.put(PING);
            }
            out.write(pings.array());
            for (var pongs = 0; pongs < count; ) {
                var kind = in.readUnsignedByte() & 0x0F;
                var length = in.readUnsignedByte();
                var payload = new byte[length == LONG ? in.readUnsignedShort() : length];
                in.readFully(payload);
                if (kind == CLOSE) {
                    var close = ByteBuffer.wrap(payload);
                    return Optional.of(close.getShort() + " " + UTF_8.decode(close));
                }
                pongs += kind == PONG ? 1 : 0;
            }
            return Optional.empty();
        }
    }

    private static void readHead(DataInputStream in) throws IOException {
        for (var ends = 0; ends < 2; ) {
            var next = in.readUnsignedByte();
            ends = next == '\n' ? ends + 1 : next == '\r' ? ends : 0;
        }
    }
}
