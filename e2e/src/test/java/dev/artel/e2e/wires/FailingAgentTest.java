package dev.artel.e2e.wires;

import static dev.artel.e2e.wires.WireNode.LONG;
import static dev.artel.e2e.wires.WireNode.TASK;
import static dev.artel.e2e.wires.WireNode.WORKER;
import static dev.artel.e2e.wires.WireNode.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.config.MindBusSettings.AgentLimits;
import dev.artel.config.ZeroMqSettings;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An agent on RabbitMQ that only fails: the orchestrator sends it nothing more for a while.
@Timeout(180)
final class FailingAgentTest {
    @TempDir Path folder;

    private final AtomicBoolean isBroken = new AtomicBoolean(true);
    private final AtomicInteger begun = new AtomicInteger();
    private WireNode node;
    private Worker agent;

    @BeforeEach
    void start() {
        RabbitServer.require();
        node =
                new WireNode(
                        folder.resolve("data"),
                        ZeroMqSettings.Curve.NONE,
                        Optional.of(RabbitServer.shared().uri()),
                        AgentLimits.DEFAULTS.withBreakerPause(Duration.ofSeconds(8)));
        agent =
                Worker.named("w1")
                        .orchestrator(node.mindbus(), WORKER)
                        .maxConcurrentTasks(3)
                        .longestBackoff(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofSeconds(1))
                        .withoutShutdownHook()
                        .handle(
                                TASK,
                                (text, _) -> {
                                    begun.incrementAndGet();
                                    if (isBroken.get()) {
                                        throw new IllegalStateException("out of order");
                                    }
                                    return Result.success(
                                            JsonObject.of("text", JsonValue.of(text.text())));
                                })
                        .build();
        agent.start();
    }

    @AfterEach
    void stop() {
        agent.close();
        node.close();
    }

    @Test
    void anAgentThatOnlyFails_isSuspended_andTriedAgain_withOneTaskAtATime() {
        var first = node.submit("one");
        var second = node.submit("two");
        var third = node.submit("three");

        await().atMost(LONG).until(() -> state().equals("suspended"));
        assertThat(breaker().string("state")).contains("open");
        assertThat(breaker().string("until")).isPresent();
        assertThat(begun.get()).isGreaterThanOrEqualTo(3);
        var fourth = node.submit("four");
        await().atMost(LONG).until(() -> node.get(why(fourth.ref().id())).has("waits_because"));
        assertThat(node.get(why(fourth.ref().id())).object("waits_because").orElseThrow())
                .satisfies(waits -> assertThat(waits.toString()).contains("\"suspended\""));

        isBroken.set(false);

        assertThat(done(first)).isEqualTo("one");
        assertThat(done(second)).isEqualTo("two");
        assertThat(done(third)).isEqualTo("three");
        assertThat(done(fourth)).isEqualTo("four");
        await().atMost(LONG).until(() -> breaker().string("state").orElse("").equals("closed"));
        assertThat(state()).isEqualTo("idle");
    }

    private static String why(String job) {
        return "/jobs/" + job + "/tasks/0/why";
    }

    private String state() {
        return node.get("/workers/w1").string("state").orElse("");
    }

    private JsonObject breaker() {
        return node.get("/workers/w1").object("breaker").orElse(JsonObject.EMPTY);
    }
}
