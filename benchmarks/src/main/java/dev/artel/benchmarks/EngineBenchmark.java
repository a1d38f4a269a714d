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
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Durable jobs of three tasks one after another, in process, 512 in flight.
final class EngineBenchmark implements Benchmark {
    private static final int IN_FLIGHT = 512;
    private static final int WARM_UP = 10_000;
    private static final int JOBS = 20_000;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public List<Result> run() throws Exception {
        var rates = new ArrayList<Double>();
        var appends = new ArrayList<Double>();
        try (var stores = TemporaryStore.create();
                var engine =
                        LocalEngine.start(
                                EngineConfig.DEFAULTS,
                                stores.events(),
                                stores.payloads(),
                                Blueprints.of(chain()),
                                InstantSource.system())) {
            var worker = new InProcessWorker(engine, 8);
            engine.listenedToBy(worker);
            worker.start("noop", IN_FLIGHT);
            load(engine, WARM_UP);
            for (var i = 0; i < RUNS; i++) {
                var before = engine.counts().appends();
                var began = System.nanoTime();
                load(engine, JOBS);
                rates.add(JOBS / ((System.nanoTime() - began) / 1e9));
                appends.add((engine.counts().appends() - before) / (double) JOBS);
            }
        }
        return List.of(
                Result.best(name(), "jobs_per_second", "1/s", Result.Better.HIGHER, rates),
                Result.best(name(), "appends_per_job", "1", Result.Better.LOWER, appends));
    }

    static void load(LocalEngine engine, int jobs) throws Exception {
        var left = new AtomicInteger(jobs);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (var i = 0; i < IN_FLIGHT; i++) {
                all.add(
                        clients.submit(() -> {
                            while (left.getAndDecrement() > 0) {
                                one(engine);
                            }
                        }));
            }
            for (var client : all) {
                client.get();
            }
        }
    }

    private static void one(LocalEngine engine) {
        var reply = engine.submit(Submission.of("chain", JsonObject.of("n", JsonValue.of(1))));
        if (!(reply instanceof SubmitReply.Accepted(var id, var _))) {
            throw new IllegalStateException("a submission was refused: " + reply);
        }
        var job = engine.awaitFinal(id, Duration.ofSeconds(60)).orElseThrow();
        if (!job.status().equals("finished")) {
            throw new IllegalStateException(
                    "job " + id + " is " + job.status() + ": " + job.errorMessage());
        }
    }

    static Blueprint chain() {
        var noop = TaskSpec.of("noop", JsonObject.EMPTY);
        return Blueprint.named("chain")
                .start("one", _ -> Action.dispatch(noop, Outcomes.on("success", "two")))
                .leadingTo("two")
                .state("two", _ -> Action.dispatch(noop, Outcomes.on("success", "three")))
                .leadingTo("three")
                .state("three", _ -> Action.dispatch(noop, Outcomes.on("success", "done")))
                .leadingTo("done")
                .end("done")
                .build();
    }
}
