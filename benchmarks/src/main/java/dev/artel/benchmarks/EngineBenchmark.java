package dev.artel.benchmarks;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
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
    private static final int FEW = 64;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "jobs_per_second",
                "appends_per_job",
                "pure_jobs_per_second",
                "appends_per_pure_job");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var rates = new ArrayList<Double>();
        var appends = new ArrayList<Double>();
        var pureRates = new ArrayList<Double>();
        var pureAppends = new ArrayList<Double>();
        try (var stores = TemporaryStore.create();
                var engine =
                        LocalEngine.start(
                                EngineConfig.DEFAULTS,
                                stores.events(),
                                stores.payloads(),
                                Blueprints.of(Chains.both().toArray(Blueprint[]::new)),
                                InstantSource.system())) {
            var worker = new InProcessWorker(engine, 8);
            engine.addListener(worker);
            worker.start("noop", IN_FLIGHT);
            load(engine, Chains.ORDINARY, size.fixed(WARM_UP, FEW));
            load(engine, Chains.PURE, size.fixed(WARM_UP, FEW));
            var jobs = size.of(JOBS, FEW);
            for (var i = 0; i < size.runs(RUNS); i++) {
                measure(engine, Chains.ORDINARY, jobs, rates, appends);
                measure(engine, Chains.PURE, jobs, pureRates, pureAppends);
            }
        }
        return List.of(
                new BenchmarkResult(
                        name(), "jobs_per_second", "1/s", BenchmarkResult.Better.HIGHER, rates),
                new BenchmarkResult(
                        name(), "appends_per_job", "1", BenchmarkResult.Better.LOWER, appends),
                new BenchmarkResult(
                        name(),
                        "pure_jobs_per_second",
                        "1/s",
                        BenchmarkResult.Better.HIGHER,
                        pureRates),
                new BenchmarkResult(
                        name(),
                        "appends_per_pure_job",
                        "1",
                        BenchmarkResult.Better.LOWER,
                        pureAppends));
    }

    private static void measure(
            LocalEngine engine,
            String blueprint,
            int jobs,
            List<Double> rates,
            List<Double> appends)
            throws Exception {
        var before = engine.counts().appends();
        var began = System.nanoTime();
        load(engine, blueprint, jobs);
        rates.add(jobs / ((System.nanoTime() - began) / 1e9));
        appends.add((engine.counts().appends() - before) / (double) jobs);
    }

    private static void load(LocalEngine engine, String blueprint, int jobs) throws Exception {
        var left = new AtomicInteger(jobs);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (var i = 0; i < IN_FLIGHT; i++) {
                all.add(
                        clients.submit(() -> {
                            while (left.getAndDecrement() > 0) {
                                one(engine, blueprint);
                            }
                        }));
            }
            for (var client : all) {
                client.get();
            }
        }
    }

    private static void one(LocalEngine engine, String blueprint) {
        var reply = engine.submit(Submission.of(blueprint, JsonObject.of("n", JsonValue.of(1))));
        if (!(reply instanceof SubmitReply.Accepted(var id, var _))) {
            throw new IllegalStateException("a submission was refused: " + reply);
        }
        var job = engine.awaitFinal(id, Duration.ofMinutes(10)).orElseThrow();
        if (!job.status().equals("finished")) {
            throw new IllegalStateException(
                    "job " + id + " is " + job.status() + ": " + job.errorMessage());
        }
    }
}
