package dev.artel.worker.link;

/// What an orchestrator understands beyond the first generation's messages.
public enum ProtocolVersion {
    /// Nothing: one task per poll, one result per request, no renewals. It reads in a heartbeat whether the worker
    /// is full.
    PLAIN,
    /// Leases, renewals, batches, releases and drains. A poll names what the worker has room for.
    LEASED
}
