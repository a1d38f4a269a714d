package dev.artel.benchmarks;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Workers on WebSockets that know the protocol alone: how fast 32 of them drain a job of parallel tasks, and what 10,000 that have nothing to do cost the
/// orchestrator. Both are processes of their own; the orchestrator has its store on the disk.
final class WebSocketBenchmark implements Benchmark {
    private static final int WORKERS = 32;
    private static final int SLOTS = 64;
    private static final int TASKS = 20_000;
    private static final int RUNS = 3;
    private static final int IDLE = 10_000;
    private static final Duration SETTLING = Duration.ofSeconds(60);
    private static final Duration RUN = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "websocket";
    }

    @Override
    public List<BenchmarkResult> run() throws Exception {
        var results = new ArrayList<>(busy());
        results.addAll(idle());
        return results;
    }

    private List<BenchmarkResult> busy() throws IOException {
        var rates = new ArrayList<Double>();
        try (var server = ChildProcess.start(ServerProcess.class, ServerProcess.OPTIONS)) {
            var ready = server.line().split(" ", -1);
            try (var workers = workers(ready, WORKERS, SLOTS);
                    var client = new HttpClient(Integer.parseInt(ready[0]), ready[1])) {
                workers.line();
                drain(client);
                drain(client);
                for (var i = 0; i < RUNS; i++) {
                    var began = System.nanoTime();
                    drain(client);
                    rates.add(TASKS / ((System.nanoTime() - began) / 1e9));
                }
            }
        }
        return List.of(
                BenchmarkResult.best(
                        name(), "tasks_per_second", "1/s", BenchmarkResult.Better.HIGHER, rates));
    }

    private static void drain(HttpClient client) throws IOException {
        var job =
                JsonObject.of(
                        "blueprint",
                        JsonValue.of("fanout"),
                        "initial_data",
                        JsonObject.of("count", JsonValue.of(TASKS)));
        TestCluster.finished(client, client.post("/api/v1/jobs", job));
    }

    private static ChildProcess workers(String[] ready, int count, int slots) throws IOException {
        return ChildProcess.start(
                SocketWorkers.class,
                List.of("-Xmx2g", "-XX:+UseSerialGC"),
                ready[0],
                ready[2],
                Integer.toString(count),
                Integer.toString(slots));
    }

    private List<BenchmarkResult> idle() throws Exception {
        try (var server = ChildProcess.start(ServerProcess.class, ServerProcess.OPTIONS)) {
            var ready = server.line().split(" ", -1);
            try (var workers = workers(ready, IDLE, 1)) {
                workers.line();
                Thread.sleep(SETTLING);
                workers.ask("");
                var before = server.cpu();
                var began = System.nanoTime();
                Thread.sleep(RUN);
                var seconds = (System.nanoTime() - began) / 1e9;
                var cpu = server.cpu().minus(before).toMillis() / 10.0 / seconds;
                var memory = server.residentMegabytes();
                requireHealth(workers.ask(""), seconds);
                return List.of(
                        BenchmarkResult.best(
                                name(),
                                "idle_cpu_percent_of_core",
                                "%",
                                BenchmarkResult.Better.LOWER,
                                List.of(cpu)),
                        BenchmarkResult.best(
                                name(),
                                "idle_rss_mb",
                                "MB",
                                BenchmarkResult.Better.LOWER,
                                List.of(memory)));
            }
        }
    }

    /// No connection broke, and the heartbeats were acknowledged.
    private static void requireHealth(String answers, double seconds) {
        var fields = answers.split(" ", -1);
        var expected = IDLE * seconds / 15;
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
