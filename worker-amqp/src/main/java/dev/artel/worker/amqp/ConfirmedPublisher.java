package dev.artel.worker.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import java.io.IOException;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends messages over a channel, and learns what became of each. Safe for use by many threads.
final class ConfirmedPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ConfirmedPublisher.class);

    private final Channel channel;
    private final @Nullable String user;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Long, Outgoing> unconfirmed = new TreeMap<>();

    /// How many messages were sent: the broker counts those, and the client library also what it did not send.
    private long sent;

    /// What became of a message.
    enum Fate {
        /// The broker has it, in a queue.
        CONFIRMED,
        /// No queue is there for it.
        UNROUTABLE,
        /// The broker refuses it.
        REFUSED
    }

    private static final class Outgoing {
        final String id;
        final CompletableFuture<Fate> fate = new CompletableFuture<>();
        boolean isReturned;

        Outgoing(String id) {
            this.id = id;
        }
    }

    /// @param channel of its own; what is not confirmed when it is closed fails
    /// @param user the account of the connection, which each message has as its `user_id`; null: none has
    ConfirmedPublisher(Channel channel, @Nullable String user) throws IOException {
        this.user = user;
        this.channel = channel;
        channel.confirmSelect();
        channel.addReturnListener(this::returned);
        channel.addConfirmListener(
                (number, isMultiple) -> confirmed(number, isMultiple, Fate.CONFIRMED),
                (number, isMultiple) -> confirmed(number, isMultiple, Fate.REFUSED));
        channel.addShutdownListener(cause -> ended(String.valueOf(cause.getMessage())));
    }

    /// Sends a message; the answer fails if the channel ends first.
    ///
    /// @throws IOException if it cannot be sent
    CompletableFuture<Fate> publish(String exchange, String key, AgentMessage message)
            throws IOException {
        var outgoing = new Outgoing(message.properties().getMessageId());
        lock.lock();
        try {
            var number = sent + 1;
            unconfirmed.put(number, outgoing);
            try {
                channel.basicPublish(exchange, key, true, message.properties(user), message.body());
                sent = number;
            } catch (IllegalArgumentException unwritable) {
                // Thrown before the first byte is written: no queue has such a name, which has more
                // than 255 bytes.
                unconfirmed.remove(number);
                LOG.atWarn()
                        .addKeyValue("reason", unwritable.getMessage())
                        .log("a message cannot be sent to RabbitMQ");
                outgoing.fate.complete(Fate.UNROUTABLE);
            } catch (IOException | RuntimeException closed) {
                unconfirmed.remove(number);
                throw new IOException("the channel to RabbitMQ is closed", closed);
            }
        } finally {
            lock.unlock();
        }
        return outgoing.fate;
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

    private void confirmed(long number, boolean isMultiple, Fate fate) {
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
        done.forEach(
                outgoing -> outgoing.fate.complete(outgoing.isReturned ? Fate.UNROUTABLE : fate));
    }

    private void ended(String cause) {
        ArrayList<Outgoing> left;
        lock.lock();
        try {
            left = new ArrayList<>(unconfirmed.values());
            unconfirmed.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(outgoing -> outgoing.fate.completeExceptionally(new IOException(cause)));
    }
}
