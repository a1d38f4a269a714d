package dev.artel.gateway.mindbus;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import dev.artel.amqp.ReadAhead;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.ValueRoom;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The queues of this orchestrator: declared anew whenever the connection is opened, and read. Each is read over a channel of its own, so that
/// answers wait behind no events; how many bytes are read ahead is one number for all of them. What cannot be read goes to the dead-letter queue.
final class BusQueues implements BusConnection.Use {
    private static final Logger LOG = LoggerFactory.getLogger(BusQueues.class);

    private static final List<String> KEYS_OF_EVENTS =
            List.of("evt.node.#", "evt.registry.#", "evt.agent.heartbeat", "evt.task.progress");

    /// What an orchestrator that is away for long must not find; the latest are kept.
    private static final int MOST_EVENTS = 100_000;

    /// With so many of them the broker may have dropped signs of life before the orchestrator read them; that holds until they are counted again.
    private static final int MANY_EVENTS = MOST_EVENTS / 2;

    private static final int MOST_CONTROLS = 10_000;
    private static final int MOST_DEAD = 10_000;

    private final MindBusConfig config;
    private final ValueRoom room = new ValueRoom();
    private final CommandAnswers answers;
    private final NodeEvents events;
    private final AgentControls controls;
    private final NodeRegistry registry;
    private final BusCounts counts;
    private final DeadLetterLog deadLetters;
    private final InstantSource clock;
    private final Consumer<Throwable> fatal;
    private final AtomicBoolean isLooking = new AtomicBoolean();
    private final AtomicBoolean isCounting = new AtomicBoolean();
    private volatile boolean isOpen;
    private volatile @Nullable Connection open;
    private volatile @Nullable WaitingAnswers answersLeft;
    private volatile @Nullable ReadEvents readEvents;

    BusQueues(
            MindBusConfig config,
            CommandAnswers answers,
            NodeEvents events,
            AgentControls controls,
            NodeRegistry registry,
            BusCounts counts,
            DeadLetterLog deadLetters,
            InstantSource clock,
            Consumer<Throwable> fatal) {
        this.config = config;
        this.answers = answers;
        this.events = events;
        this.controls = controls;
        this.registry = registry;
        this.counts = counts;
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.fatal = fatal;
    }

    boolean isOpen() {
        return isOpen;
    }

    @Override
    public void opened(Connection connection, BusConnection.Channels channels) throws IOException {
        var channel = channels.open();
        channel.exchangeDeclare(config.deadLetterExchange(), "topic", true);
        channel.queueDeclare(
                config.deadLetterQueue(),
                true,
                false,
                false,
                Map.of("x-max-length", MOST_DEAD, "x-overflow", "drop-head"));
        channel.queueBind(config.deadLetterQueue(), config.deadLetterExchange(), "#");
        var toDead = "x-dead-letter-exchange";
        var unread =
                channel.queueDeclare(
                        config.replyQueue(),
                        true,
                        false,
                        false,
                        Map.of(toDead, config.deadLetterExchange()));
        var waiting =
                channel.queueDeclare(
                        config.eventQueue(),
                        true,
                        false,
                        false,
                        Map.of(
                                toDead,
                                config.deadLetterExchange(),
                                "x-max-length",
                                MOST_EVENTS,
                                "x-overflow",
                                "drop-head"));
        channel.queueDeclare(
                config.controlQueue(),
                true,
                false,
                false,
                Map.of(
                        toDead,
                        config.deadLetterExchange(),
                        "x-max-length",
                        MOST_CONTROLS,
                        "x-overflow",
                        "drop-head"));
        bind(channel);
        open = connection;
        registry.couldNotBeHeard();
        isOpen = true;
        readEvents(channels.open(), waiting.getMessageCount());
        readAnswers(channel, unread.getMessageCount());
        readControls(channels.open());
    }

    private void readEvents(Channel channel, int waiting) throws IOException {
        var old = new AtomicInteger(waiting);
        var read = new ReadEvents(config.prefetch());
        readEvents = read;
        channel.basicQos(config.prefetch());
        channel.basicConsume(
                config.eventQueue(),
                false,
                new Deliveries(
                        channel,
                        (delivery, settlement) -> {
                            events.take(
                                    delivery.event(),
                                    delivery.key(),
                                    old.getAndUpdate(left -> Math.max(0, left - 1)) > 0);
                            settlement.done();
                        },
                        read::received,
                        read::settled));
    }

    private void readAnswers(Channel channel, int waiting) throws IOException {
        var left = new WaitingAnswers(waiting, registry::answersAreRead);
        left.waiting(waiting);
        answersLeft = left;
        channel.basicQos(config.prefetch());
        channel.basicConsume(
                config.replyQueue(),
                false,
                new Deliveries(
                        channel,
                        (delivery, settlement) -> answers.take(delivery.event(), settlement),
                        left::received,
                        left::settled));
    }

    private void readControls(Channel channel) throws IOException {
        channel.basicQos(config.prefetch());
        channel.basicConsume(
                config.controlQueue(),
                false,
                new Deliveries(
                        channel,
                        (delivery, settlement) ->
                                controls.take(delivery.event(), delivery.key(), settlement::done),
                        () -> {},
                        () -> {}));
    }

    private void bind(Channel channel) throws IOException {
        channel.exchangeDeclare(config.exchange(), "topic", true);
        for (var key : KEYS_OF_EVENTS) {
            channel.queueBind(config.eventQueue(), config.exchange(), key);
        }
        channel.queueBind(config.controlQueue(), config.exchange(), "ctl.#");
    }

    /// Declares the exchange and its bindings again, as they may have been deleted, and looks whether answers still wait, of which some may have
    /// expired: a broker reports neither. On a thread and a
    /// channel of its own, as it waits for the broker, which closes a channel on which it refuses a declaration.
    void bindAgain() {
        if (isLooking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("artel-mindbus-bindings").start(this::bindNow);
        }
    }

