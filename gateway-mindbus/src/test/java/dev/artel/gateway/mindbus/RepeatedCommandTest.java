package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Commands of an orchestrator that was started anew: it does not know which of them it had sent.
final class RepeatedCommandTest extends BusTestCase {
    @Test
    void aCommandWithoutAnAnswer_isSentAgainAfterARestart_underItsId() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo", json("{\"text\":\"once\"}"));
        var lost = agent.command();

        server.restart();
        agent.heartbeat();

        var again = agent.command();
        assertThat(again.id()).isEqualTo(lost.id());
        assertThat(again.data().object("params")).hasValue(json("{\"text\":\"once\"}"));
        agent.succeed(again, JsonObject.EMPTY);
        awaitReport(job);
        assertThat(server.engine.endings(job)).isEmpty();
    }

    /// Trap: what waits in the queue expires before it is read, and the orchestrator waits for it for good.
    @Test
    void answersThatExpireInTheQueue_keepNoCommandFromBeingSentAgain() throws Exception {
        var agent = present("echo");
        server.engine.submit("echo");
        var lost = agent.command();
        server.close();
        // It stands before the one that expires, which the broker drops when that is the first.
        answerNothing(agent, null);
        answerNothing(agent, "1");

        server.restart();
        agent.heartbeat();

        assertThat(agent.command().id()).isEqualTo(lost.id());
    }

    private void answerNothing(TestAgent agent, @Nullable String expiration) throws Exception {
        var properties =
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .correlationId("nothing")
                        .expiration(expiration)
                        .build();
        var answer = agent.envelope("ai.team.result", TestAgent.success(JsonObject.EMPTY));
        agent.channel()
                .basicPublish("", server.config.replyQueue(), properties, JsonText.write(answer));
    }

    /// Trap: the answer waits in the queue while the orchestrator is away, and the command is sent again before it is read.
    @Test
    void aCommandThatWasAnsweredMeanwhile_isNotSentAgain() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        server.close();
        agent.succeed(command, JsonObject.EMPTY);
        server.restart();
        agent.heartbeat();

        awaitReport(job);
        assertNextCommandIsThatOf(server.engine.submit("echo"), agent);
    }

    @Test
    void aCommandThatTheAgentNamesInItsHeartbeat_isNotSentAgain() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        server.restart();
        agent.event(
                "node.heartbeat",
                JsonObject.builder()
                        .put("node_id", agent.uid)
                        .put("name", agent.name)
                        .put("tasks", JsonArray.ofStrings(List.of(command.id())))
                        .build());
        awaitThere(agent);
        agent.succeed(command, JsonObject.EMPTY);

        awaitReport(job);
        assertNextCommandIsThatOf(server.engine.submit("echo"), agent);
    }

    /// Trap: the command of a process that is gone is sent to its successor under the lease of the former.
    @Test
    void aCommandOfAnEarlierProcess_isNotSentAgain_andItsTaskIsHandedOutAnew() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var former = agent.command();
        server.close();

        server.restart();
        var successor = agent(agent.name);
        successor.register(600, "echo");

        var command = successor.command();
        assertThat(command.id()).isNotEqualTo(former.id());
        successor.succeed(command, JsonObject.EMPTY);
        awaitReport(job);
        assertThat(server.engine.applied(job)).hasSize(1);
    }

    /// Trap: the broker is gone for longer than the lease of an agent that restarts meanwhile; its registration is old when it is read, its heartbeats
    /// count as those of the process that is gone, and keep the lease of that one.
    @Test
    void aSuccessorThatRegisteredLongAgo_takesThePlaceOfTheFormerProcess_withItsFirstHeartbeat()
            throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var former = agent.command();
        server.close();
        var successor = agent(agent.name);
        successor.registerAt(Instant.now().minusSeconds(3_600), 30, "echo");

        server.restart();
        successor.heartbeat();

        var command = successor.command();
        assertThat(command.id()).isNotEqualTo(former.id());
        successor.succeed(command, JsonObject.EMPTY);
        awaitReport(job);
        assertThat(server.engine.applied(job)).hasSize(1);
    }

    /// Trap: a late heartbeat of a process that registered long ago displaces the one that registered after it.
    @Test
    void aProcessThatRegisteredLongAgo_isNotHeard_onceALaterOneHasRegistered() throws Exception {
        var agent = present("echo");
        server.close();
        var former = agent(agent.name);
        former.registerAt(Instant.now().minusSeconds(3_600), 30, "echo");
        // The other one comes over another connection.
        awaitTrue(() -> former.channel().messageCount(server.config.eventQueue()) > 0);
        var latest = agent(agent.name);
        latest.register(600, "echo");
        server.restart();
        awaitThere(latest);
        var held = server.engine.submit("echo");
        var command = latest.command();

        former.heartbeat();
        latest.succeed(command, JsonObject.EMPTY);

        awaitReport(held);
        assertThat(server.engine.attempts(held)).isEqualTo(1);
    }

    /// What was sent again would have come before.
    private void assertNextCommandIsThatOf(JobId job, TestAgent agent) throws Exception {
        var command = agent.command();
        assertThat(command.envelope().string("subject")).hasValue(job.value());
        agent.succeed(command, JsonObject.EMPTY);
        awaitReport(job);
        assertThat(agent.hasCommand()).isFalse();
    }
}
