package dev.artel.engine.shell;

import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StreamFold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes up what a store has open. For one thread; afterwards for many that read.
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private static final int PAGE = 1_000;
    private static final String NAME = "artel-recovery";

    /// Of the text of the jobs that are read at once: values take up to thirty times as much.
    private static final long PAGE_BYTES =
            Math.min(EventStore.EventPage.BYTES, Runtime.getRuntime().maxMemory() / 256);

    /// How long it waits for a partition before it looks whether that proceeds.
    private static final Duration LOOK = Duration.ofMillis(200);

    private final List<Held> held = new ArrayList<>();
    private final Unreadable unreadable;
    private final Supervision supervision;
    private final List<JobObserver> observers;
    private final Vitals.Heart heart;
    private final AllocatedBytes allocations = new AllocatedBytes();

    /// The job that is being read.
    private volatile @Nullable InHand inHand;

    private long count;

    private record InHand(JobId job, ThreadGauge gauge) {
        Supervision.RunningHandler taking() {
            return new Supervision.RunningHandler(job, gauge.allocated());
        }
    }

    /// @param unreadable gets the jobs that are not taken up
    /// @param observers get what of each job was so before the start, before its partition gets the job
    Recovery(Unreadable unreadable, List<JobObserver> observers, Vitals vitals) {
        this.unreadable = unreadable;
        this.observers = observers;
        this.supervision = vitals.supervision();
        heart = vitals.heart(NAME);
    }

    /// Gives each open job to its partition, but for those that cannot be read or are set aside.
    ///
    /// @param onRead gets each job before its partition does
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    void recover(
            EventStore store, Function<JobId, Partition> partitions, Consumer<JobState> onRead) {
        var began = System.nanoTime();
        var after = OptionalLong.of(0);
        try {
            while (after.isPresent()) {
                heart.begin();
                var page = store.openTails(after.getAsLong(), PAGE, PAGE_BYTES);
                for (var job : page.jobs()) {
                    heart.begin();
                    recover(job, store, partitions, onRead);
                }
                after = page.next();
            }
        } finally {
            heart.rest();
        }
        if (count > 0) {
            LOG.atInfo()
                    .addKeyValue("jobs", count)
                    .addKeyValue("millis", (System.nanoTime() - began) / 1_000_000)
                    .log("open jobs loaded");
        }
    }

    /// Waits until `partitions` have taken up all that they were given.
    void await(List<Partition> partitions) {
        try {
            for (var partition : partitions) {
                var left = -1;
                do {
                    if (partition.recovering() != left) {
                        left = partition.recovering();
                        heart.begin();
                    }
                } while (!partition.awaitRecovered(LOOK));
            }
        } finally {
            heart.rest();
        }
    }

    /// Whatever a job's events do when they are folded, the others are taken up.
    private void recover(
            EventStore.OpenTail tail,
            EventStore store,
            Function<JobId, Partition> partitions,
            Consumer<JobState> onRead) {
        var job = tail.id();
        var aside = supervision.setAside(job);
        if (aside.isPresent()) {
            unreadable.add(job, aside.get());
            return;
        }
        StreamFold replay;
        // A start without open jobs does not need it.
        allocations.begin();
        var gauge = new ThreadGauge(Thread.currentThread(), allocations::of);
        inHand = new InHand(job, gauge);
        try {
            replay = StreamFold.of(store, tail);
        } catch (StoreException.StoreCorrupt broken) {
            unreadable.add(job, String.valueOf(broken.getMessage()));
            return;
        } catch (StoreException away) {
            throw away;
        } catch (RuntimeException nonsense) {
            LOG.atDebug().addKeyValue("job", job).setCause(nonsense).log("events are inconsistent");
            unreadable.add(job, "its events are inconsistent: " + nonsense);
            return;
        } catch (Error error) {
            unreadable.add(job, error, NAME, supervision);
            LOG.atDebug()
                    .addKeyValue("job", job)
                    .setCause(error)
                    .log("reading a job ended with an error");
            return;
        } finally {
            inHand = null;
        }
        var state = replay.state();
        if (state instanceof Job known) {
            observers.forEach(observer -> observer.openBefore(known));
        }
        noteHeld(state);
        reportNeeds(state);
        onRead.accept(state);
        partitions
                .apply(job)
                .recover(
                        new JobsInput.Recovered(state, state.version() - replay.folded()),
                        gauge.allocated());
        count++;
    }

    /// What uses memory: handlers, of which `handlers` knows, and the reading of a job. Where memory runs out in another thread, the
    /// job is named for which most is used.
    Supervision.Handlers beside(Supervision.Handlers handlers) {
        return new Supervision.Handlers() {
            @Override
            public Optional<Supervision.RunningHandler> greediest() {
                var reading = inHand;
                var greediest = handlers.greediest();
                if (reading == null) {
                    return greediest;
                }
                var taking = reading.taking();
                return greediest.isPresent() && greediest.get().allocated() > taking.allocated()
                        ? greediest
                        : Optional.of(taking);
            }

            @Override
            public List<Supervision.RunningHandler> running() {
                return handlers.running();
            }

            @Override
            public List<JobId> exiting() {
                return handlers.exiting();
            }
        };
    }

    /// A worker has had a task since before the start.
    private record Held(JobId job, int task, WorkerId worker) {}

    private void noteHeld(JobState state) {
        if (state instanceof Job job && job.leased() > 0) {
            for (var task : job.tasks()) {
                if (task.state() instanceof Task.Open(Attempt.Leased leased, int _, var _)) {
                    var worker = leased.lease().worker();
                    held.add(new Held(job.id(), task.id(), worker));
                    observers.forEach(each -> each.heldBefore(job.id(), task.id(), worker));
                }
            }
        }
    }

    private void reportNeeds(JobState state) {
        if (state instanceof Job job) {
            for (var need : PersonNeed.of(job)) {
                observers.forEach(observer -> observer.neededBefore(need));
            }
        }
    }

    /// Reports to `observer` which workers have had tasks since before the start.
    void report(JobObserver observer) {
        held.forEach(task -> observer.heldBefore(task.job(), task.task(), task.worker()));
    }
}
