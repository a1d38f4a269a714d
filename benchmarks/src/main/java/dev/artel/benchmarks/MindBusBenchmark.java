package dev.artel.benchmarks;

import dev.artel.json.JsonArray;
import dev.artel.testkit.broker.RabbitServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Agents on a RabbitMQ that the benchmark starts: how many commands and their results go round in a second with 64 in flight, how long tasks take at 1,000 a
/// second, and what 500 agents that have nothing to do cost the orchestrator. Broker, agents and orchestrator are processes of their own; the orchestrator
/// keeps everything in memory, so that the bus is measured and not the disk. The broker keeps its messages on the disk.
final class MindBusBenchmark implements Benchmark {
    private static final String EXCHANGE = "bench";
    private static final int AGENTS = 64;
    private static final int TASKS = 10_000;
    private static final int WARM_UPS = 4;
    private static final int PACED = 1_000;
    private static final int IDLE = 500;
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration SETTLING = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "mindbus";
    }

    @Override
    public List<BenchmarkResult> run() throws Exception {
        var results = new ArrayList<BenchmarkResult>();
        try (var broker = RabbitServer.start();
                var server = server(broker);
                var agents = agents(broker, AGENTS)) {
            results.add(
                    BenchmarkResult.best(
                            name(),
                            "round_trips_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            FanoutLoad.rates(server, TASKS, WARM_UPS)));
            results.addAll(PacedLoad.jobResults(name(), server, PACED));
            requireNoneBroken(agents.ask(""));
        }
        try (var broker = RabbitServer.start();
                var server = server(broker);
                var agents = agents(broker, IDLE)) {
            agents.ask("warm");
            results.addAll(
                    IdleCost.of(server, agents, SETTLING, MindBusBenchmark::requireHealth)
                            .results(name(), "idle_"));
            requireAgents(server);
        }
        return results;
    }

    private static LoadedServer server(RabbitServer broker) throws IOException {
        return LoadedServer.start(
                ServerProcess.IN_MEMORY, ServerProcess.MINDBUS, broker.uri().toString(), EXCHANGE);
    }

    private static ChildProcess agents(RabbitServer broker, int count) throws IOException {
        var agents =
                ChildProcess.start(
                        BusAgents.class,
                        List.of("-Xmx512m", "-XX:+UseSerialGC"),
                        broker.uri().toString(),
                        EXCHANGE,
                        Integer.toString(count),
                        Long.toString(HEARTBEAT.toSeconds()));
        agents.line();
        return agents;
    }

    private static void requireNoneBroken(String answers) {
        if (!answers.split(" ", -1)[2].equals("0")) {
            throw new IllegalStateException("tasks, heartbeats, broken connections: " + answers);
        }
    }

    /// No connection broke, and the heartbeats were sent.
    private static void requireHealth(String answers, double seconds) {
        requireNoneBroken(answers);
        var expected = IDLE * seconds / HEARTBEAT.toSeconds();
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
    private static void requireAgents(LoadedServer server) throws IOException {
        try (var client = server.client()) {
            var there =
                    client.get("/api/v1/workers?limit=1000")
                            .array("items")
                            .map(JsonArray::size)
                            .orElse(0);
            if (there != IDLE) {
                throw new IllegalStateException(
                        "of " + IDLE + " agents " + there + " are there at the end");
            }
        }
    }
}
