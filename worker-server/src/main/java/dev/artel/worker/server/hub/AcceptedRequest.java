package dev.artel.worker.server.hub;

/// A request of which its worker has confirmed that it has it: by `work_accepted`, by any other message about it, or by the pong
/// to the ping behind it. Each assignment to a worker has at most one.
///
/// @param requestId its id
/// @param workerId who has it
/// @param sessionId in which session
public record AcceptedRequest(String requestId, String workerId, String sessionId) {}
