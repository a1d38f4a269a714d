package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/// The identity of a peer. That of a worker is its name in UTF-8; who sets none has one that is no name.
///
/// @param bytes its bytes, each as a character
record PeerName(String bytes) {
    static PeerName of(byte[] identity) {
        return new PeerName(new String(identity, ISO_8859_1));
    }

    static PeerName ofWorker(String worker) {
        return of(worker.getBytes(UTF_8));
    }

    byte[] identity() {
        return bytes.getBytes(ISO_8859_1);
    }

    /// The name of the worker that has this identity.
    String worker() {
        return new String(identity(), UTF_8);
    }
}
