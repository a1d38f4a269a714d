package dev.artel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFolds;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.testkit.store.ForwardingEventStore;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What one failed append costs, counted in what is read and passed on.
@Timeout(300)
final class FailedAppendTest {
    private static final int JOBS = 100;
    private static final int TASKS_OF_A_JOB = 1_000;
    private static final int LEASES = JOBS * TASKS_OF_A_JOB;

    private static final Blueprint WIDE =
            Blueprint.named("wide")
                    .start("spread", _ -> spread())
                    .leadingTo("done")
                    .end("done")
                    .build();

    private final AtomicReference<Optional<StreamId>> failing =
            new AtomicReference<>(Optional.empty());
    private final Queue<String> reads = new ConcurrentLinkedQueue<>();
    private final Queue<String> appends = new ConcurrentLinkedQueue<>();
    private final Counting worker = new Counting();

    private static Action spread() {
        var tasks =
                IntStream.range(0, TASKS_OF_A_JOB)
                        .mapToObj(i -> TaskSpec.of("work", JsonObject.of("n", JsonValue.of(i))))
                        .toList();
        return Action.dispatchParallel(tasks, "done").withWindow(TASKS_OF_A_JOB);
    }

    /// Counts what it is given and what becomes of that.
    private static final class Counting implements WorkerPort.Listener {
        private final CountDownLatch all = new CountDownLatch(LEASES);
        private final AtomicInteger handedOut = new AtomicInteger();
        private final AtomicInteger others = new AtomicInteger();
        private final AtomicLong asks = new AtomicLong();
        private final Map<WorkerId, Integer> left = new ConcurrentHashMap<>();
        private final CompletableFuture<WorkerPort> port = new CompletableFuture<>();

        void ask(WorkerId worker, int max) {
            left.put(worker, max);
            port.join().ask(asks.incrementAndGet(), worker, max);
        }

        /// An ask is answered with what is granted after a while, on a busy machine with fewer tasks than there are; a worker asks again then.
        @Override
        public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
            handedOut.addAndGet(tasks.size());
            var more = left.merge(worker, -tasks.size(), Integer::sum);
            if (more > 0) {
                port.join().ask(asks.incrementAndGet(), worker, more);
            }
            tasks.forEach(_ -> all.countDown());
        }

        @Override
        public void held(HandOut task) {
            others.incrementAndGet();
        }

        @Override
        public void revoke(WorkerId worker, LeaseToken token) {
            others.incrementAndGet();
        }

        @Override
        public void lost(WorkerId worker, LeaseToken token) {
            others.incrementAndGet();
        }
    }

    /// Trap: an append of one job fails, and the engine reads all jobs again, or offers all their tasks again.
    @Test
    void oneFailedAppend_besideManyOpenLeases_costsWhatItsJobHas() throws Exception {
        try (var engine =
                LocalEngine.start(
                        EngineConfig.DEFAULTS.withFreshTerm(Duration.ofHours(1)),
                        counting(new InMemoryEventStore()),
                        new InMemoryPayloadStore(),
                        Blueprints.of(WIDE),
                        InstantSource.system())) {
            engine.addListener(worker);
            worker.port.complete(engine);
            var jobs = new ArrayList<JobId>();
            for (var i = 0; i < JOBS; i++) {
                jobs.add(submit(engine));
            }
            for (var i = 0; i < JOBS; i++) {
                var id = new WorkerId("w" + i);
                engine.joined(WorkerProfile.of(id, List.of("work"), TASKS_OF_A_JOB));
                worker.ask(id, TASKS_OF_A_JOB);
            }
            assertThat(worker.all.await(4, TimeUnit.MINUTES)).isTrue();
            var job = jobs.get(JOBS / 2);
            var events = engine.find(job).orElseThrow().version();
            reads.clear();
            appends.clear();
            worker.others.set(0);

            failing.set(Optional.of(StreamId.of(job)));
            assertThat(engine.pause(job, Optional.empty(), "test"))
                    .isInstanceOf(CommandReply.TryLater.class);
            assertThat(engine.pause(job, Optional.empty(), "test"))
                    .isInstanceOf(CommandReply.Done.class);

            assertThat(failing.get()).isEmpty();
            assertThat(reads)
                    .as("of that job alone, page by page")
                    .containsOnly(StreamId.of(job).toString(), "fold " + job)
                    .hasSizeLessThan((int) (events / 512) + 4);
            assertThat(appends)
                    .as("the one that failed, and the next")
                    .containsExactly(job.value(), job.value());
            assertThat(worker.handedOut).hasValue(LEASES);
            assertThat(worker.others).hasValue(0);
            assertThat(engine.look().orElseThrow().leases()).hasSize(LEASES);
        }
    }

    private static JobId submit(LocalEngine engine) {
        var reply =
                engine.submit(
                        new Submission(
                                "wide",
                                "client",
                                JsonObject.EMPTY,
                                Optional.empty(),
                                JobOptions.DEFAULTS));
        if (reply instanceof SubmitReply.Accepted accepted) {
            return accepted.job();
        }
        throw new AssertionError(reply);
    }

    /// The same store, which notes what is read and appended, and fails one append when the test asks for it.
    private EventStore counting(EventStore store) {
        return new ForwardingEventStore(store) {
            @Override
            public List<AppendResult> append(List<Append> batch) {
                batch.forEach(entry -> note(entry.stream()));
                return super.append(batch);
            }

            @Override
            public List<StoredEvents> read(StreamId stream, long after) {
                reads.add(stream.toString());
                return super.read(stream, after);
            }

            @Override
            public List<StoredEvents> read(StreamId stream, long after, int limit) {
                reads.add(stream.toString());
                return super.read(stream, after, limit);
            }

            @Override
            public EventPage page(StreamId stream, long after, int limit, long bytes) {
                reads.add(stream.toString());
                return super.page(stream, after, limit, bytes);
            }

            @Override
            public JobFolds folds() {
                return counting(super.folds());
            }
        };
    }

    private void note(StreamId stream) {
        appends.add(stream.id());
        if (failing.get().filter(stream::equals).isPresent()) {
            failing.set(Optional.empty());
            throw new IllegalStateException("planted by the test");
        }
    }

    private JobFolds counting(JobFolds folds) {
        return new JobFolds() {
            @Override
            public Optional<Job> find(JobId job) {
                reads.add("fold " + job);
                return folds.find(job);
            }

            @Override
            public long keep(Job job) {
                return folds.keep(job);
            }
        };
    }
}
