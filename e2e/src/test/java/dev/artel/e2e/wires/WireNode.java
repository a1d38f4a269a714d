package dev.artel.e2e.wires;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.TaskType;
import dev.artel.client.ArtelClient;
import dev.artel.client.JobHandle;
import dev.artel.config.ActionSettings;
import dev.artel.config.MindBusSettings;
import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.config.ZeroMqSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.gateway.zeromq.ZeroMqConfig;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelNode;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/// An orchestrator in this process with one blueprint, which has one task, and a client of it.
final class WireNode implements AutoCloseable {
    static final String WORKER = "worker-token-of-the-wire-tests";
    static final Duration LONG = Await.longest();

    record Text(String text) {}

    static final TaskType<Text, Text> TASK = TaskType.of("shout", Text.class, Text.class);

    /// What the orchestrator does itself, if it does actions.
    static final TaskType<Text, Text> SET = TaskType.of("set", Text.class, Text.class);

    private static final String CLIENT = "client-token-of-the-wire-tests";
    private static final BlueprintType<Text, Text> SHOUTING =
            BlueprintType.of("shouting", Text.class, Text.class);
    private static final BlueprintType<Text, Text> SETTING =
            BlueprintType.of("setting", Text.class, Text.class);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path data;
    private final MindBusSettings mindBus;
    private final ActionSettings actions;
    private ZeroMqSettings zeroMq;
    private final int port;
    private ArtelNode node;
    private ArtelClient client;

    WireNode(Path data) {
        this(data, ZeroMqSettings.Curve.NONE, Optional.empty());
    }

    /// @param curve the keys of its ZeroMQ sockets
    WireNode(Path data, ZeroMqSettings.Curve curve) {
        this(data, curve, Optional.empty());
    }

    /// @param broker where its agents are
    WireNode(Path data, ZeroMqSettings.Curve curve, Optional<URI> broker) {
        this(data, curve, broker, MindBusSettings.AgentLimits.DEFAULTS);
    }

    /// @param agents what its agents may do
    WireNode(
            Path data,
            ZeroMqSettings.Curve curve,
            Optional<URI> broker,
            MindBusSettings.AgentLimits agents) {
        this(data, curve, broker, agents, ActionSettings.DEFAULTS);
    }

    /// @param actions what it does itself
    WireNode(
            Path data,
            ZeroMqSettings.Curve curve,
            Optional<URI> broker,
            MindBusSettings.AgentLimits agents,
            ActionSettings actions) {
        this.data = data;
        this.actions = actions;
        var own = UUID.randomUUID().toString().substring(0, 8);
        mindBus =
                broker.map(MindBusSettings.DEFAULTS::withUri)
                        .orElse(MindBusSettings.DEFAULTS)
                        .withExchange("wires." + own)
                        .withNodeId("wires-" + own)
                        .withAgents(agents);
        zeroMq =
                ZeroMqSettings.DEFAULTS
                        .withEnabled(true)
                        .withPorts(ZeroMqConfig.Ports.FREE)
                        .withCurve(curve);
        node = start(0);
        port = node.port();
        node.zeroMqPorts().ifPresent(ports -> zeroMq = zeroMq.withPorts(ports));
        client = ArtelClient.of(node.uri(), CLIENT);
    }

    private ArtelNode start(int port) {
        return ArtelNode.start(
                ServerConfig.DEFAULTS
                        .withPort(port)
                        .withData(data)
                        .withActions(actions)
                        .withIngress(
                                ServerConfig.DEFAULTS
                                        .ingress()
                                        .withZeroMq(zeroMq)
                                        .withMindBus(mindBus))
                        .withTokens(
                                new TokenSettings.Given(new Secret(CLIENT), new Secret(WORKER))),
                Blueprints.of(
                        Blueprint.function(SHOUTING, (run, text) -> run.call(TASK, text)),
                        Blueprint.function(SETTING, (run, text) -> run.call(SET, text))));
    }

    int port() {
        return port;
    }

    URI http() {
        return node.uri();
    }

    URI websocket() {
        return URI.create("ws://127.0.0.1:" + port());
    }

    /// The ports of the sockets of ZeroMQ.
    List<Integer> zeromqPorts() {
        var ports = zeroMq.ports();
        return List.of(ports.registration(), ports.tasks(), ports.results());
    }

    URI zeromq() {
        return zeromq(zeromqPorts());
    }

    /// Where a worker is its agent. Skips the test if RabbitMQ is not here.
    URI mindbus() {
        RabbitServer.require();
        return URI.create(mindBus.uri().orElseThrow() + "?lease=10&exchange=" + mindBus.exchange());
    }

    /// The exchange of its agents.
    String exchange() {
        return mindBus.exchange();
    }

    static URI zeromq(List<Integer> ports) {
        return URI.create(
                "zmq://127.0.0.1:%d?tasks=%d&results=%d"
                        .formatted(ports.get(0), ports.get(1), ports.get(2)));
    }

    void stop() {
        client.close();
        node.close();
    }

    void startAgain() {
        // A busy machine frees the ports later.
        node =
                Await.await("the ports are free again")
                        .ignoreExceptions()
                        .until(() -> start(port), Objects::nonNull);
        client = ArtelClient.of(node.uri(), CLIENT);
    }

    JobHandle<Text> submit(String text) {
        return client.submit(SHOUTING, new Text(text));
    }

    /// A job with one task that the orchestrator may do itself.
    JobHandle<Text> submitAction(String text) {
        return client.submit(SETTING, new Text(text));
    }

    /// The result of the one task.
    static String done(JobHandle<Text> job) {
        return job.await(LONG).text();
    }

    ArtelClient client() {
        return client;
    }

    /// What is at `path` below the API.
    JsonObject get(String path) {
        var request =
                HttpRequest.newBuilder(node.uri().resolve("/api/v1" + path))
                        .timeout(Await.longest())
                        .header("Authorization", "Bearer " + CLIENT)
                        .build();
        try {
            var body = http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
            return (JsonObject) JsonText.read(body);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// Sends `body` to `path` below the API.
    ///
    /// @return the status
    int post(String path, String body) {
        var request =
                HttpRequest.newBuilder(node.uri().resolve("/api/v1" + path))
                        .timeout(Await.longest())
                        .header("Authorization", "Bearer " + CLIENT)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    String wire(String worker) {
        return get("/workers/" + worker).string("wire").orElse("");
    }

    void awaitWire(String worker, String wire) {
        Await.await("worker " + worker + " is on " + wire).until(() -> wire(worker).equals(wire));
    }

    /// How many events of a type the job has.
    int events(JobHandle<Text> job, String type) {
        return (int)
                client.history(job.ref()).stream()
                        .filter(event -> event.type().equals(type))
                        .count();
    }

    /// All events of `job`, one a line.
    String history(JobHandle<Text> job) {
        return client.history(job.ref()).stream()
                .map(Object::toString)
                .collect(Collectors.joining("\n", "\n", "\n"));
    }

    @Override
    public void close() {
        stop();
        http.shutdownNow();
    }
}