    private void bindNow() {
        var connection = open;
        try {
            if (connection != null && connection.isOpen()) {
                var channel = connection.createChannel();
                try {
                    bind(channel);
                    var left = answersLeft;
                    if (left != null) {
                        left.waiting(
                                channel.queueDeclarePassive(config.replyQueue()).getMessageCount());
                    }
                } finally {
                    channel.abort();
                }
            }
        } catch (IOException | RuntimeException refused) {
            // The next one tries again; where the connection is gone, it is opened anew with all of
            // this.
            LOG.atWarn()
                    .addKeyValue("exchange", config.exchange())
                    .addKeyValue("cause", refused.getMessage())
                    .log("the exchange of the agents could not be declared again");
        } finally {
            isLooking.set(false);
        }
    }

    /// What agents have sent by then has been read.
    Instant readUntil() {
        var read = readEvents;
        return read == null ? Instant.MIN : read.until();
    }

    /// Looks how many events wait at the broker: an agent whose sign of life is among them is not silent. On a thread and a channel of its own, as
    /// [#bindAgain].
    void countEvents() {
        if (isCounting.compareAndSet(false, true)) {
            Thread.ofVirtual().name("artel-mindbus-events").start(this::countNow);
        }
    }

    private void countNow() {
        var connection = open;
        var read = readEvents;
        try {
            if (connection != null && read != null && connection.isOpen()) {
                var channel = connection.createChannel();
                try {
                    var asked = clock.instant();
                    var waiting =
                            channel.queueDeclarePassive(config.eventQueue()).getMessageCount();
                    read.waiting(waiting, asked);
                    if (waiting >= MANY_EVENTS) {
                        registry.couldNotBeHeard();
                    }
                } finally {
                    channel.abort();
                }
            }
        } catch (IOException | RuntimeException refused) {
            // Silence since the last count does not count before the next one.
            LOG.atDebug()
                    .setCause(refused)
                    .log("the events that wait at the broker could not be counted");
        } finally {
            isCounting.set(false);
        }
    }

    @Override
    public void closed() {
        isOpen = false;
        open = null;
        answersLeft = null;
        readEvents = null;
    }

    private record Delivery(BusEvent event, String key) {}

    @FunctionalInterface
    private interface Taker {
        void take(Delivery delivery, CommandAnswers.Settlement settlement);
    }

    private final class Deliveries extends DefaultConsumer {
        private final Taker taker;
        private final ReadAhead ahead;
        private final Runnable onReceived;
        private final Runnable onDone;

        /// @param onReceived called with each message that has come
        /// @param onDone called with each message that is done with
        Deliveries(Channel channel, Taker taker, Runnable onReceived, Runnable onDone) {
            super(channel);
            ahead = ReadAhead.of(channel.getConnection());
            this.taker = taker;
            this.onReceived = onReceived;
            this.onDone = onDone;
        }

        @Override
        public void handleDelivery(
                String consumerTag,
                Envelope envelope,
                AMQP.BasicProperties properties,
                byte[] body) {
            try {
                read(consumerTag, envelope, properties, body);
            } finally {
                ahead.done(body.length);
            }
        }

        /// @param consumerTag of one queue: what waits of one leaves room for the others
        private void read(
                String consumerTag,
                Envelope envelope,
                AMQP.BasicProperties properties,
                byte[] body) {
            var tag = envelope.getDeliveryTag();
            counts.isReceived();
            onReceived.run();
            var place = room.take(consumerTag, ForeignJson.weightIfLarge(body));
            try {
                var event = BusEvent.read(properties, body);
                taker.take(
                        new Delivery(event, envelope.getRoutingKey()),
                        new CommandAnswers.Settlement() {
                            @Override
                            public void done() {
                                place.close();
                                acknowledge(tag);
                            }

                            @Override
                            public void failed(String problem) {
                                place.close();
                                counts.isBad();
                                deadLetters.add(
                                        "an answer on the bus could not be taken",
                                        envelope.getRoutingKey(),
                                        problem);
                                reject(tag);
                            }
                        });
            } catch (ForeignSender foreign) {
                place.close();
                counts.isBad();
                deadLetters.add(
                        "a message on the bus is refused",
                        envelope.getRoutingKey(),
                        String.valueOf(foreign.getMessage()));
                reject(tag);
            } catch (UnreadableEvent bad) {
                place.close();
                counts.isBad();
                deadLetters.add(
                        "a message on the bus cannot be read",
                        envelope.getRoutingKey(),
                        bad.problem());
                answers.unreadable(
                        properties.getCorrelationId(), properties.getUserId(), bad.problem());
                reject(tag);
            } catch (RuntimeException bug) {
                place.close();
                counts.isBad();
                deadLetters.add(envelope.getRoutingKey(), bug);
                reject(tag);
            } catch (Error error) {
                fatal.accept(error);
            }
        }

        @Override
        public void handleCancel(String consumerTag) throws IOException {
            LOG.atWarn().log("a queue of this orchestrator was deleted; it is declared again");
            getChannel().getConnection().abort();
        }

        private void acknowledge(long tag) {
            onDone.run();
            try {
                getChannel().basicAck(tag, false);
            } catch (IOException | AlreadyClosedException closed) {
                LOG.atDebug()
                        .setCause(closed)
                        .log("a message comes again, as the channel is closed");
            }
        }

        private void reject(long tag) {
            onDone.run();
            try {
                getChannel().basicReject(tag, false);
            } catch (IOException | AlreadyClosedException closed) {
                LOG.atDebug()
                        .setCause(closed)
                        .log("a message comes again, as the channel is closed");
            }
        }
    }
}
