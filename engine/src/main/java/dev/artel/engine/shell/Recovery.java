package dev.artel.engine.shell;

import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.EventStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes up what a store has open. For one thread; afterwards for many that read.
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final List<Held> held = new ArrayList<>();

    /// Gives each open job to its partition.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    void recover(EventStore store, Function<JobId, Partition> partitions) {
        var began = System.nanoTime();
        var count = new long[1];
        store.readOpen(open -> {
            var state = (JobState) new JobState.Unsubmitted(open.id());
            for (var append : open.appends()) {
                state = Jobs.evolve(state, append.events()).after();
            }
            noteHeld(state);
            partitions.apply(open.id()).recover(new JobsInput.Recovered(state));
            count[0]++;
        });
        if (count[0] > 0) {
            LOG.atInfo()
                    .addKeyValue("jobs", count[0])
                    .addKeyValue("millis", (System.nanoTime() - began) / 1_000_000)
                    .log("open jobs taken up");
        }
    }

    /// A worker has had a task since before the start.
    private record Held(JobId job, int task, WorkerId worker) {}

    private void noteHeld(JobState state) {
        if (state instanceof Job job && job.leased() > 0) {
            for (var task : job.tasks()) {
                if (task.state() instanceof Task.Open(Delivery.Leased leased, int _, var _)) {
                    held.add(new Held(job.id(), task.id(), leased.lease().worker()));
                }
            }
        }
    }

    /// Tells `observer` which workers have had tasks since before the start.
    void tell(JobObserver observer) {
        held.forEach(task -> observer.heldBefore(task.job(), task.task(), task.worker()));
    }
}
