package dev.artel.worker.server;

import dev.artel.worker.server.hub.ConnectionInput;
import dev.artel.worker.server.hub.WorkerConnection;

/// Serves WebSockets beside those of workers: dashboards, for example. [dev.artel.worker.server.hub.WorkerHub#opened] is one.
@FunctionalInterface
public interface SocketEndpoint {
    /// Takes a connection whose handshake is done and returns where its messages go. An exception closes the connection
    /// with code 1011.
    ConnectionInput opened(WorkerConnection connection);
}
