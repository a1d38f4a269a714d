package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFolds;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamFold;
import dev.artel.kernel.store.StreamId;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class FoldKeeperTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LONG = Duration.ofSeconds(60);

    /// Keeps folds when it is let go, and not before.
    private static final class GatedFolds implements JobFolds {
        private final Map<JobId, Job> kept = new ConcurrentHashMap<>();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);

        @Override
        public Optional<Job> find(JobId job) {
            return Optional.ofNullable(kept.get(job));
        }

        @Override
        public long keep(Job job) {
            begun.countDown();
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError("keeping " + job.id() + " was interrupted", interrupted);
            }
            kept.put(job.id(), job);
            return 1;
        }
    }

    /// Trap: what was not kept in time is missing, or old, at the next start.
    @Test
    void foldsThatWaitAtTheEnd_areDropped_andTheJobsAreReadAlike() throws Exception {
        var folds = new GatedFolds();
        var store = submittedTo(folds);
        var jobs = List.of(job("first"), job("second"), job("third"));
        var keeper = new FoldKeeper(store, new Vitals(Supervision.LOG_ONLY, LONG));
        jobs.forEach(job -> keeper.keep(job, 1));
        folds.begun.await();

        var closing = Thread.ofPlatform().start(keeper::close);
        // It waits for the fold under way, but not forever.
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
        folds.gate.countDown();
        closing.join();

        await().untilAsserted(() -> assertThat(folds.kept).containsOnlyKeys(new JobId("first")));
        for (var job : jobs) {
            assertThat(StreamFold.of(store, job.id()).state()).isEqualTo(job);
        }
        assertThat(StreamFold.of(store, new JobId("first")).folded()).isZero();
        assertThat(StreamFold.of(store, new JobId("second")).folded()).isPositive();
    }

    /// Trap: an error ends the thread, no fold is kept any more, and no report names the job.
    @Test
    void anErrorAtAFold_isReportedWithItsJob_andTheOthersAreKept() {
        var reports = new CopyOnWriteArrayList<String>();
        var kept = new CopyOnWriteArrayList<JobId>();
        var store =
                submittedTo(
                        new JobFolds() {
                            @Override
                            public Optional<Job> find(JobId job) {
                                return Optional.empty();
                            }

                            @Override
                            public long keep(Job job) {
                                if (job.id().value().equals("deep")) {
                                    throw new StackOverflowError();
                                }
                                kept.add(job.id());
                                return 1;
                            }
                        });
        try (var keeper =
                new FoldKeeper(store, new Vitals(new RecordingSupervision(reports), LONG))) {
            keeper.keep(job("deep"), 1);
            keeper.keep(job("next"), 1);

            await().until(() -> kept.contains(new JobId("next")));
            assertThat(reports).containsExactly("artel-folds java.lang.StackOverflowError [deep]");
        }
    }

    /// Trap: the disk is slow, and a thousand jobs with large histories wait in memory to be kept.
    @Test
    void jobsThatWait_haveABoundInBytes_andTheOthersAreKeptAnotherTime() throws Exception {
        var folds = new GatedFolds();
        try (var keeper =
                new FoldKeeper(submittedTo(folds), new Vitals(Supervision.LOG_ONLY, LONG), 1_000)) {
            keeper.keep(job("under-way"), 10_000);
            folds.begun.await();

            keeper.keep(job("large"), 900);
            keeper.keep(job("too-much"), 101);
            keeper.keep(job("fits"), 100);
            keeper.keep(job("fits"), 101);
            folds.gate.countDown();
            await().until(() -> folds.kept.containsKey(new JobId("fits")));
            // The room of the last one is free a moment after it is kept.
            await().until(() -> {
                keeper.keep(job("later"), 1_000);
                return folds.kept.containsKey(new JobId("later"));
            });

            assertThat(folds.kept)
                    .containsOnlyKeys(
                            new JobId("under-way"),
                            new JobId("large"),
                            new JobId("fits"),
                            new JobId("later"));
        }
    }

    private static Job job(String id) {
        return SampleJobs.submitted(id, NOW);
    }

    /// A store in which every job was submitted.
    private static EventStore submittedTo(JobFolds folds) {
        return (EventStore)
                Proxy.newProxyInstance(
                        EventStore.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, arguments) ->
                                switch (method.getName()) {
                                    case "folds" -> folds;
                                    case "page" ->
                                            new EventStore.EventPage(
                                                    events(
                                                            (StreamId) arguments[0],
                                                            (Long) arguments[1]),
                                                    true);
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private static List<StoredEvents> events(StreamId stream, long after) {
        var submit = new JobCommand.Submit(SampleJobs.SPEC, NOW);
        if (after == 0
                && Jobs.decide(new JobState.Unsubmitted(new JobId(stream.id())), submit)
                        instanceof Decision.Accepted accepted) {
            return List.of(new StoredEvents(1, 1, accepted.events()));
        }
        return List.of();
    }
}
