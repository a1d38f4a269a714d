package dev.artel.protocol;

/// What a worker may send over a socket: something of one of its tasks.
public sealed interface SocketMessage extends WorkerMessage permits Progress, TaskLog {
    /// What proves the right to speak: the lease token, or else the id of the hand-out.
    String lease();
}
