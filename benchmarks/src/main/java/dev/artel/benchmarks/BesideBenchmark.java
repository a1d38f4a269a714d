package dev.artel.benchmarks;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Lone jobs of one client, one after another, while a fan-out of 100,000 tasks of another client drains: how long one
/// takes from its submission to its end. In process, on SQLite, with one worker for all.
final class BesideBenchmark implements Benchmark {
    private static final int TASKS = Integer.getInteger("fan-out-beside.tasks", 100_000);
    private static final int SLOTS = 64;
    private static final int ALONE = 500;
    private static final int FEWEST = 100;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "fan-out-beside";
    }

    @Override
    public List<Result> run() throws Exception {
        var p50 = new ArrayList<Double>();
        var p99 = new ArrayList<Double>();
        var alone = new ArrayList<Double>();
        var drained = new ArrayList<Double>();
        try (var stores = TemporaryStore.create();
                var engine =
                        LocalEngine.start(
                                EngineConfig.DEFAULTS,
                                stores.events(),
                                stores.payloads(),
                                Blueprints.of(Chains.ordinary(), wide()),
                                InstantSource.system())) {
            var worker = new InProcessWorker(engine, 4);
            engine.listenedToBy(worker);
            worker.start("noop", SLOTS);
            beside(engine);
            for (var i = 0; i < RUNS; i++) {
                var before = new ArrayList<Double>();
                for (var j = 0; j < ALONE; j++) {
                    before.add(one(engine));
                }
                alone.add(percentile(before, 99));
                var began = System.nanoTime();
                var lone = beside(engine);
                drained.add(TASKS / ((System.nanoTime() - began) / 1e9));
                p50.add(percentile(lone, 50));
                p99.add(percentile(lone, 99));
            }
        }
        return List.of(
                Result.best(name(), "lone_p50_ms", "ms", Result.Better.LOWER, p50),
                Result.best(name(), "lone_p99_ms", "ms", Result.Better.LOWER, p99),
                Result.best(name(), "alone_p99_ms", "ms", Result.Better.LOWER, alone),
                Result.best(name(), "tasks_per_second", "1/s", Result.Better.HIGHER, drained));
    }

    private static Blueprint wide() {
        return Blueprint.named("wide")
                .start(
                        "spread",
                        _ ->
                                Action.dispatchParallel(
                                                Collections.nCopies(
                                                        TASKS,
                                                        TaskSpec.of("noop", JsonObject.EMPTY)),
                                                "done")
                                        .withWindow(TASKS))
                .leadingTo("done")
                .end("done")
                .build();
    }

    /// The milliseconds of each lone job that ended before the fan-out did.
    private static List<Double> beside(LocalEngine engine) {
        var large = submit(engine, "wide", "alice");
        var lone = new ArrayList<Double>();
        while (!engine.awaitEnd(large, Duration.ofMillis(1))) {
            lone.add(one(engine));
        }
        if (lone.size() < FEWEST) {
            throw new IllegalStateException(
                    "only " + lone.size() + " lone jobs ended beside the fan-out; take more tasks");
        }
        return lone;
    }

    private static double one(LocalEngine engine) {
        var began = System.nanoTime();
        var job = submit(engine, Chains.ORDINARY, "bob");
        if (!engine.awaitEnd(job, Duration.ofSeconds(60))) {
            throw new IllegalStateException("job " + job + " has not ended in a minute");
        }
        return (System.nanoTime() - began) / 1e6;
    }

    private static JobId submit(LocalEngine engine, String blueprint, String client) {
        var submission =
                new Submission(
                        blueprint,
                        client,
                        JsonObject.of("n", JsonValue.of(1)),
                        Optional.empty(),
                        JobOptions.DEFAULTS);
        if (!(engine.submit(submission) instanceof SubmitReply.Accepted(var id, var _))) {
            throw new IllegalStateException("a submission was refused");
        }
        return id;
    }

    private static double percentile(List<Double> millis, int percent) {
        return millis.stream().sorted().toList().get(millis.size() * percent / 100);
    }
}
