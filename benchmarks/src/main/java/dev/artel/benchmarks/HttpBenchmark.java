package dev.artel.benchmarks;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Jobs of three tasks one after another over HTTP: server, worker and 64 clients in a process each.
final class HttpBenchmark implements Benchmark {
    private static final int CLIENTS = 64;
    private static final int WARM_UP = 24_000;
    private static final int JOBS = 8_000;
    private static final int ALONE = 500;
    private static final int FEW = 64;
    private static final int RUNS = 5;

    @Override
    public String name() {
        return "http";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "jobs_per_second",
                "cpu_seconds_per_1000_jobs",
                "single_job_p50_ms",
                "single_pure_job_p50_ms");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var rates = new ArrayList<Double>();
        var cpus = new ArrayList<Double>();
        var latencies = new ArrayList<Double>();
        var pureLatencies = new ArrayList<Double>();
        try (var testCluster = TestCluster.start(64)) {
            load(testCluster, size.fixed(WARM_UP, FEW));
            alone(testCluster, Chains.ORDINARY, size);
            alone(testCluster, Chains.PURE, size);
            var jobs = size.of(JOBS, FEW);
            for (var i = 0; i < size.runs(RUNS); i++) {
                var cpu = testCluster.cpu();
                var began = System.nanoTime();
                load(testCluster, jobs);
                rates.add(jobs / ((System.nanoTime() - began) / 1e9));
                cpus.add(testCluster.cpu().minus(cpu).toMillis() / 1000.0 / (jobs / 1000.0));
                latencies.add(alone(testCluster, Chains.ORDINARY, size));
                pureLatencies.add(alone(testCluster, Chains.PURE, size));
            }
        }
        return List.of(
                new BenchmarkResult(
                        name(), "jobs_per_second", "1/s", BenchmarkResult.Better.HIGHER, rates),
                new BenchmarkResult(
                        name(),
                        "cpu_seconds_per_1000_jobs",
                        "s",
                        BenchmarkResult.Better.LOWER,
                        cpus),
                new BenchmarkResult(
                        name(), "single_job_p50_ms", "ms", BenchmarkResult.Better.LOWER, latencies),
                new BenchmarkResult(
                        name(),
                        "single_pure_job_p50_ms",
                        "ms",
                        BenchmarkResult.Better.LOWER,
                        pureLatencies));
    }

    /// Has `jobs` jobs done for 64 clients.
    static void load(TestCluster testCluster, int jobs) throws Exception {
        var left = new AtomicInteger(jobs);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var clients = new ArrayList<Future<?>>();
            for (var i = 0; i < CLIENTS; i++) {
                clients.add(
                        threads.submit(() -> {
                            try (var client = testCluster.client()) {
                                while (left.getAndDecrement() > 0) {
                                    one(client, Chains.ORDINARY);
                                }
                            }
                            return null;
                        }));
            }
            for (var client : clients) {
                client.get();
            }
        }
    }

    /// The median time in milliseconds of a job that is alone.
    static double alone(TestCluster testCluster, String blueprint, Size size) throws IOException {
        var jobs = size.of(ALONE, 3);
        var millis = new ArrayList<Double>();
        try (var client = testCluster.client()) {
            for (var i = 0; i < jobs; i++) {
                var began = System.nanoTime();
                one(client, blueprint);
                millis.add(Duration.ofNanos(System.nanoTime() - began).toNanos() / 1e6);
            }
        }
        return millis.stream().sorted().toList().get(jobs / 2);
    }

    private static void one(HttpClient client, String blueprint) throws IOException {
        var job =
                JsonObject.of(
                        "blueprint",
                        JsonValue.of(blueprint),
                        "initial_data",
                        JsonObject.of("n", JsonValue.of(1)));
        TestCluster.finished(client, client.post("/api/v1/jobs", job));
    }
}
