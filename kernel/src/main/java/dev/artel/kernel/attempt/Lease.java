package dev.artel.kernel.attempt;

import java.time.Instant;

/// The right of one worker to report on one attempt; how long it lives is the lease index's business.
///
/// @param token fencing token, unique per grant; a report that carries another token is stale
/// @param attempt 1 for the first try
/// @param timeout when the attempt has run for too long; durable, unlike the life of the lease
public record Lease(LeaseToken token, WorkerId worker, int attempt, Instant timeout) {}
