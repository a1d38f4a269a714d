package dev.artel.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Workers on ZeroMQ that know `PUSH/1` alone, in a process of their own: how fast they drain a job of parallel tasks, how long tasks take at 2,000 a second, and
/// how many of 200 fresh workers receive their first task. The orchestrator keeps everything in memory, so that the wire is measured and not the disk.
final class ZeroMqBenchmark implements Benchmark {
    private static final int WORKERS = 8;
    private static final int SLOTS = 128;
    private static final int TASKS = 50_000;
    private static final int WARM_UPS = 5;
    private static final int PACED = 2_000;
    private static final int FRESH = 200;
    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final Duration PAUSE = Duration.ofMillis(50);

    @Override
    public String name() {
        return "zeromq";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "tasks_per_second",
                "paced_tasks_per_second",
                "latency_p50_ms",
                "latency_p99_ms",
                "sessions_lost",
                "fresh_workers_with_first_task");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var results = new ArrayList<BenchmarkResult>();
        try (var server = LoadedServer.start(ServerProcess.ZEROMQ, ServerProcess.IN_MEMORY);
                var workers =
                        server.workers(
                                ZeroMqWorkers.class,
                                Integer.toString(WORKERS),
                                Integer.toString(SLOTS))) {
            results.add(
                    new BenchmarkResult(
                            name(),
                            "tasks_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            FanoutLoad.rates(server, size.of(TASKS, 200), WARM_UPS, size)));
            results.addAll(
                    PacedLoad.results(
                            name(), server, workers, size.fixed(PACED, PacedLoad.SLOW), size));
            results.add(
                    new BenchmarkResult(
                            name(),
                            "sessions_lost",
                            "",
                            BenchmarkResult.Better.LOWER,
                            List.of(Double.parseDouble(workers.ask("").split(" ", -1)[2]))));
        }
        results.add(fresh(size.fixed(FRESH, 8)));
        return results;
    }

    /// The tasks wait before the workers come, so that each is pushed one as soon as it can be.
    private BenchmarkResult fresh(int count) throws IOException, InterruptedException {
        try (var server = LoadedServer.start(ServerProcess.ZEROMQ, ServerProcess.IN_MEMORY);
                var client = server.client()) {
            var job = FanoutLoad.submit(client, count);
            try (var workers =
                    server.workers(ZeroMqWorkers.class, Integer.toString(count), "1", "hold")) {
                var first = awaitFirstTasks(workers, count);
                workers.ask("release");
                TestCluster.finished(client, job);
                return new BenchmarkResult(
                        name(),
                        "fresh_workers_with_first_task",
                        "",
                        BenchmarkResult.Better.HIGHER,
                        List.of((double) first));
            }
        }
    }

    private static int awaitFirstTasks(ChildProcess workers, int count)
            throws IOException, InterruptedException {
        var deadline = System.nanoTime() + LONGEST.toNanos();
        var first = Integer.parseInt(workers.ask("received"));
        while (first < count && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE);
            first = Integer.parseInt(workers.ask("received"));
        }
        return first;
    }
}
