package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Agents that get no commands, or no more than so many: by their rate, by controls, and by operators.
final class HeldAgentTest extends BusTestCase {
    @Test
    void anAgentThatHasHadItsCommands_getsTheNextOnesLater_andTheFleetKnowsWhy() throws Exception {
        server.close();
        server = new BusServer(BusServer.config(broker).withCommandsPerSecond(2));
        server.awaitConnected();
        var agent = withSlots(6);

        var begun = System.nanoTime();
        for (var i = 0; i < 6; i++) {
            areDone(agent, 1);
        }

        // Two at once, and two a second.
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThan(Duration.ofMillis(1500));
        while (!server.held.contains("limited " + agent.name)) {
            // A busy machine has taken half a second for each of them.
            areDone(agent, 6);
        }
    }

    private void areDone(TestAgent agent, int count) throws Exception {
        var jobs = IntStream.range(0, count).mapToObj(_ -> server.engine.submit("echo")).toList();
        for (var _ : jobs) {
            agent.succeed(agent.command(), JsonObject.EMPTY);
        }
        jobs.forEach(this::awaitReport);
    }

    /// One that does so many tasks at a time.
    private TestAgent withSlots(int slots) throws Exception {
        var agent = agent();
        var passport =
                json(
                        """
                        {"metadata":{"uid":"%s","name":"%s","nodeType":"agent"},
                         "spec":{"nodeType":"agent","capabilities":["echo"],
                                 "resources":{"limits":{"concurrentTasks":%d}}},
                         "status":{"phase":"Running","lease":{"leaseDurationSeconds":600}}}\
                        """
                                .formatted(agent.uid, agent.name, slots));
        agent.event("registry.node_registered", JsonObject.of("node_passport", passport));
        awaitThere(agent);
        return agent;
    }

    @Test
    void theRate_isKeptOverTime_alsoWhereSeveralCommandsGoOutAtOnce() {
        var now = new AtomicReference<>(Instant.EPOCH);
        var rate = new CommandRate(10, now::get);

        assertThat(rate.take(9)).isEmpty();
        assertThat(rate.take(6)).contains(Duration.ofMillis(600));
        now.set(Instant.EPOCH.plusMillis(600));
        assertThat(rate.take(1)).contains(Duration.ofMillis(100));
        now.set(Instant.EPOCH.plusSeconds(100));
        assertThat(rate.take(9)).isEmpty();
        assertThat(new CommandRate(0, now::get).take(1_000_000)).isEmpty();
    }

    @Test
    void aPauseOfAnAgent_holdsForTheFleet_untilItsResume() throws Exception {
        var agent = present(600, "echo");

        control(agent, "ctl." + agent.name.replace('.', '_') + ".any", "pause", "");
        control(agent, "ctl.all.any", "resume", "");

        awaitTrue(() -> server.held.size() >= 2);
        assertThat(server.held)
                .containsExactly(
                        "paused " + agent.name + " by control of " + agent.name + ": maintenance",
                        "resumed " + agent.name + " by control of " + agent.name);
    }

    /// Trap: one message has a write for each of 10,000 agents.
    @Test
    void aPauseOfAllAgents_isOneWrite() throws Exception {
        var one = present(600, "echo");
        var other = present(600, "echo");

        control(one, "ctl.all.any", "pause", "");

        awaitTrue(() -> !server.held.isEmpty());
        assertThat(server.held)
                .containsExactly(
                        "paused %s %s by control of %s: maintenance"
                                .formatted(one.name, other.name, one.name));
    }

    @Test
    void aControlAboutAProcess_andOtherControls_areForAgentsAlone() throws Exception {
        var agent = present(600, "echo");
        var key = "ctl." + agent.name.replace('.', '_') + ".any";

        control(agent, key, "pause", "p1");
        control(agent, key, "stop", "");
        control(agent, "ctl.agent_other.any", "pause", "");
        control(agent, key, "resume", "");

        awaitTrue(() -> !server.held.isEmpty());
        assertThat(server.held)
                .containsExactly("resumed " + agent.name + " by control of " + agent.name);
        assertThat(server.gateway().counts().bad()).isZero();
    }

    private static void control(TestAgent sender, String key, String kind, String process)
            throws Exception {
        var data =
                JsonObject.builder()
                        .put("control_type", kind)
                        .put("reason", "maintenance")
                        .put(
                                "parameters",
                                process.isEmpty()
                                        ? JsonObject.EMPTY
                                        : JsonObject.of("process_id", new JsonString(process)))
                        .build();
        sender.publishEvent(key, sender.envelope("ai.team.control", data));
    }

    @Test
    void anAgentThatIsStopped_losesItsTask_whichIsQueuedAgain_andItsAnswerChangesNothing()
            throws Exception {
        var agent = present(600, "echo");
        agent.listen("ctl.#");
        var job = server.engine.submit("echo");
        var command = agent.command();

        assertThat(server.gateway().stop(new WorkerId(agent.name), "it is on fire", true)).isTrue();

        // The agent may have the command before the broker has confirmed it.
        awaitTrue(() -> !server.engine.endings(job).isEmpty());
        assertThat(server.engine.endings(job))
                .containsAnyOf(LeaseEnd.Lost.WORKER_GONE, LeaseEnd.Returned.NOT_RECEIVED);
        var stop = agent.command().data();
        assertThat(stop.string("control_type")).contains("stop");
        assertThat(stop.object("parameters").orElseThrow().string("task_id"))
                .contains(command.id());
        var shutdown = agent.command().data();
        assertThat(shutdown.string("control_type")).contains("shutdown");
        assertThat(shutdown.string("reason")).contains("it is on fire");
        agent.succeed(command, json("{\"text\":\"too late\"}"));
        awaitTrue(() -> server.gateway().counts().late() > 0);
        assertThat(server.engine.applied(job)).isEmpty();
        assertThat(server.gateway().stop(new WorkerId("nobody"), "", false)).isFalse();

        agent.heartbeat();
        agent.succeed(agent.command(), json("{\"text\":\"again\"}"));
        assertThat(output(awaitReport(job))).isEqualTo(json("{\"text\":\"again\"}"));
    }
}
