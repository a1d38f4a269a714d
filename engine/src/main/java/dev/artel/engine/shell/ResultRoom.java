package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.store.Parts;
import dev.artel.kernel.task.Payload;
import java.util.Optional;

/// How much of the result of a task or a child stays in memory with the job that asked for it: the results of all its tasks and
/// children are there together until it ends.
final class ResultRoom {
    /// All results of a job may have this share of the heap.
    private static final int SHARE = 8;

    /// A job that is not in memory may have many tasks or children.
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
        return job.map(it -> of(it.tasks().size() + it.children().children().size()))
                .orElse(UNKNOWN);
    }

    int of(int results) {
        return Math.clamp(room / Math.max(1, results), Parts.SMALLEST, Payload.INLINE_LIMIT);
    }
}
