package dev.artel.benchmarks;

import dev.artel.engine.core.CoordinatorCore;
import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.engine.core.CoordinatorTime;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A fleet and its tasks around a [CoordinatorCore]; answers its grants at once, as a store would that takes no time. What
/// it measures is the time in the coordinator alone: neither that in which it makes up what comes next nor its own books.
final class DispatchWorkload {
    private static final int TASKS_PER_JOB = 100;

    /// One in so many steps a worker changes; one in ten of those it leaves and another comes.
    private static final int CHURN = 20;

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final DispatchLoad load;
    private final SplittableRandom random;
    private final Consumer<CoordinatorOutput> sink = this::take;
    private final CoordinatorCore coordinator;
    private final WorkloadSource workloadSource;
    private final List<WorkerProfile> workers = new ArrayList<>();
    private final List<ArrayDeque<Held>> held = new ArrayList<>();
    private final Map<WorkerId, Integer> numbers = new LinkedHashMap<>();
    private final Map<EffectId, Effect.Offer> offers = new LinkedHashMap<>();
    private final long[] latencies;
    private long asked;
    private int numbered;
    private int granted;
    private long spent;
    private int measured;
    private JobCommand.@Nullable Grant lastGrant;

    private record Held(JobId job, Effect.HoldLease lease) {}

    DispatchWorkload(DispatchLoad load, long seed) {
        this.load = load;
        random = new SplittableRandom(seed);
        coordinator = new CoordinatorCore(Duration.ofHours(1), random.split());
        workloadSource = new WorkloadSource(load.demandClasses(), random.split());
        latencies = new long[load.briefTasks() + load.freedSlots()];
        for (var i = 0; i < load.workers(); i++) {
            workers.add(workloadSource.worker(i));
            held.add(new ArrayDeque<>());
            numbers.put(workers.get(i).id(), i);
            put(new CoordinatorInput.Joined(workers.get(i)));
            fill(i);
        }
        for (var i = 0; i < load.demandClasses(); i++) {
            queue();
        }
        for (var i = 0; i < load.firstFrees(); i++) {
            free(random.nextInt(load.workers()));
            commit();
        }
        granted = 0;
        spent = 0;
    }

    /// Does all that the load has, once.
    void run() {
        tasksComeToFreeWorkers();
        briefTasksComeToFreeWorkers();
        slotsAreFreedForTasks();
    }

    /// Occupies all slots of a worker.
    private void fill(int worker) {
        var profile = workers.get(worker);
        for (var i = held.get(worker).size(); i < profile.capacity(); i++) {
            numbered++;
            var token = new LeaseToken("old." + numbered + ".1.x");
            var lease = new Lease(token, profile.id(), 1, NOW);
            var spec = workloadSource.taskFor(profile);
            var hold =
                    new Effect.HoldLease(new EffectId(numbered, 0), numbered, lease, spec, "b", 0);
            var job = new JobId("old");
            held.get(worker).add(new Held(job, hold));
            put(new CoordinatorInput.Effects(job, List.of(hold), List.of()));
        }
    }

    /// A slot of `worker` is freed, and it asks for work.
    private void free(int worker) {
        var ended = held.get(worker).poll();
        if (ended != null) {
            put(new CoordinatorInput.Effects(ended.job(), List.of(), List.of(ended.lease())));
        }
        put(new CoordinatorInput.Asked(++asked, workers.get(worker).id(), 1));
    }

    private void queue() {
        submit();
        commit();
    }

    private void submit() {
        var offer = offer();
        put(new CoordinatorInput.Effects(job(offer.task()), List.of(offer), List.of()));
    }

    private Effect.Offer offer() {
        numbered++;
        var offer =
                new Effect.Offer(
                        new EffectId(numbered, 0),
                        numbered,
                        1,
                        TaskOutline.of("b", spec(numbered)),
                        0,
                        client(numbered),
                        NOW,
                        NOW,
                        List.of());
        offers.put(offer.id(), offer);
        return offer;
    }

    private TaskSpec spec(int task) {
        return workloadSource.task(task % workloadSource.classes());
    }

    private static JobId job(int task) {
        return new JobId("job-" + task / TASKS_PER_JOB);
    }

