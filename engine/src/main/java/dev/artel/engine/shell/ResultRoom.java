package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.store.Parts;
import dev.artel.kernel.task.Payload;
import java.util.Optional;

/// How much of the result of a task stays with its job in memory: the results of all its tasks are there together until it
/// ends.
final class ResultRoom {
    /// All results of a job may have this share of the heap.
    private static final int SHARE = 8;

    /// A job that is not in memory may have many tasks.
    private static final int UNKNOWN = 4 * 1024;

    private final long room;

    /// @param heap how many bytes there are at most
    ResultRoom(long heap) {
        room = heap / SHARE;
    }

    /// How many bytes of a result of `job` are enough to be kept apart, from [Parts#SMALLEST] to [Payload#INLINE_LIMIT].
    ///
    /// @param job empty if it is not in memory
    long inline(Optional<Job> job) {
        return job.map(it -> of(it.tasks().size())).orElse(UNKNOWN);
    }

    int of(int tasks) {
        return Math.clamp(room / Math.max(1, tasks), Parts.SMALLEST, Payload.INLINE_LIMIT);
    }
}
