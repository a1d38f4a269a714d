package dev.artel.engine.core;

import dev.artel.kernel.job.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// The jobs of one partition. Single-threaded.
///
/// Jobs that are idle are kept as long as there is room, the last used ones longest; a job that is needed again is
/// read from the store.
public final class JobsCore {
    /// So many events are folded in some milliseconds.
    private static final int KEEP_EVERY = 1_000;

    /// While memory is short, idle jobs have this part of the room.
    private static final int PART_IF_SHORT = 4;

    private final long room;
    private final Definitions definitions;
    private final int keepEvery;

    /// Order: least recently used first.
    private final LinkedHashMap<JobId, JobCore> jobs = new LinkedHashMap<>(64, 0.75f, true);

    private long weight;

    /// The weight at which it is worth looking for idle jobs again.
    private long full;

    /// A core that keeps jobs of about `room` bytes in memory and knows no state without a handler.
    public JobsCore(long room) {
        this(room, Definitions.NONE);
    }

    /// A core that keeps jobs of about `room` bytes in memory.
    public JobsCore(long room, Definitions definitions) {
        this(room, definitions, KEEP_EVERY);
    }

    /// A core that keeps jobs of about `room` bytes in memory, and asks for the fold of a job to be kept after `keepEvery`
    /// events or more.
    public JobsCore(long room, Definitions definitions, int keepEvery) {
        this.definitions = definitions;
        this.keepEvery = keepEvery;
        if (room < 1) {
            throw new IllegalArgumentException("the room for jobs must be at least 1, was " + room);
        }
        this.room = room;
        full = room;
    }

    /// Takes `input` in and hands what it wants done to `out`, in order.
    public void on(JobsInput input, Consumer<JobsOutput> out) {
        switch (input) {
            case JobsInput.Look(var job, long requestId) -> out.accept(seen(job, requestId));
            case JobsInput.Spare() -> makeRoom(room / PART_IF_SHORT, out);
            case JobsInput.OfJob ofJob -> of(ofJob, out);
        }
    }

    private void of(JobsInput.OfJob input, Consumer<JobsOutput> out) {
        var id = input.job();
        var job = jobs.get(id);
        if (job == null) {
            job = new JobCore(id, definitions, keepEvery);
            jobs.put(id, job);
            weight += job.weight();
        }
        var before = job.weight();
        job.on(input, out);
        weight += job.weight() - before;
        if (job.isIdle() && (job.isClosed() || job.version().isEmpty())) {
            forget(id, job, out);
        } else if (weight > full) {
            makeRoom(room - room / 10, out);
        }
    }

    private JobsOutput.Seen seen(JobId id, long requestId) {
        var job = jobs.get(id);
        return job == null
                ? new JobsOutput.Seen(requestId, OptionalLong.empty(), false)
                : new JobsOutput.Seen(requestId, job.version(), !job.isIdle());
    }

    /// How many jobs are in memory.
    public int size() {
        return jobs.size();
    }

    private void forget(JobId id, JobCore job, Consumer<JobsOutput> out) {
        jobs.remove(id);
        out.accept(new JobsOutput.Forgotten(id));
        weight -= job.weight();
    }

    /// Idle jobs leave memory, until those that stay take `most` bytes.
    private void makeRoom(long most, Consumer<JobsOutput> out) {
        var idle = new ArrayList<JobId>();
        var spare = weight - most;
        for (var entry : jobs.entrySet()) {
            if (spare <= 0) {
                break;
            }
            if (entry.getValue().isIdle()) {
                idle.add(entry.getKey());
                spare -= entry.getValue().weight();
            }
        }
        for (var id : idle) {
            var job = jobs.remove(id);
            weight -= job == null ? 0 : job.weight();
            out.accept(new JobsOutput.Forgotten(id));
        }
        full = Math.max(room, weight + room / 10);
    }
}
