package dev.artel.e2e.kill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskResult;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.store.files.FolderObjectStore;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.store.sqlite.SqliteEventStore;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// A process whose queue is filled by fan-outs until all their tasks wait, and then emptied by one worker; each job joins what became of
/// its tasks.
final class LongQueue {
    static final int JOBS = 10;
    static final int TASKS_OF_A_JOB = 10_000;
    static final int BYTES = 2_048;

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int SLOTS = 256;
    private static final int AT_ONCE = 64;

    private final LocalEngine engine;
    private final PayloadStore payloads;
    private final PrintStream out = new PrintStream(System.out, true, UTF_8);

    private LongQueue(LocalEngine engine, PayloadStore payloads) {
        this.engine = engine;
        this.payloads = payloads;
    }

    /// Fills the queue and works it off.
    ///
    /// @param arguments the folder of the stores
    public static void main(String[] arguments) throws InterruptedException {
        var folder = Path.of(arguments[0]);
        var payloads =
                new StoredPayloads(
                        FolderObjectStore.open(folder.resolve("payloads")), Long.MAX_VALUE);
        try (var events = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
                var engine =
                        LocalEngine.start(
                                EngineConfig.DEFAULTS,
                                events,
                                payloads,
                                Blueprints.of(blueprint()),
                                InstantSource.system())) {
            new LongQueue(engine, payloads).run();
        }
    }

    private static Blueprint blueprint() {
        return Blueprint.named("wide")
                .start("spread", LongQueue::spread)
                .leadingTo("join")
                .state("join", LongQueue::join)
                .build();
    }

    /// Parameters that are all different and cannot be made shorter.
    private static Action spread(Step step) {
        var random = new SplittableRandom(step.initialData().number("seed").orElseThrow().asLong());
        var tasks = new ArrayList<TaskSpec>();
        for (var i = 0; i < TASKS_OF_A_JOB; i++) {
            var text = new StringBuilder(BYTES);
            while (text.length() < BYTES) {
                text.append(Long.toString(random.nextLong(Long.MAX_VALUE), Character.MAX_RADIX));
            }
            tasks.add(TaskSpec.of("read", JsonObject.of("text", JsonValue.of(text.toString()))));
        }
        return Action.dispatchParallel(tasks, "join").withWindow(TASKS_OF_A_JOB);
    }

    private static Action join(Step step) {
        var characters = 0L;
        for (var result : step.results()) {
            if (result instanceof TaskResult.Succeeded done) {
                characters += ((JsonObject) done.data()).number("length").orElseThrow().asLong();
            }
        }
        return Action.finish(
                JsonObject.of(
                        "tasks",
                        JsonValue.of(step.results().size()),
                        "characters",
                        JsonValue.of(characters)));
    }

    private void run() throws InterruptedException {
        var jobs = new ArrayList<JobId>();
        for (var i = 0; i < JOBS; i++) {
            // One after another: what handlers make at the same time is in memory at the same time.
            var job = submit(i);
            jobs.add(job);
            awaitQueued(job, (i + 1) * TASKS_OF_A_JOB);
        }
        out.println("queued " + engine.queuedTasks());
        var worker = new Worker();
        engine.addListener(worker);
        engine.joined(WorkerProfile.of(Worker.ID, List.of("read"), SLOTS));
        for (var i = 0; i < SLOTS / AT_ONCE; i++) {
            worker.ask(AT_ONCE);
        }
        for (var job : jobs) {
            var ended = engine.awaitFinal(job, LONG).map(Job::status).orElse("unknown");
            out.println(ended + " " + job);
        }
    }

    private void awaitQueued(JobId job, int tasks) throws InterruptedException {
        var end = System.nanoTime() + LONG.toNanos();
        while (engine.queuedTasks() < tasks) {
            var status = engine.find(job).map(Job::status).orElse("unknown");
            if (System.nanoTime() > end || status.equals("quarantined")) {
                throw new IllegalStateException(
                        engine.queuedTasks()
                                + " of "
                                + tasks
                                + " tasks are queued, and job "
                                + job
                                + " is "
                                + status);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private JobId submit(long seed) {
        var reply =
                engine.submit(
                        new Submission(
                                "wide",
                                // One client alone has half of the room for tasks that wait.
                                "client-" + seed % 2,
                                JsonObject.of("seed", JsonValue.of(seed)),
                                Optional.empty(),
                                JobOptions.DEFAULTS));
        if (reply instanceof SubmitReply.Accepted accepted) {
            return accepted.job();
        }
        throw new IllegalStateException("a submission was refused: " + reply);
    }

    /// Reads what it is given, and asks for one more for each that it has done.
    private final class Worker implements WorkerPort.Listener {
        private static final WorkerId ID = new WorkerId("reader");

        private final AtomicLong asks = new AtomicLong();

        void ask(int most) {
            engine.ask(asks.incrementAndGet(), ID, most);
        }

        @Override
        public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
            for (var task : tasks) {
                Thread.ofVirtual().name("worker").start(() -> perform(task));
            }
        }

        private void perform(HandOut task) {
            var params = (JsonObject) payloads.resolve(task.spec().params());
            var length = params.string("text").orElseThrow().length();
            engine.report(
                    ID,
                    task.lease().token(),
                    new TaskReport.Succeeded(
                            TaskReport.Succeeded.SUCCESS,
                            Payload.of(JsonObject.of("length", JsonValue.of(length)))));
            ask(1);
        }

        @Override
        public void held(HandOut task) {}

        @Override
        public void revoke(WorkerId worker, LeaseToken token) {}

        @Override
        public void lost(WorkerId worker, LeaseToken token) {}
    }
}
