package dev.artel.benchmarks;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.server.ArtelNode;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// A store with a million closed jobs: finding and reading them over HTTP, one request after another, and submitting
/// beside an empty store, by turns.
final class MillionBenchmark implements Benchmark {
    private static final int JOBS = 1_000_000;
    private static final int REQUESTS = 1_000;
    private static final int SUBMITS = 4_000;
    private static final int ALONE = 200;
    private static final int CLIENTS = 64;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "million";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "fill_seconds",
                "list_p99_ms",
                "search_p99_ms",
                "detail_p99_ms",
                "submit_ratio",
                "submit_p50_ms");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var results = new ArrayList<BenchmarkResult>();
        try (var full = TemporaryStore.create()) {
            var began = System.nanoTime();
            var jobs = ClosedJobs.fill(full, size.of(JOBS, 200));
            results.add(once("fill_seconds", "s", (System.nanoTime() - began) / 1e9));
            full.reopen();
            results.addAll(read(full, jobs, size));
            results.addAll(submit(full, size));
        }
        return results;
    }

    private BenchmarkResult once(String metric, String unit, double value) {
        return new BenchmarkResult(
                name(), metric, unit, BenchmarkResult.Better.LOWER, List.of(value));
    }

    private List<BenchmarkResult> read(TemporaryStore full, ClosedJobs jobs, Size size)
            throws IOException {
        var lists = new ArrayList<Double>();
        var searches = new ArrayList<Double>();
        var details = new ArrayList<Double>();
        var folder =
                Files.createTempDirectory(
                        Files.createDirectories(Path.of("target", "bench")), "node-");
        try (var node =
                        ArtelNode.start(
                                ServerConfig.DEFAULTS.withPort(0).withData(folder),
                                SampleBlueprints.all(),
                                new Storage(full.events(), full.payloads(), full.fleet()));
                var client = new HttpClient(node.port(), node.clientToken())) {
            var requests = size.of(REQUESTS, 9);
            var random = RandomGenerator.of("L64X128MixRandom");
            for (var i = 0; i <= size.runs(RUNS); i++) {
                var list = p99(client, requests, () -> jobs.aList(random));
                var search = p99(client, requests, () -> jobs.aSearch(random));
                var detail = p99(client, requests, () -> "/api/v1/jobs/" + jobs.anId(random));
                if (i > 0) {
                    lists.add(list);
                    searches.add(search);
                    details.add(detail);
                }
            }
        } finally {
            delete(folder);
        }
        return List.of(
                new BenchmarkResult(
                        name(), "list_p99_ms", "ms", BenchmarkResult.Better.LOWER, lists),
                new BenchmarkResult(
                        name(), "search_p99_ms", "ms", BenchmarkResult.Better.LOWER, searches),
                new BenchmarkResult(
                        name(), "detail_p99_ms", "ms", BenchmarkResult.Better.LOWER, details));
    }

    private interface Asking {
        String path();
    }

    private static double p99(HttpClient client, int requests, Asking asking) throws IOException {
        var millis = new ArrayList<Double>();
        for (var i = 0; i < requests; i++) {
            var path = asking.path();
            var began = System.nanoTime();
            client.bytes(path);
            millis.add((System.nanoTime() - began) / 1e6);
        }
        return millis.stream().sorted().toList().get(requests * 99 / 100);
    }

    private List<BenchmarkResult> submit(TemporaryStore full, Size size) throws Exception {
        var submits = size.of(SUBMITS, 64);
        var ratios = new ArrayList<Double>();
        var latencies = new ArrayList<Double>();
        try (var empty = TemporaryStore.create();
                var inFull = engine(full);
                var inEmpty = engine(empty)) {
            load(inFull, submits);
            load(inEmpty, submits);
            for (var i = 0; i < size.runs(RUNS); i++) {
                var one = load(inFull, submits);
                var other = load(inEmpty, submits);
                ratios.add(other / one);
                latencies.add(alone(inFull, size.of(ALONE, 3)));
            }
        }
        return List.of(
                new BenchmarkResult(
                        name(), "submit_ratio", "1", BenchmarkResult.Better.HIGHER, ratios),
                new BenchmarkResult(
                        name(), "submit_p50_ms", "ms", BenchmarkResult.Better.LOWER, latencies));
    }

    private static LocalEngine engine(TemporaryStore stores) {
        return LocalEngine.start(
                EngineConfig.DEFAULTS,
                stores.events(),
                stores.payloads(),
                Blueprints.of(Chains.ordinary()),
                InstantSource.system());
    }

    /// How many seconds a number of submissions took.
    private static double load(LocalEngine engine, int submits) throws Exception {
        var began = System.nanoTime();
        var left = new AtomicInteger(submits);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var clients = new ArrayList<Future<?>>();
            for (var i = 0; i < CLIENTS; i++) {
                clients.add(
                        threads.submit(() -> {
                            while (left.getAndDecrement() > 0) {
                                one(engine);
                            }
                        }));
            }
            for (var client : clients) {
                client.get();
            }
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private static double alone(LocalEngine engine, int submits) {
        var millis = new ArrayList<Double>();
        for (var i = 0; i < submits; i++) {
            var began = System.nanoTime();
            one(engine);
            millis.add((System.nanoTime() - began) / 1e6);
        }
        return millis.stream().sorted().toList().get(submits / 2);
    }

    private static void one(LocalEngine engine) {
        var reply = engine.submit(Submission.of("chain", JsonObject.of("n", JsonValue.of(1))));
        if (!(reply instanceof SubmitReply.Accepted)) {
            throw new IllegalStateException("a submission was refused: " + reply);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
