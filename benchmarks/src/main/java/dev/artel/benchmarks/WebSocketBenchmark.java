package dev.artel.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Workers on WebSockets that know the protocol alone: how fast 32 of them drain a job of parallel tasks, how long tasks take at a fixed rate, and what
/// 10,000 that have nothing to do cost the orchestrator. Both are processes of their own; the orchestrator has its store on the disk.
final class WebSocketBenchmark implements Benchmark {
    private static final int WORKERS = 32;
    private static final int SLOTS = 64;
    private static final int TASKS = 20_000;
    private static final int WARM_UPS = 8;

    /// The same for every commit: at another rate tasks take another time.
    private static final int PACED = 2_000;

    private static final int IDLE = 10_000;
    private static final Duration SETTLING = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "websocket";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "tasks_per_second",
                "paced_tasks_per_second",
                "latency_p50_ms",
                "latency_p99_ms",
                "idle_cpu_percent_of_core",
                "idle_rss_mb");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var results = new ArrayList<>(busy(size));
        results.addAll(idle(size));
        return results;
    }

    private List<BenchmarkResult> busy(Size size) throws IOException, InterruptedException {
        try (var server = LoadedServer.start();
                var workers =
                        server.workers(
                                SocketWorkers.class,
                                Integer.toString(size.fixed(WORKERS, 4)),
                                Integer.toString(SLOTS))) {
            var rates = FanoutLoad.rates(server, size.of(TASKS, 200), WARM_UPS, size);
            var results = new ArrayList<BenchmarkResult>();
            results.add(
                    new BenchmarkResult(
                            name(),
                            "tasks_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            rates));
            results.addAll(
                    PacedLoad.results(
                            name(), server, workers, size.fixed(PACED, PacedLoad.SLOW), size));
            return results;
        }
    }

    private List<BenchmarkResult> idle(Size size) throws IOException, InterruptedException {
        var count = size.fixed(IDLE, 60);
        try (var server = LoadedServer.start();
                var workers = server.workers(SocketWorkers.class, Integer.toString(count), "1")) {
            return IdleCost.of(
                            server,
                            workers,
                            size.of(SETTLING, Duration.ofSeconds(1)),
                            size,
                            (answers, seconds) ->
                                    requireHealth(size.expected(count * seconds / 15), answers))
                    .results(name(), "idle_");
        }
    }

    /// No connection broke, and the heartbeats were acknowledged.
    private static void requireHealth(double expected, String answers) {
        var fields = answers.split(" ", -1);
        if (!fields[2].equals("0") || Long.parseLong(fields[1]) < expected * 0.97) {
            throw new IllegalStateException(
                    "tasks, heartbeats, broken connections: "
                            + answers
                            + "; expected "
                            + expected
                            + " heartbeats");
        }
    }
}