    private String client(int task) {
        return load.clients() == 1 ? "" : "client-" + task / TASKS_PER_JOB % load.clients();
    }

    /// Tasks come one by one, and as many slots are freed.
    private void tasksComeToFreeWorkers() {
        for (var i = 0; i < load.arrivals(); i++) {
            queue();
            free(random.nextInt(load.workers()));
            commit();
            churn(i);
        }
    }

    /// Tasks come one by one, and a slot of the worker that gets one is freed at once.
    private void briefTasksComeToFreeWorkers() {
        for (var i = 0; i < load.briefTasks(); i++) {
            var before = spent;
            submit();
            var grant = lastGrant;
            if (grant != null) {
                latencies[measured++] = spent - before;
            }
            commit();
            if (grant != null) {
                free(numbers.getOrDefault(grant.worker(), 0));
                commit();
            }
            churn(i);
        }
    }

    /// Many tasks wait, and slots are freed one by one.
    private void slotsAreFreedForTasks() {
        var spentBefore = spent;
        var grantedBefore = granted;
        for (var i = 0; i < load.queuedTasks(); i++) {
            queue();
        }
        spent = spentBefore;
        granted = grantedBefore;
        for (var i = 0; i < load.freedSlots(); i++) {
            var worker = random.nextInt(load.workers());
            var freed = System.nanoTime();
            free(worker);
            if (lastGrant != null) {
                latencies[measured++] = System.nanoTime() - freed;
            }
            commit();
            churn(i);
        }
    }

    private void churn(int step) {
        if (step % CHURN != 0) {
            return;
        }
        var worker = random.nextInt(load.workers());
        if (step % (10 * CHURN) == 0) {
            put(new CoordinatorInput.Left(workers.get(worker).id(), LeaseEnd.Lost.WORKER_GONE));
            held.get(worker)
                    .forEach(it ->
                            put(
                                    new CoordinatorInput.Effects(
                                            it.job(), List.of(), List.of(it.lease()))));
            held.get(worker).clear();
            put(new CoordinatorInput.Joined(workers.get(worker)));
            fill(worker);
        } else {
            workers.set(worker, workloadSource.warmedUp(workers.get(worker)));
            put(new CoordinatorInput.Joined(workers.get(worker)));
        }
        commit();
    }

    private void put(CoordinatorInput input) {
        var began = System.nanoTime();
        coordinator.on(input, CoordinatorTime.of(NOW), sink);
        spent += System.nanoTime() - began;
    }

    private final ArrayDeque<JobCommand.Grant> grants = new ArrayDeque<>();
    private final Map<LeaseToken, JobId> jobs = new LinkedHashMap<>();

    private void take(CoordinatorOutput output) {
        if (output instanceof CoordinatorOutput.Command(var job, JobCommand.Grant grant)) {
            lastGrant = grant;
            grants.add(grant);
            jobs.put(grant.token(), job);
        }
    }

    /// What was granted becomes durable.
    private void commit() {
        for (var grant = grants.poll(); grant != null; grant = grants.poll()) {
            granted++;
            var job = jobs.remove(grant.token());
            var offer = offers.remove(grant.offer());
            if (job == null || offer == null) {
                throw new IllegalStateException("no offer for " + grant);
            }
            var lease = new Lease(grant.token(), grant.worker(), 1, NOW);
            var hold =
                    new Effect.HoldLease(
                            new EffectId(offer.task(), 1),
                            offer.task(),
                            lease,
                            spec(offer.task()),
                            "b",
                            0);
            held.get(numbers.getOrDefault(grant.worker(), 0)).add(new Held(job, hold));
            put(new CoordinatorInput.Effects(job, List.of(hold), List.of(offer)));
        }
        lastGrant = null;
    }

    double placementsPerSecond() {
        return granted / (spent / 1e9);
    }

    /// Of the time from a freed slot to the grant that is asked for, or from a brief task to its grant.
    double p99Millis() {
        var sorted = Arrays.copyOf(latencies, measured);
        Arrays.sort(sorted);
        return sorted[(int) (measured * 0.99)] / 1e6;
    }
}
