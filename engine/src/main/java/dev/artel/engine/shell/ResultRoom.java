package dev.artel.engine.shell;

import dev.artel.kernel.branch.Branch;
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

    /// A text that stays has eight times its length of memory, as much as most have.
    private static final int MOST = 8 * Payload.INLINE_LIMIT;

    private final long room;

    /// What one result has of it.
    ///
    /// @param memory how many bytes of the heap what stays may take
    /// @param isOne whether the result is one value for its job, so that all of it may be elsewhere: the members of any other become
    ///     data of the job
    record Share(int memory, boolean isOne) {
        /// Of a result that is alone.
        static final Share ALONE = new Share(MOST, false);

        /// How many bytes of text are enough to be kept apart.
        int inline() {
            return Math.clamp(memory, Parts.SMALLEST, Payload.INLINE_LIMIT);
        }
    }

    /// @param heap how many bytes there are at most
    ResultRoom(long heap) {
        room = heap / SHARE;
    }

    /// Of the result of a task of `job`.
    ///
    /// @param job empty if it is not in memory
    Share ofTask(Optional<Job> job, int task) {
        return new Share(memory(job), job.filter(it -> isOne(it, task)).isPresent());
    }

    private static boolean isOne(Job job, int number) {
        if (number >= job.tasks().size()) {
            return false;
        }
        var task = job.tasks().get(number);
        return task.spec().resultAs().isPresent()
                || !(job.branches().get(task.branch()).doing()
                                instanceof Branch.AwaitingTask(int awaited, var _)
                        && awaited == number);
    }

    /// Of the result of a child of `job`.
    ///
    /// @param job empty if it is not in memory
    Share ofChild(Optional<Job> job) {
        return new Share(memory(job), true);
    }

    private int memory(Optional<Job> job) {
        return job.map(it -> of(it.tasks().size() + it.children().children().size()))
                .orElse(UNKNOWN);
    }

    /// How many bytes of the heap each of `results` may take.
    int of(int results) {
        return Math.clamp(room / Math.max(1, results), Parts.SMALLEST, MOST);
    }
}
