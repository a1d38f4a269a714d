package dev.artel.kernel.attempt;

import dev.artel.kernel.budget.Spending;
import java.time.Instant;

/// The right of one worker to report on one attempt; how long it lives is the lease index's business.
///
/// @param token fencing token, unique per grant; a report that carries another token is stale
/// @param instance the process of the worker to which the task was given
/// @param attempt 1 for the first try
/// @param timeout when the attempt has run for too long; durable, unlike the life of the lease
/// @param reserved the most that the attempt takes of its job's budget; nothing if the job has none
public record Lease(
        LeaseToken token,
        WorkerId worker,
        WorkerInstance instance,
        int attempt,
        Instant timeout,
        Spending reserved) {
    /// A lease of a job without a budget, of a process that is not known.
    public Lease(LeaseToken token, WorkerId worker, int attempt, Instant timeout) {
        this(token, worker, WorkerInstance.UNKNOWN, attempt, timeout, Spending.NONE);
    }

    /// This until another time.
    public Lease until(Instant other) {
        return new Lease(token, worker, instance, attempt, other, reserved);
    }
}
