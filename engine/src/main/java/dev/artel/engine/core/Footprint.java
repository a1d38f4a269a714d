package dev.artel.engine.core;

import dev.artel.kernel.child.Child;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;

/// About how much memory a job takes up. Single-threaded.
///
/// A job is measured again when it has had as many events as it has parts, or twice as many parts as before: measuring
/// costs each event a share that does not grow with the job.
public final class Footprint {
    /// A job that is not there, or without anything.
    static final long EMPTY = 3_000;

    /// Without its parameters and its result.
    private static final long TASK = 400;

    private static final long BRANCH = 300;
    private static final long CHILD = 800;
    private static final long SIGNAL = 300;

    /// Without its characters and those of its answer, of which each takes up to two bytes.
    private static final long QUESTION = 300;

    private static final long ASKED = 40;

    /// It is measured after so many events at the earliest.
    public static final int FEWEST_EVENTS = 8;

    private long bytes = EMPTY;
    private long version = -1;
    private long parts;

    /// Of a job that was not measured yet.
    public Footprint() {}

    /// How many bytes, as it was when it was last worth looking: since then it has had fewer events than parts.
    public long of(JobState state) {
        if (!(state instanceof Job job)) {
            return EMPTY;
        }
        var now = parts(job);
        var since = job.version() - version;
        if (version < 0 || now >= 2 * parts || since >= Math.max(now, FEWEST_EVENTS)) {
            bytes = measured(job);
            version = job.version();
            parts = now;
        }
        return bytes;
    }

    /// How many parts a job has that may be many.
    public static int parts(Job job) {
        return 1 + job.tasks().size() + job.branches().size() + job.children().children().size();
    }

    private static long measured(Job job) {
        var sum = EMPTY + BRANCH * job.branches().size() + ASKED * job.questions().asked().size();
        sum += of(job.data()) + of(job.spec().initialData());
        for (var child : job.children().children()) {
            sum += CHILD + of(child.spec().initialData());
            if (child.state() instanceof Child.Ended ended) {
                sum += of(ended.result());
            }
        }
        for (var branch : job.branches()) {
            if (branch.taken().isPresent()) {
                sum += SIGNAL + of(branch.taken().get().payload());
            }
        }
        for (var task : job.tasks()) {
            sum += TASK + of(task.spec().params()) + questions(task);
            sum +=
                    switch (task.state()) {
                        case Task.Succeeded done -> done.status().length() + of(done.data());
                        case Task.Failed(var error) ->
                                error.code().length() + error.message().length();
                        default -> 0;
                    };
        }
        for (var signal : job.signals().waiting()) {
            sum += SIGNAL + of(signal.payload());
        }
        for (var recordedResult : job.recordedResult()) {
            sum += TASK + of(recordedResult.params()) + of(recordedResult.data());
        }
        return sum;
    }

    private static long questions(Task task) {
        var sum = 0L;
        if (task.asked().isPresent()) {
            sum += QUESTION + 2L * task.asked().get().question().characters();
        }
        for (var answer : task.answers()) {
            sum += QUESTION + 2L * answer.characters();
        }
        return sum;
    }

    private static long of(JobData data) {
        return data.memory();
    }

    private static long of(Payload payload) {
        return Payload.memory(payload);
    }
}
