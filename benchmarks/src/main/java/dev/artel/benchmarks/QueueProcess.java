package dev.artel.benchmarks;

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
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A process with an engine on SQLite, whose queue is filled by fan-outs and drained by one worker that reads what it is
/// given. `fill N` and `drain N` answer how many a second, `heap` how many bytes are in use after a collection, `peak`
/// how many were at most, after any.
final class QueueProcess {
    private static final int LENGTH = 4_096;
    private static final int CLIENTS = 16;
    private static final int SLOTS = 512;

    private final LocalEngine engine;
    private final int width;
    private final PayloadStore payloads;
    private final HeapPeak peak = new HeapPeak();
    private final Draining worker = new Draining();

    private QueueProcess(LocalEngine engine, PayloadStore payloads, int width) {
        this.engine = engine;
        this.payloads = payloads;
        this.width = width;
    }

    /// Runs until its input ends.
    ///
    /// @param args how many tasks a fan-out has
    public static void main(String[] args) throws IOException {
        var width = Integer.parseInt(args[0]);
        try (var stores = TemporaryStore.create()) {
            var payloads = stores.payloads();
            try (var engine =
                    LocalEngine.start(
                            EngineConfig.DEFAULTS,
                            stores.events(),
                            payloads,
                            Blueprints.of(fanOut(width)),
                            InstantSource.system())) {
                var process = new QueueProcess(engine, payloads, width);
                engine.addListener(process.worker);
                ChildProtocol.send("ready");
                ChildProtocol.untilEnd(process::answer);
            }
        }
    }

    private static Blueprint fanOut(int width) {
        return Blueprint.named("wide")
                .start("spread", step -> spread(step, width))
                .leadingTo("done")
                .end("done")
                .build();
    }

    /// Parameters that are all different and cannot be made shorter.
    private static Action spread(Step step, int width) {
        var seed = step.initialData().number("seed").orElseThrow().asLong();
        var random = new SplittableRandom(seed);
        var tasks = new ArrayList<TaskSpec>();
        for (var i = 0; i < width; i++) {
            var text = new StringBuilder(LENGTH);
            while (text.length() < LENGTH) {
                text.append(Long.toString(random.nextLong(Long.MAX_VALUE), Character.MAX_RADIX));
            }
            tasks.add(
                    TaskSpec.of(
                            "read",
                            JsonObject.of(
                                    "n", JsonValue.of(i), "text", JsonValue.of(text.toString()))));
        }
        return Action.dispatchParallel(tasks, "done").withWindow(width);
    }

    private String answer(String line) {
        var words = line.split(" ", -1);
        var tasks = Integer.parseInt(words[1]);
        try {
            return Double.toString(
                    switch (words[0]) {
                        case "fill" -> fill(tasks);
                        case "drain" -> worker.drain(tasks);
                        case "heap" -> peak.reset();
                        case "peak" -> peak.peak();
                        default -> throw new IllegalArgumentException("what is " + line + "?");
                    });
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asked to " + line, interrupted);
        }
    }

    private double fill(int tasks) throws InterruptedException {
        var before = engine.queuedTasks();
        var left = new AtomicInteger(tasks / width);
        var began = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var clients = new ArrayList<Future<?>>();
            for (var i = 0; i < CLIENTS; i++) {
                var client = "client-" + i;
                clients.add(threads.submit(() -> submit(client, left)));
            }
            for (var client : clients) {
                client.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("submitting failed", failed);
        }
        while (engine.queuedTasks() < before + tasks / width * width) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return tasks / ((System.nanoTime() - began) / 1e9);
    }

    private void submit(String client, AtomicInteger left) {
        for (var job = left.getAndDecrement(); job > 0; job = left.getAndDecrement()) {
            var data = JsonObject.of("seed", JsonValue.of(System.nanoTime()));
            var reply = engine.submit(submission(client, data));
            if (!(reply instanceof SubmitReply.Accepted)) {
                throw new IllegalStateException("a submission was refused: " + reply);
            }
        }
    }

    private static Submission submission(String client, JsonObject data) {
        return new Submission("wide", client, data, Optional.empty(), JobOptions.DEFAULTS);
    }

    /// Does a number of tasks, then asks for no more.
    private final class Draining implements WorkerPort.Listener {
        private static final int AT_ONCE = 64;

        private final WorkerId id = new WorkerId("draining");
        private final AtomicLong asks = new AtomicLong();
        private final AtomicInteger toAsk = new AtomicInteger();
        private volatile CountDownLatch done = new CountDownLatch(0);

        double drain(int tasks) throws InterruptedException {
            done = new CountDownLatch(tasks);
            toAsk.set(tasks);
            engine.joined(WorkerProfile.of(id, List.of("read"), SLOTS));
            var began = System.nanoTime();
            for (var i = 0; i < SLOTS / AT_ONCE; i++) {
                ask(AT_ONCE);
            }
            if (!done.await(20, TimeUnit.MINUTES)) {
                throw new IllegalStateException("draining has not ended in time");
            }
            return tasks / ((System.nanoTime() - began) / 1e9);
        }

        /// Asks for at most `most`, and for no more than are left.
        private void ask(int most) {
            var before = toAsk.getAndUpdate(left -> Math.max(0, left - most));
            if (before > 0) {
                engine.ask(asks.incrementAndGet(), id, Math.min(before, most));
            }
        }

        @Override
        public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
            for (var task : tasks) {
                Thread.startVirtualThread(() -> perform(task));
            }
        }

        private void perform(HandOut task) {
            var params = (JsonObject) payloads.resolve(task.spec().params());
            var length = params.string("text").orElseThrow().length();
            var report =
                    new TaskReport.Succeeded(
                            TaskReport.Succeeded.SUCCESS,
                            Payload.of(JsonObject.of("length", JsonValue.of(length))));
            engine.report(id, task.lease().token(), report);
            ask(1);
            done.countDown();
        }

        @Override
        public void held(HandOut task) {}

        @Override
        public void revoke(WorkerId worker, LeaseToken token) {}

        @Override
        public void lost(WorkerId worker, LeaseToken token) {}
    }
}
