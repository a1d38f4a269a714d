package dev.artel.session;

import java.time.Duration;

/// The terms of a channel over which tasks are pushed to a worker.
///
/// @param wire the name of its wire, as the fleet shows it: `websocket`, `zeromq`
/// @param acceptWithin how long the worker may take to accept a task; then the task goes to another one
/// @param keepsLeases whether the tasks of the worker outlive the channel, so that it can go on with them over another
///     one, or by polls; otherwise a channel that closes returns them to the queue
public record PushTerms(String wire, Duration acceptWithin, boolean keepsLeases) {
    /// After how many tasks in a row that the worker neither accepted nor refused its channel is closed.
    public static final int MOST_MISSES = 3;

    /// Refuses terms that no worker can keep.
    public PushTerms {
        if (wire.isBlank()) {
            throw new IllegalArgumentException("a channel needs the name of its wire");
        }
        if (!acceptWithin.isPositive()) {
            throw new IllegalArgumentException(
                    "the time to accept a task must be positive, was " + acceptWithin);
        }
    }
}
