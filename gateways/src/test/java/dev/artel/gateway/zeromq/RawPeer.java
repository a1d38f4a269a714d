package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/// A peer that speaks ZMTP 3 itself, so that it can send what no library does.
final class RawPeer implements AutoCloseable {
    private static final int GREETING = 64;
    private static final int MORE = 1;
    private static final int LARGE = 2;
    private static final int COMMAND = 4;

    private final Socket socket;
    private final OutputStream out;

    private RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        out = socket.getOutputStream();
    }

    /// Connected without encryption, as a nameless DEALER.
    static RawPeer connect(int port) throws IOException {
        return connect(port, "");
    }

    /// Connected without encryption, as a DEALER of this identity.
    static RawPeer connect(int port, String identity) throws IOException {
        var peer = new RawPeer(new Socket(InetAddress.getLoopbackAddress(), port));
        peer.greet(identity);
        return peer;
    }

    /// Connected with the greeting of CURVE, from an address of its own, and silent then.
    static RawPeer encrypted(int port, String from) throws IOException {
        var peer =
                new RawPeer(
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                port,
                                InetAddress.getByName(from),
                                0));
        peer.out.write(greeting("CURVE"));
        return peer;
    }

    private static byte[] greeting(String mechanism) {
        var greeting = new byte[GREETING];
        greeting[0] = (byte) 0xff;
        greeting[9] = 0x7f;
        greeting[10] = 3;
        System.arraycopy(mechanism.getBytes(US_ASCII), 0, greeting, 12, mechanism.length());
        return greeting;
    }

    private void greet(String identity) throws IOException {
        out.write(introduction(identity));

        var in = new DataInputStream(socket.getInputStream());
        in.readFully(new byte[GREETING]);
        in.readFully(new byte[1]);
        in.readFully(new byte[in.readUnsignedByte()]);
    }

    /// What a DEALER of this identity sends first, without encryption.
    static byte[] introduction(String identity) throws IOException {
        var ready = new ByteArrayOutputStream();
        var body = new DataOutputStream(ready);
        body.writeBytes("\5READY\13Socket-Type");
        body.writeInt("DEALER".length());
        body.writeBytes("DEALER");
        body.writeBytes("\10Identity");
        body.writeInt(identity.length());
        body.writeBytes(identity);
        var all = new ByteArrayOutputStream();
        all.writeBytes(greeting("NULL"));
        all.writeBytes(new byte[] {COMMAND, (byte) ready.size()});
        all.writeBytes(ready.toByteArray());
        return all.toByteArray();
    }

    /// Sends frames of one byte, all of which say that more follow.
    void parts(int count) throws IOException {
        var parts = new byte[count * 3];
        for (var at = 0; at < parts.length; at += 3) {
            parts[at] = MORE;
            parts[at + 1] = 1;
        }
        out.write(parts);
    }

    /// Sends the last frame of a message.
    void end() throws IOException {
        out.write(new byte[] {0, 0});
    }

    /// Sends a command, in one piece: what the other side has not read when it ends the connection resets that.
    void command(byte[] bytes) throws IOException {
        var all = new byte[2 + bytes.length];
        all[0] = COMMAND;
        all[1] = (byte) bytes.length;
        System.arraycopy(bytes, 0, all, 2, bytes.length);
        out.write(all);
    }

    /// Waits for the greeting of the other side.
    void greeted() throws IOException {
        new DataInputStream(socket.getInputStream()).readFully(new byte[GREETING]);
    }

    /// Waits for something from the other side, or its end.
    boolean isAnswered() throws IOException {
        return socket.getInputStream().read() >= 0;
    }

    /// Announces a frame, and sends one byte of it.
    void begin(long length) throws IOException {
        var data = new DataOutputStream(out);
        data.writeByte(LARGE);
        data.writeLong(length);
        data.writeByte(0);
    }

    /// Waits until the other side has ended the connection.
    boolean isAtEnd() throws IOException {
        var in = socket.getInputStream();
        while (in.read() >= 0) {
            // what was sent before
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
