package dev.artel.worker.wire;

/// What a worker asks of its orchestrator beside registering and polling. The bodies are those of HTTP.
public enum WireOperation {
    /// It lives, and how it stands. The body may be empty: nothing has changed.
    HEARTBEAT,
    /// The leases that it holds, and progress.
    RENEW,
    /// Tasks that it gives back.
    RELEASE,
    /// One outcome.
    RESULT,
    /// Several outcomes.
    RESULTS,
    /// Lines about a task.
    LOG,
    /// A question about a task to people; answered when there is an answer, or after a while.
    QUESTION,
    /// It takes nothing more.
    DRAIN,
    /// It leaves.
    DISCONNECT
}
