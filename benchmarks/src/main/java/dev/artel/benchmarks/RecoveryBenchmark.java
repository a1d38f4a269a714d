package dev.artel.benchmarks;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The start of an engine on a store with many open jobs, until the first task that was queued is granted again.
final class RecoveryBenchmark implements Benchmark {
    private static final int JOBS = 100_000;
    private static final int BATCH = 1000;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "recovery";
    }

    @Override
    public List<String> metrics() {
        return List.of("seconds_to_ready");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var seconds = new ArrayList<Double>();
        try (var stores = TemporaryStore.create()) {
            fill(stores, size.of(JOBS, 50));
            for (var i = 0; i < size.runs(RUNS); i++) {
                stores.reopen();
                seconds.add(start(stores));
            }
        }
        return List.of(
                new BenchmarkResult(
                        name(), "seconds_to_ready", "s", BenchmarkResult.Better.LOWER, seconds));
    }

    private static double start(TemporaryStore stores) throws InterruptedException {
        var began = System.nanoTime();
        try (var engine =
                LocalEngine.start(
                        EngineConfig.DEFAULTS,
                        stores.events(),
                        stores.payloads(),
                        Blueprints.of(Chains.ordinary()),
                        InstantSource.system())) {
            var first = new FirstHandOut();
            engine.addListener(first);
            var worker = new WorkerId("first-" + began);
            engine.joined(WorkerProfile.of(worker, List.of("noop"), 1));
            engine.ask(1, worker, 1);
            if (!first.came.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException(
                        "no task was granted within 5 minutes of the start");
            }
            return (System.nanoTime() - began) / 1e9;
        }
    }

    private static void fill(TemporaryStore stores, int jobs) {
        var batch = new ArrayList<Append>();
        for (var i = 0; i < jobs; i++) {
            batch.add(waitingJob());
            if (batch.size() == BATCH || i == jobs - 1) {
                for (var result : stores.events().append(batch)) {
                    if (!(result instanceof AppendResult.Appended)) {
                        throw new IllegalStateException("an append failed: " + result);
                    }
                }
                batch.clear();
            }
        }
    }

    /// A job that waits for a worker, by the rules themselves.
    private static Append waitingJob() {
        var now = Instant.ofEpochMilli(System.currentTimeMillis());
        var id = new JobId(UUID.randomUUID().toString());
        var blueprint = Chains.ordinary();
        var spec =
                new JobSpec(
                        blueprint.ref(),
                        blueprint.start().name(),
                        "bench",
                        JobData.of(JsonObject.of("n", JsonValue.of(1))),
                        JobOptions.DEFAULTS,
                        JobSpec.CURRENT_RULES);
        var begun = accepted(new JobState.Unsubmitted(id), new JobCommand.Submit(spec, now));
        var step = (Effect.RunStep) begun.asked().getFirst();
        var action =
                Action.dispatch(
                        TaskSpec.of("noop", JsonObject.EMPTY), Outcomes.on("success", "two"));
        var waiting =
                accepted(
                        begun.after(),
                        new JobCommand.CompleteStep(step.id(), action, List.of(), now));
        var events = new ArrayList<JobEvent>(begun.events());
        events.addAll(waiting.events());
        return new Append(StreamId.of(id), 0, events, JobRow.of((Job) waiting.after(), now));
    }

    private static Decision.Accepted accepted(JobState state, JobCommand command) {
        return switch (Jobs.decide(state, command)) {
            case Decision.Accepted accepted -> accepted;
            case Decision.Rejected rejected ->
                    throw new IllegalStateException("the rules refused: " + rejected.detail());
        };
    }

    private static final class FirstHandOut implements WorkerPort.Listener {
        final CountDownLatch came = new CountDownLatch(1);

        @Override
        public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
            came.countDown();
        }

        @Override
        public void held(HandOut task) {}

        @Override
        public void revoke(WorkerId worker, LeaseToken token) {}

        @Override
        public void lost(WorkerId worker, LeaseToken token) {}
    }
}
