package dev.artel.e2e.wires;

import static dev.artel.e2e.wires.WireNode.TASK;
import static dev.artel.e2e.wires.WireNode.WORKER;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.artel.config.ActionSettings;
import dev.artel.config.MindBusSettings.AgentLimits;
import dev.artel.config.ZeroMqSettings;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Which names agents on RabbitMQ get where workers have tokens of their own: an orchestrator with both.
@Timeout(Await.HUNG)
final class AgentNamesTest {
    private static final String WORKERS =
            """
            ["gpu-*"]
            token = "token-of-the-gpus-0123456789"
            [gpu-9]
            tasks = ["shout"]
            [limited]
            tasks = ["shout"]
            [named]
            token = "token-of-named-0123456789"
            [certified]
            certificate = "machine-7"
            """;

    @TempDir Path folder;

    private WireNode node;
    private Connection connection;
    private Channel channel;

    @BeforeEach
    void start() throws Exception {
        RabbitServer.require();
        var data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("workers.toml"), WORKERS);
        var broker = RabbitServer.shared().uri();
        node =
                new WireNode(
                        data,
                        ZeroMqSettings.Curve.NONE,
                        Optional.of(broker),
                        AgentLimits.DEFAULTS,
                        ActionSettings.DEFAULTS.withEnabled(true));
        var factory = new ConnectionFactory();
        factory.setUri(broker);
        factory.setAutomaticRecoveryEnabled(false);
        connection = factory.newConnection("test");
        channel = connection.createChannel();
        // What is sent before the queues are bound reaches nobody.
        await("an agent is heard")
                .until(() -> {
                    register("first");
                    return node.wire("first").equals("mindbus");
                });
    }

    @AfterEach
    void stop() {
        if (connection != null) {
            connection.abort(5_000);
        }
        if (node != null) {
            node.close();
        }
    }

    /// Trap: each account that may publish on the exchange is any worker, whatever token that has.
    @Test
    void namesThatAreProvedElsewhere_areNotTakenFromTheBus() throws Exception {
        await("the worker of the orchestrator is there")
                .until(() -> !node.wire("artel-actions").isEmpty());
        var own = node.wire("artel-actions");
        try (var polls = polls()) {
            polls.start();
            node.awaitWire("polls", "http");
            for (var name :
                    List.of("artel-actions", "gpu-1", "gpu-9", "named", "certified", "polls")) {
                register(name);
            }
            register("limited");
            register("last");
            node.awaitWire("last", "mindbus");

            assertThat(node.wire("limited")).isEqualTo("mindbus");
            assertThat(node.wire("artel-actions")).isEqualTo(own);
            assertThat(node.wire("polls")).isEqualTo("http");
            for (var name : List.of("gpu-1", "gpu-9", "named", "certified")) {
                assertThat(node.wire(name)).as(name).isEmpty();
            }
        }
    }

    private Worker polls() {
        return Worker.named("polls")
                .orchestrator(node.http(), WORKER)
                .withoutShutdownHook()
                .handle(TASK, (_, _) -> Result.success())
                .build();
    }

    /// Trap: an agent is judged when it comes alone, and stays the worker to whose name the operator gives a token.
    @Test
    void anAgentWhoseNameGetsAToken_isThereNoMore() throws Exception {
        register("late");
        node.awaitWire("late", "mindbus");
        assertThat(state("late")).isEqualTo("idle");

        Files.writeString(
                folder.resolve("data/workers.toml"),
                WORKERS + "[late]\ntoken = \"token-of-late-0123456789\"\n");
        assertThat(node.post("/admin/reload", "")).isEqualTo(200);
        await("the agent is there no more").until(() -> state("late").equals("offline"));
        register("late");
        register("last");
        node.awaitWire("last", "mindbus");

        assertThat(state("late")).isEqualTo("offline");
    }

    private String state(String worker) {
        return node.get("/workers/" + worker).string("state").orElse("");
    }

    private void register(String name) throws IOException {
        var passport =
                JsonObject.builder()
                        .put(
                                "metadata",
                                JsonObject.of(
                                        "uid",
                                        new JsonString("process-1"),
                                        "name",
                                        new JsonString(name)))
                        .put(
                                "spec",
                                JsonObject.of(
                                        "capabilities", JsonArray.ofStrings(List.of("shout"))))
                        .build();
        var data =
                JsonObject.builder()
                        .put("event_type", "node.registered")
                        .put("event_data", JsonObject.of("passport", passport))
                        .build();
        var envelope =
                JsonObject.builder()
                        .put("specversion", "1.0")
                        .put("type", "ai.team.event")
                        .put("source", name)
                        .put("id", UUID.randomUUID().toString())
                        .put("data", (JsonValue) data)
                        .build();
        channel.basicPublish(
                node.exchange(),
                "evt.node.registered",
                new AMQP.BasicProperties.Builder().contentType("application/json").build(),
                JsonText.write(envelope));
    }
}
