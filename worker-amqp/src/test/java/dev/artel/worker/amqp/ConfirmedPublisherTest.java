package dev.artel.worker.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import dev.artel.json.JsonObject;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class ConfirmedPublisherTest {
    /// Trap: the client library counts what it could not write, and the broker does not: a command whose queue for answers has a name of 256 bytes keeps
    /// the last answers after it from being confirmed, for as long as the connection is open.
    @Test
    void aMessageThatCannotBeWritten_isDropped_andThoseBehindItHaveTheirOwnConfirms()
            throws Exception {
        var broker = RabbitServer.shared();
        var factory = new ConnectionFactory();
        factory.setHost(broker.uri().getHost());
        factory.setPort(broker.uri().getPort());
        try (var connection = factory.newConnection("test")) {
            var channel = connection.createChannel();
            var queue = channel.queueDeclare().getQueue();
            var publisher = new ConfirmedPublisher(channel, null);
            var message = AgentMessage.event(new AgentName("agent.one"), "test", JsonObject.EMPTY);

            var unwritable = publisher.publish("", "é".repeat(128), message);
            var good = publisher.publish("", queue, message);

            assertThat(unwritable.get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(ConfirmedPublisher.Fate.UNROUTABLE);
            assertThat(good.get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(ConfirmedPublisher.Fate.CONFIRMED);
        }
    }
}
