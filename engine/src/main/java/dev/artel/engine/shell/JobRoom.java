package dev.artel.engine.shell;

import dev.artel.engine.core.Footprint;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.store.Parts;
import dev.artel.kernel.task.Payload;
import java.util.Optional;

/// How much of a value that comes to a job stays in memory with it: the parameters of its tasks, the inputs of its children and the results
/// of both are all there until the job ends. Safe for use by many threads.
///
/// The values of a job with many tasks and children share what is left of its room. It is weighed before as many events as it has
/// parts have come, so that these cannot take more than there is, however long the job goes on.
final class JobRoom {
    /// All values of a job may have this share of the heap.
    private static final int SHARE = 8;

    /// A job that has this share of the heap all the same, with what is in its room and all that is too small to be kept apart,
    /// does not go on.
    private static final int MOST_SHARE = 4;

    /// In bytes: a job that is not in memory may have many tasks or children.
    private static final int UNKNOWN = 4 * 1024;

    /// A text that stays has eight times its length of memory, as much as most have.
    private static final int MOST = 8 * Payload.INLINE_LIMIT;

    private final long heap;
    private final long room;

    private final Footprints footprints = new Footprints();

    /// What one value has of it.
    ///
    /// @param memory how many bytes of the heap what stays may take
    /// @param isOne whether it is one value for its job, so that all of it may be elsewhere: the members of any other become
    ///     data of the job
    record Share(int memory, boolean isOne) {
        /// Of a value that is alone.
        static final Share ALONE = new Share(MOST, false);

        /// How many bytes of text are enough to be kept apart.
        int inline() {
            return Math.clamp(memory, Parts.SMALLEST, Payload.INLINE_LIMIT);
        }
    }

    /// @param heap how many bytes there are at most
    JobRoom(long heap) {
        this.heap = heap;
        room = heap / SHARE;
    }

    /// Of the result of a task of `job`.
    ///
    /// @param job empty if it is not in memory
    Share ofTask(Optional<Job> job, int task) {
        return new Share(memory(job), job.filter(it -> isOne(it, task)).isPresent());
    }

    private static boolean isOne(Job job, int number) {
        if (number < 0 || number >= job.tasks().size()) {
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

    /// Of the parameters of each of `more` tasks that `job` is to have, or of the inputs of as many children.
    Share ofParameters(Job job, int more) {
        return new Share(memory(job, more), true);
    }

    private int memory(Optional<Job> job) {
        return job.map(it -> memory(it, 0)).orElse(UNKNOWN);
    }

    private int memory(Job job, int more) {
        var values = job.tasks().size() + job.children().children().size() + more;
        var even = of(values);
        return even == MOST
                ? MOST
                : Math.clamp(
                        (room - footprints.of(job)) / Math.max(values, Footprint.FEWEST_EVENTS),
                        Parts.SMALLEST,
                        even);
    }

    /// How many bytes of the heap each of `values` may take.
    int of(int values) {
        return Math.clamp(room / Math.max(1, values), Parts.SMALLEST, MOST);
    }

    /// Why `job` takes too much memory to go on; empty if it does not.
    Optional<String> problem(Job job) {
        if (Footprint.parts(job) < Footprint.FEWEST_EVENTS) {
            return Optional.empty();
        }
        var weight = footprints.of(job);
        return weight <= heap / MOST_SHARE
                ? Optional.empty()
                : Optional.of(
                        "the job takes "
                                + (weight >> 20)
                                + " MB of memory with its "
                                + job.tasks().size()
                                + " tasks and "
                                + job.children().children().size()
                                + " children, more than a quarter of the heap of "
                                + (heap >> 20)
                                + " MB; give the orchestrator more (JAVA_TOOL_OPTIONS=-Xmx...), or let the job do less at once, by"
                                + " children or by continueAsNew");
    }
}
