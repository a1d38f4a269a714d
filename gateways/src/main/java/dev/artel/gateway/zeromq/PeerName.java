package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/// The identity of a peer: a secret that a worker has drawn for its three sockets, or the name of the worker in UTF-8; who sets
/// none has one that is neither.
///
/// ZeroMQ gives the messages for an identity to the peer that connected with it last. Who knows the name of a worker can so take its place;
/// who does not know its secret cannot.
///
/// @param bytes its bytes, each as a character
record PeerName(String bytes) {
    private static final String SECRET = "~";
    private static final int SHORTEST_SECRET = 24;
    private static final int SHOWN = 4;

    static PeerName of(byte[] identity) {
        return new PeerName(new String(identity, ISO_8859_1));
    }

    static PeerName ofWorker(String worker) {
        return of(worker.getBytes(UTF_8));
    }

    byte[] identity() {
        return bytes.getBytes(ISO_8859_1);
    }

    /// Whether it is a secret.
    boolean isSecret() {
        return bytes.startsWith(SECRET) && bytes.length() >= SHORTEST_SECRET;
    }

    /// The name of the worker whose identity is its name.
    String worker() {
        return new String(identity(), UTF_8);
    }

    /// Without what is secret.
    @Override
    public String toString() {
        return isSecret() ? bytes.substring(0, SHOWN) + "..." : worker();
    }
}
