package dev.artel.gateway.mindbus;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends messages to the exchange over a connection of its own, which the broker may block, and learns what became of each: the
/// broker has it, or no queue takes it. What is on its way when the connection is lost stays unknown. Safe for use by many threads.
final class CommandPublisher implements BusConnection.Use {
    private static final Logger LOG = LoggerFactory.getLogger(CommandPublisher.class);

    /// How long a thread waits to write; the one that holds the lock waits for a socket that the broker does not read.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final int ABORT_MILLIS = 5_000;

    private final String exchange;
    private final BusCounts counts;
    private final Runnable onReady;
    private final ReentrantLock lock = new ReentrantLock();

    /// What the broker has not confirmed, by its number in the channel.
    private final TreeMap<Long, Outgoing> unconfirmed = new TreeMap<>();

    private @Nullable Channel open;

    /// How many messages were sent over the channel: the broker counts those, and the client library also what it did not send.
    private long sent;

    private volatile boolean isBlocked;
    private volatile boolean isOpen;

    /// What became of a message.
    enum Fate {
        /// The broker has it, in a queue.
        CONFIRMED,
        /// No queue is bound to its key.
        UNROUTABLE,
        /// It was not sent.
        NOT_SENT,
        /// The broker may have it: the connection broke while it was written, or the broker reports that it could not take care of it.
        UNKNOWN
    }

    private static final class Outgoing {
        final String id;
        final Consumer<Fate> onFate;
        boolean isReturned;

        Outgoing(String id, Consumer<Fate> onFate) {
            this.id = id;
            this.onFate = onFate;
        }
    }

    /// @param onReady called when messages can be sent again
    CommandPublisher(String exchange, BusCounts counts, Runnable onReady) {
        this.exchange = exchange;
        this.counts = counts;
        this.onReady = onReady;
    }

    /// Whether messages can be sent now.
    boolean isReady() {
        return isOpen && !isBlocked;
    }

    /// Whether the broker takes no messages for now, as its memory or its disk is short.
    boolean isBlocked() {
        return isBlocked;
    }

    @Override
    public void opened(Connection connection, BusConnection.Channels channels) throws IOException {
        var channel = channels.open();
        channel.exchangeDeclare(exchange, "topic", true);
        channel.confirmSelect();
        channel.addReturnListener(this::returned);
        channel.addConfirmListener(
                (number, isMultiple) -> confirmed(number, isMultiple, true),
                (number, isMultiple) -> confirmed(number, isMultiple, false));
        connection.addBlockedListener(this::blocked, this::unblocked);
        lock.lock();
        try {
            unconfirmed.clear();
            sent = 0;
            open = channel;
        } finally {
            lock.unlock();
        }
        isBlocked = false;
        isOpen = true;
        onReady.run();
    }

    @Override
    public void closed() {
        isOpen = false;
        lock.lock();
        try {
            open = null;
            unconfirmed.clear();
        } finally {
            lock.unlock();
        }
    }

    private void blocked(String reason) {
        isBlocked = true;
        LOG.atWarn()
                .addKeyValue("reason", reason)
                .log("RabbitMQ takes no messages for now; no tasks go to agents on the bus");
    }

    private void unblocked() {
        isBlocked = false;
        LOG.atInfo().log("RabbitMQ takes messages again");
        onReady.run();
    }

    /// Sends a message that must reach a queue.
    ///
    /// @param onFate called once, unless the connection is lost meanwhile; must not wait
    void send(String key, BasicProperties properties, byte[] body, Consumer<Fate> onFate) {
        var fate = isReady() ? publish(key, properties, body, true, onFate) : Fate.NOT_SENT;
        if (fate != null) {
            onFate.accept(fate);
        }
    }

    /// Sends a message that need not reach anybody.
    void sendLoosely(String key, BasicProperties properties, byte[] body) {
        if (isReady()) {
            var _ = publish(key, properties, body, false, _ -> {});
        }
    }

    /// @return what became of it if that is known by now; null if the broker is to confirm it
    private @Nullable Fate publish(
            String key,
            BasicProperties properties,
            byte[] body,
            boolean isMandatory,
            Consumer<Fate> onFate) {
        try {
            if (!lock.tryLock(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
                return Fate.NOT_SENT;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Fate.NOT_SENT;
        }
        try {
            var channel = open;
            if (channel == null || !channel.isOpen()) {
                return Fate.NOT_SENT;
            }
            return publishOver(channel, key, properties, body, isMandatory, onFate);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Fate publishOver(
            Channel channel,
            String key,
            BasicProperties properties,
            byte[] body,
            boolean isMandatory,
            Consumer<Fate> onFate) {
        var number = sent + 1;
        unconfirmed.put(number, new Outgoing(properties.getMessageId(), onFate));
        try {
            channel.basicPublish(exchange, key, isMandatory, properties, body);
            sent = number;
            counts.isSent();
            return null;
        } catch (AlreadyClosedException before) {
            unconfirmed.remove(number);
            LOG.atDebug().setCause(before).log("a message was not sent to RabbitMQ");
            return Fate.NOT_SENT;
        } catch (IllegalArgumentException unwritable) {
            // Thrown before the first byte is written, such as for a key of more than 255 bytes.
            unconfirmed.remove(number);
            LOG.atWarn()
                    .addKeyValue("key", BusEvent.shortened(key))
                    .addKeyValue("reason", unwritable.getMessage())
                    .log("a message cannot be sent to RabbitMQ");
            return Fate.NOT_SENT;
        } catch (IOException | RuntimeException failure) {
            unconfirmed.remove(number);
            LOG.atDebug()
                    .setCause(failure)
                    .log("the connection broke while a message was sent to RabbitMQ");
            giveUp(channel);
            return Fate.UNKNOWN;
        }
    }

    /// Which numbers the broker has counted is not known any more, should the connection go on.
    private void giveUp(Channel channel) {
        isOpen = false;
        open = null;
        Thread.ofVirtual()
                .name("artel-mindbus-abort")
                .start(() -> channel.getConnection().abort(ABORT_MILLIS));
    }

    /// Comes before the confirm of the same message.
    private void returned(Return message) {
        lock.lock();
        try {
            for (var outgoing : unconfirmed.values()) {
                if (outgoing.id.equals(message.getProperties().getMessageId())) {
                    outgoing.isReturned = true;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void confirmed(long number, boolean isMultiple, boolean isTaken) {
        var done = new ArrayList<Outgoing>();
        lock.lock();
        try {
            if (isMultiple) {
                var confirmed = unconfirmed.headMap(number, true);
                done.addAll(confirmed.values());
                confirmed.clear();
            } else {
                var one = unconfirmed.remove(number);
                if (one != null) {
                    done.add(one);
                }
            }
        } finally {
            lock.unlock();
        }
        for (var outgoing : done) {
            outgoing.onFate.accept(
                    outgoing.isReturned
                            ? Fate.UNROUTABLE
                            : isTaken ? Fate.CONFIRMED : Fate.UNKNOWN);
        }
    }
}
