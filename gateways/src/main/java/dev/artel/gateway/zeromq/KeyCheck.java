package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.zeromq.ZMQ;
import zmq.Msg;

/// Answers the library which keys are let in, by ZAP ([RFC 27](https://rfc.zeromq.org/spec/27/)). On the thread of the sockets.
final class KeyCheck {
    /// Where the library asks.
    static final String ADDRESS = "inproc://zeromq.zap.01";

    /// The property of a connection that has its key. The library puts what a peer states of itself in the place of what is answered here, also in that of the user id; of
    /// this one no peer knows the name.
    private static final String PROPERTY = "Artel-Key-" + secret();

    private static final int VERSION = 0;
    private static final int REQUEST = 1;
    private static final int MECHANISM = 5;
    private static final int KEY = 6;
    private static final int KEY_BYTES = 32;
    private static final int SECRET_BYTES = 16;

    private final ZMQ.Socket socket;
    private final ClientKeys keys;

    KeyCheck(ZMQ.Socket socket, ClientKeys keys) {
        this.socket = socket;
        this.keys = keys;
    }

    private static String secret() {
        var bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// The key of the connection over which `frame` came, as it was let in; null if none was.
    static @Nullable String keyOf(Msg frame) {
        var metadata = frame.getMetadata();
        var key = metadata == null ? null : metadata.get(PROPERTY);
        return key == null || key.isEmpty() ? null : key;
    }

    /// The property, in the form of ZMTP.
    static byte[] propertyOf(String key) {
        var name = PROPERTY.getBytes(US_ASCII);
        var value = key.getBytes(US_ASCII);
        return ByteBuffer.allocate(1 + name.length + Integer.BYTES + value.length)
                .put((byte) name.length)
                .put(name)
                .putInt(value.length)
                .put(value)
                .array();
    }

    /// Answers what has been asked since.
    void answer() {
        for (var version = socket.recv(ZMQ.DONTWAIT);
                version != null;
                version = socket.recv(ZMQ.DONTWAIT)) {
            var frames = new ArrayList<byte[]>();
            frames.add(version);
            while (socket.hasReceiveMore()) {
                frames.add(socket.recv(0));
            }
            var key =
                    frames.size() == KEY + 1 && frames.get(KEY).length == KEY_BYTES
                            ? ZMQ.Curve.z85Encode(frames.get(KEY))
                            : "";
            var isKnown =
                    !key.isEmpty()
                            && new String(frames.get(MECHANISM), UTF_8).equals("CURVE")
                            && keys.contains(key);
            var _ = socket.send(frames.get(VERSION), ZMQ.SNDMORE);
            var _ = socket.send(frames.get(REQUEST), ZMQ.SNDMORE);
            var _ = socket.send(isKnown ? "200" : "400", ZMQ.SNDMORE);
            var _ = socket.send(isKnown ? "OK" : "this key is not let in", ZMQ.SNDMORE);
            var _ = socket.send(isKnown ? key : "", ZMQ.SNDMORE);
            // Who the peer is, which comes with each of its messages.
            var _ = socket.send(isKnown ? propertyOf(key) : new byte[0], 0);
        }
    }
}
