package dev.artel.worker.server;

/// Decides who may open a WebSocket of an endpoint.
@FunctionalInterface
public interface SocketGuard {
    /// Whether the request of the handshake is let through. If not, the guard may answer it; else it is answered
    /// with 401.
    boolean admits(HttpCall handshake);

    /// Lets everybody through.
    static SocketGuard none() {
        return _ -> true;
    }
}
