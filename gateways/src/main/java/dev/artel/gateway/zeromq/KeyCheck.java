package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import org.zeromq.ZMQ;

/// Answers the library which keys are let in, by ZAP ([RFC 27](https://rfc.zeromq.org/spec/27/)). On the thread of the sockets.
final class KeyCheck {
    /// Where the library asks.
    static final String ADDRESS = "inproc://zeromq.zap.01";

    private static final int VERSION = 0;
    private static final int REQUEST = 1;
    private static final int MECHANISM = 5;
    private static final int KEY = 6;
    private static final int KEY_BYTES = 32;

    private final ZMQ.Socket socket;
    private final ClientKeys keys;

    KeyCheck(ZMQ.Socket socket, ClientKeys keys) {
        this.socket = socket;
        this.keys = keys;
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
            // Who the peer is, which comes with each of its messages.
            var _ = socket.send(isKnown ? key : "", ZMQ.SNDMORE);
            var _ = socket.send(new byte[0], 0);
        }
    }
}
