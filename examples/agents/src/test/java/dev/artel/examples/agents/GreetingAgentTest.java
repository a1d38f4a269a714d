package dev.artel.examples.agents;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import dev.artel.testkit.broker.RabbitServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The agent, on a real RabbitMQ.
@Timeout(900)
final class GreetingAgentTest {
    private static final String COMMAND =
            """
            {"specversion":"1.0","type":"ai.team.command","source":"orchestrator","id":"c-1",
             "data":{"action":"greet","params":{"name":"Ada"},"timeout_seconds":30}}\
            """;

    @Test
    void itGreets() throws Exception {
        var broker = RabbitServer.shared();
        var factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        try (var connection = factory.newConnection();
                var channel = connection.createChannel();
                var agent = GreetingAgent.agent(broker.uri()).withoutShutdownHook().build()) {
            channel.exchangeDeclare("mindbus.main", "topic", true);
            var events = channel.queueDeclare().getQueue();
            var replies = channel.queueDeclare().getQueue();
            channel.queueBind(events, "mindbus.main", "evt.node.registered");
            agent.start();
            assertThat(next(channel, events)).contains("agent.greeter.001").contains("greet");

            channel.basicPublish(
                    "mindbus.main",
                    "cmd.agent_greeter_001.any",
                    new AMQP.BasicProperties.Builder()
                            .contentType("application/json")
                            .replyTo(replies)
                            .build(),
                    COMMAND.getBytes(UTF_8));

            assertThat(next(channel, replies))
                    .contains("ai.team.result")
                    .contains("{\"text\":\"Good morning, Ada\"}");
        }
    }

    private static String next(Channel channel, String queue) {
        var message = await().until(() -> channel.basicGet(queue, true), got -> got != null);
        return new String(message.getBody(), UTF_8);
    }
}
