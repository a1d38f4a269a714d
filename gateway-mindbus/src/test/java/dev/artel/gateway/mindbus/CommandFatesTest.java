package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.artel.gateway.mindbus.CommandPublisher.Fate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What is known of a command that was given to the broker.
final class CommandFatesTest {
    private static final BasicProperties PROPERTIES =
            new BasicProperties.Builder().messageId("m-1").build();

    private final FakeChannel channel = new FakeChannel();
    private final CommandPublisher publisher =
            new CommandPublisher("exchange", new BusCounts(), () -> {});
    private final List<Fate> fates = new ArrayList<>();

    private void send() {
        publisher.send("cmd.a.any", PROPERTIES, new byte[0], fates::add);
    }

    private void sendFailing(Exception failure) {
        channel.open(publisher);
        channel.failure = failure;
        send();
    }

    @Test
    void withoutAConnection_itWasNotSent() {
        send();
        channel.open(publisher);
        channel.isOpen = false;
        send();
        channel.isOpen = true;
        publisher.closed();
        send();

        assertThat(fates).containsExactly(Fate.NOT_SENT, Fate.NOT_SENT, Fate.NOT_SENT);
        assertThat(channel.published).isEmpty();
    }

    /// Trap: the broker has the whole command, and what comes of the write is an exception: it counts as not sent, and another agent does the task, too.
    @Test
    void aConnectionThatBreaksWhileItIsWritten_leavesItUnknown() {
        sendFailing(new IOException("broken pipe"));
        sendFailing(new IllegalStateException("a bug"));
        sendFailing(new ShutdownSignalException(true, false, null, null));
        sendFailing(
                new AlreadyClosedException(new ShutdownSignalException(true, false, null, null)));

        assertThat(fates).containsExactly(Fate.UNKNOWN, Fate.UNKNOWN, Fate.UNKNOWN, Fate.NOT_SENT);
    }

    /// The broker numbers what it confirms by what reached it, which is not known after a write that failed.
    @Test
    void aConnectionThatBreaksWhileItIsWritten_isGivenUp() throws InterruptedException {
        sendFailing(new IOException("broken pipe"));

        assertThat(channel.aborted.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void whatTheBrokerSays_isWhatBecameOfIt() throws IOException {
        channel.open(publisher);
        send();
        assertThat(fates).isEmpty();
        channel.confirm(true);
        send();
        channel.confirm(false);
        send();
        channel.giveBack(
                new Return(312, "NO_ROUTE", "exchange", "cmd.a.any", PROPERTIES, new byte[0]));
        channel.confirm(true);

        assertThat(fates).containsExactly(Fate.CONFIRMED, Fate.UNKNOWN, Fate.UNROUTABLE);
    }
}
