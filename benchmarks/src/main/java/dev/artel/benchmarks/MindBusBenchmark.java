package dev.artel.benchmarks;

import dev.artel.json.JsonArray;
import dev.artel.testkit.broker.RabbitServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Agents on a RabbitMQ that the benchmark starts: how many commands and their results go round in a second with 64 in flight, how long tasks take at 1,000 a
/// second, and what 500 agents that have nothing to do cost the orchestrator. Broker, agents and orchestrator are processes of their own; the orchestrator
/// keeps everything in memory, so that the bus is measured and not the disk. The broker keeps its messages on the disk.
final class MindBusBenchmark implements Benchmark {
    private static final String EXCHANGE = "bench";
    private static final int AGENTS = 64;
    private static final int TASKS = 10_000;
    private static final int WARM_UPS = 4;

    /// Quick heartbeats.
    private static final int WARM_UP = 20_000;

    private static final int PACED = 1_000;
    private static final int IDLE = 500;
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final String CONNECTED = "\nartel_mindbus_connected 1.0";
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final int GLANCE_MILLIS = 20;
    private static final Duration SETTLING = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "mindbus";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "round_trips_per_second",
                "paced_tasks_per_second",
                "latency_p50_ms",
                "latency_p99_ms",
                "idle_cpu_percent_of_core",
                "idle_rss_mb");
    }

    @Override
    public Optional<String> missing() {
        return RabbitServer.isInstalled()
                ? Optional.empty()
                : Optional.of("a rabbitmq-server (Debian: rabbitmq-server)");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var results = new ArrayList<BenchmarkResult>();
        try (var broker = RabbitServer.start()) {
            results.addAll(underLoad(broker, size));
            results.addAll(idle(broker, size));
        }
        return results;
    }

    private List<BenchmarkResult> underLoad(RabbitServer broker, Size size) throws Exception {
        var results = new ArrayList<BenchmarkResult>();
        try (var server = server(broker);
                var agents = agents(broker, size.fixed(AGENTS, 4), 0)) {
            results.add(
                    new BenchmarkResult(
                            name(),
                            "round_trips_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            FanoutLoad.rates(server, size.of(TASKS, 50), WARM_UPS, size)));
            results.addAll(
                    PacedLoad.jobResults(name(), server, size.fixed(PACED, PacedLoad.SLOW), size));
            requireNoneBroken(agents.ask(""));
        }
        return results;
    }

    private List<BenchmarkResult> idle(RabbitServer broker, Size size) throws Exception {
        var count = size.fixed(IDLE, 20);
        try (var server = server(broker);
                var agents = agents(broker, count, size.fixed(WARM_UP, 20))) {
            agents.ask("warm");
            var results =
                    IdleCost.of(
                                    server,
                                    agents,
                                    size.of(SETTLING, Duration.ofSeconds(1)),
                                    size,
                                    (answers, seconds) ->
                                            requireHealth(
                                                    size.expected(
                                                            count
                                                                    * seconds
                                                                    / HEARTBEAT.toSeconds()),
                                                    answers))
                            .results(name(), "idle_");
            requireAgents(server, count);
            return results;
        }
    }

    /// One that receives what agents send: its connections to the broker are opened beside its start.
    private static LoadedServer server(RabbitServer broker)
            throws IOException, InterruptedException {
        var server =
                LoadedServer.start(
                        ServerProcess.IN_MEMORY,
                        ServerProcess.MINDBUS,
                        broker.uri().toString(),
                        EXCHANGE);
        var metrics =
                HttpRequest.newBuilder(URI.create(server.address("http") + "/metrics")).build();
        var deadline = System.nanoTime() + LONGEST.toNanos();
        try (var http = java.net.http.HttpClient.newHttpClient()) {
            while (!http.send(metrics, BodyHandlers.ofString()).body().contains(CONNECTED)) {
                if (System.nanoTime() > deadline) {
                    server.close();
                    throw new IOException(
                            "the orchestrator has not connected to the broker within " + LONGEST);
                }
                Thread.sleep(GLANCE_MILLIS);
            }
        }
        return server;
    }

    private static ChildProcess agents(RabbitServer broker, int count, int warmUp)
            throws IOException {
        var agents =
                ChildProcess.start(
                        BusAgents.class,
                        List.of("-Xmx512m", "-XX:+UseSerialGC"),
                        broker.uri().toString(),
                        EXCHANGE,
                        Integer.toString(count),
                        Long.toString(HEARTBEAT.toSeconds()),
                        Integer.toString(warmUp));
        agents.line();
        return agents;
    }

    private static void requireNoneBroken(String answers) {
        if (!answers.split(" ", -1)[2].equals("0")) {
            throw new IllegalStateException("tasks, heartbeats, broken connections: " + answers);
        }
    }

    /// No connection broke, and the heartbeats were sent.
    private static void requireHealth(double expected, String answers) {
        requireNoneBroken(answers);
        if (Long.parseLong(answers.split(" ", -1)[1]) < expected * 0.97) {
            throw new IllegalStateException(
                    "tasks, heartbeats, broken connections: "
                            + answers
                            + "; expected "
                            + expected
                            + " heartbeats");
        }
    }

    /// An agent whose heartbeats were not heard would be gone by now.
    private static void requireAgents(LoadedServer server, int count) throws IOException {
        try (var client = server.client()) {
            var there =
                    client.get("/api/v1/workers?limit=1000")
                            .array("items")
                            .map(JsonArray::size)
                            .orElse(0);
            if (there != count) {
                throw new IllegalStateException(
                        "of " + count + " agents " + there + " are there at the end");
            }
        }
    }
}
