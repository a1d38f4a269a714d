package dev.artel.protocol;

/// What a worker says to the orchestrator, whatever the wire.
///
/// Every message with a body has a `read` that accepts all generations of workers and a `toJson` that writes
/// one form. What a worker may not decide about itself, such as its reputation, is in none of them.
public sealed interface WorkerMessage
        permits Register,
                Heartbeat,
                WorkerMessage.Poll,
                TaskResult,
                Renew,
                Release,
                Progress,
                TaskLog,
                AskQuestion,
                WorkerMessage.Drain,
                WorkerMessage.Disconnect {

    /// Asks for work. Has no body.
    ///
    /// @param max the most tasks that one answer may bring; 0 if the worker did not say, so that it understands
    ///     nothing but a single task
    record Poll(String workerId, int max) implements WorkerMessage {}

    /// Wants no more work and will leave when the tasks it holds are done. Has no body.
    record Drain(String workerId) implements WorkerMessage {}

    /// Has left. Has no body.
    record Disconnect(String workerId) implements WorkerMessage {}
}
