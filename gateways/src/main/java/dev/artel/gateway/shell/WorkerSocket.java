package dev.artel.gateway.shell;

import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.protocol.CancelTask;

/// A socket to a worker, as the conversation uses it. Its methods neither wait nor throw.
public interface WorkerSocket {
    /// The name of the wire on which its worker is.
    default String wire() {
        return WorkerProfile.HTTP;
    }

    /// Sends `cancel`; a socket that is too slow for it is closed.
    void push(CancelTask cancel);

    /// Closes the socket.
    ///
    /// @param code a status of RFC 6455 section 7.4
    void close(int code, String reason);
}
