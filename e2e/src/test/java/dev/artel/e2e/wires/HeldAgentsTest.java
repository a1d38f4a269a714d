package dev.artel.e2e.wires;

import static dev.artel.e2e.wires.WireNode.TASK;
import static dev.artel.e2e.wires.WireNode.WORKER;
import static dev.artel.e2e.wires.WireNode.done;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.JobHandle;
import dev.artel.config.MindBusSettings.AgentLimits;
import dev.artel.config.ZeroMqSettings;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Agents on RabbitMQ that get nothing more: one that only fails, one that an operator stops, and one that has had its commands.
@Timeout(Await.HUNG)
final class HeldAgentsTest {
    /// Many more than an agent gets in a second.
    private static final int JOBS = 12;

    @TempDir Path folder;

    private final AtomicBoolean isBroken = new AtomicBoolean(true);
    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore gate = new Semaphore(0);
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
                        AgentLimits.DEFAULTS
                                .withBreakerPause(Duration.ofSeconds(8))
                                .withCommandsPerSecond(2));
        agent = agent("w1");
    }

    private Worker agent(String name) {
        var built =
                Worker.named(name)
                        .orchestrator(node.mindbus(), WORKER)
                        .maxConcurrentTasks(3)
                        .longestBackoff(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofSeconds(1))
                        .withoutShutdownHook()
                        .handle(TASK, (text, _) -> handle(text))
                        .build();
        built.start();
        return built;
    }

    private Result handle(WireNode.Text text) throws InterruptedException {
        begun.incrementAndGet();
        if (isBroken.get()) {
            throw new IllegalStateException("out of order");
        }
        if (text.text().equals("held") && !gate.tryAcquire(Await.seconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("nobody opened the gate");
        }
        return Result.success(JsonObject.of("text", JsonValue.of(text.text())));
    }

    @AfterEach
    void stop() {
        gate.release(1000);
        if (agent != null) {
            agent.close();
        }
        if (node != null) {
            node.close();
        }
    }

    @Test
    void anAgentThatOnlyFails_isSuspended_andTriedAgain_withOneTaskAtATime() {
        var first = node.submit("one");
        var second = node.submit("two");
        var third = node.submit("three");

        // After its pause it is tried again, and suspended again: what is seen is of one moment.
        var suspended = await().until(this::worker, it -> is("suspended", it));
        assertThat(breaker(suspended).string("state")).contains("open");
        assertThat(breaker(suspended).string("until")).isPresent();
        assertThat(begun.get()).isGreaterThanOrEqualTo(3);
        var fourth = node.submit("four");
        await().untilAsserted(() ->
                assertThat(node.get(why(fourth.ref().id())).object("waits_because"))
                        .hasValueSatisfying(
                                waits -> assertThat(waits.toString()).contains("\"suspended\"")));

        isBroken.set(false);

        assertThat(done(first)).isEqualTo("one");
        assertThat(done(second)).isEqualTo("two");
        assertThat(done(third)).isEqualTo("three");
        assertThat(done(fourth)).isEqualTo("four");
        await().until(
                        this::worker,
                        it ->
                                breaker(it).string("state").orElse("").equals("closed")
                                        && is("idle", it));
    }

    @Test
    void anAgentThatIsStopped_losesItsTask_andAnotherOneDoesIt() {
        isBroken.set(false);
        var job = node.submit("held");
        await().until(() -> begun.get() == 1);

        assertThat(node.post("/workers/w1/drain", "{\"mode\":\"emergency\"}")).isEqualTo(200);
        try (var _ = agent("w2")) {
            await().until(() -> begun.get() == 2);
            // One for the agent that is stopped, which may not have heard of it yet.
            gate.release(2);

            assertThat(done(job)).isEqualTo("held");
            assertThat(node.events(job, "lease.granted")).isEqualTo(2);
            assertThat(node.get("/workers/w1").object("drain")).isPresent();
            // The worker of the SDK listens to the shutdown.
            await().until(this::worker, it -> is("offline", it));
        }
    }

    @Test
    void anAgentThatHasHadItsCommands_isNamedSoByTheTasksThatWait() {
        isBroken.set(false);
        var jobs = new ArrayList<JobHandle<WireNode.Text>>();
        for (var i = 0; i < JOBS; i++) {
            jobs.add(node.submit("task " + i));
        }

        // However late it is asked for, there are more than have had their commands.
        await().until(() -> {
            jobs.add(node.submit("task " + jobs.size()));
            var last = why(jobs.getLast().ref().id());
            return node.get(last).toString().contains("\"rate_limited\"");
        });

        for (var i = 0; i < jobs.size(); i++) {
            assertThat(done(jobs.get(i))).isEqualTo("task " + i);
        }
    }

    private static String why(String job) {
        return "/jobs/" + job + "/tasks/0/why";
    }

    private JsonObject worker() {
        return node.get("/workers/w1");
    }

    private static boolean is(String state, JsonObject worker) {
        return worker.string("state").orElse("").equals(state);
    }

    private static JsonObject breaker(JsonObject worker) {
        return worker.object("breaker").orElse(JsonObject.EMPTY);
    }
}
