package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.waits.Await;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/// Pings of a WebSocket as bytes of one write: they are there together, however slow the machine is, and nothing is written while the
/// answer comes.
final class RawPings {
    /// Final, a ping; masked, with one byte; the mask; the byte.
    private static final byte[] PING = {(byte) 0x89, (byte) 0x81, 0, 0, 0, 0, 1};

    private static final int CLOSE = 8;
    private static final int LONG = 126;

    private RawPings() {}

    /// Sends `count` pings to the socket at `path`.
    ///
    /// @return the code and the reason with which the orchestrator closes it
    /// @throws IOException if it ends without
    static String closeAfter(int port, String path, int count) throws IOException {
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
            while (true) {
                var kind = in.readUnsignedByte() & 0x0F;
                var length = in.readUnsignedByte();
                var payload = new byte[length == LONG ? in.readUnsignedShort() : length];
                in.readFully(payload);
                if (kind == CLOSE) {
                    var close = ByteBuffer.wrap(payload);
                    return close.getShort() + " " + UTF_8.decode(close);
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
