package dev.artel.worker.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// An orchestrator of the contract that does what a test asks for, over a connection of its own.
final class TestOrchestrator implements AutoCloseable {
    /// How long its commands may wait at the broker, in milliseconds.
    static final String EXPIRATION = "600000";

    private final RabbitServer broker;
    private final String exchange;
    private final String replies;
    private final String events;
    private final LinkedBlockingQueue<Message> answered = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Message> reported = new LinkedBlockingQueue<>();
    private Connection connection;
    private Channel channel;

    /// A message of an agent.
    record Message(AMQP.BasicProperties properties, String key, JsonObject envelope) {
        JsonObject data() {
            return envelope.object("data").orElseThrow();
        }

        /// The payload of an event.
        JsonObject event() {
            return data().object("event_data").orElseThrow();
        }

        String type() {
            return envelope.string("type").orElseThrow();
        }

        String code() {
            return data().object("error").orElseThrow().string("code").orElseThrow();
        }
    }

    TestOrchestrator(RabbitServer broker) throws IOException, TimeoutException {
        var own = UUID.randomUUID().toString().substring(0, 8);
        this.broker = broker;
        exchange = "bus." + own;
        replies = "replies." + own;
        events = "events." + own;
        connection = connected();
        channel = begun();
    }

    private Connection connected() throws IOException, TimeoutException {
        var factory = new ConnectionFactory();
        factory.setHost(broker.uri().getHost());
        factory.setPort(broker.uri().getPort());
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection("orchestrator");
    }

    private Channel begun() throws IOException {
        var open = connection.createChannel();
        open.exchangeDeclare(exchange, "topic", true);
        open.queueDeclare(replies, true, false, false, null);
        open.queueDeclare(events, true, false, false, null);
        open.queueBind(events, exchange, "evt.#");
        open.basicConsume(replies, true, new Reader(open, answered));
        open.basicConsume(events, true, new Reader(open, reported));
        return open;
    }

    private static final class Reader extends DefaultConsumer {
        private final LinkedBlockingQueue<Message> into;

        Reader(Channel channel, LinkedBlockingQueue<Message> into) {
            super(channel);
            this.into = into;
        }

        @Override
        public void handleDelivery(
                String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            into.add(
                    new Message(
                            properties,
                            envelope.getRoutingKey(),
                            (JsonObject) JsonText.read(body)));
        }
    }

    /// Connects anew, after the broker was away.
    void again() throws IOException, TimeoutException {
        connection.abort(1000);
        connection = connected();
        channel = begun();
    }

    URI uri() {
        return URI.create(broker.uri() + "?lease=3&exchange=" + exchange);
    }

    String exchange() {
        return exchange;
    }

    Channel channel() {
        return channel;
    }

    /// Sends a command, and gives its id.
    String command(String agent, String action, JsonObject params) throws IOException {
        var id = UUID.randomUUID().toString();
        command(agent, id, data(action, id, params), 20);
        return id;
    }

    static JsonObject data(String action, String key, JsonObject params) {
        return JsonObject.builder()
                .put("action", action)
                .put("params", params)
                .put("timeout_seconds", 60)
                .put("idempotency_key", key)
                .put(
                        "context",
                        JsonObject.of(
                                "process_id", new JsonString("job-1"), "step", JsonValue.of(1)))
                .build();
    }

    void command(String agent, String id, JsonObject data, int priority) throws IOException {
        var body =
                JsonObject.builder()
                        .put("specversion", "1.0")
                        .put("type", "ai.team.command")
                        .put("source", "orchestrator")
                        .put("id", id)
                        .put("data", data)
                        .build();
        var key = "cmd." + agent.replace('.', '_') + ".any";
        send(key, id, priority, body);
    }

    void control(String agent, String type, JsonObject parameters) throws IOException {
        var id = UUID.randomUUID().toString();
        var data =
                JsonObject.builder()
                        .put("control_type", type)
                        .put("reason", "as asked")
                        .put("parameters", parameters)
                        .build();
        var body =
                JsonObject.builder()
                        .put("specversion", "1.0")
                        .put("type", "ai.team.control")
                        .put("source", "orchestrator")
                        .put("id", id)
                        .put("data", data)
                        .build();
        send("ctl." + agent.replace('.', '_') + ".any", id, 255, body);
    }

    private void send(String key, String id, int priority, JsonObject body) throws IOException {
        var properties =
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .deliveryMode(2)
                        .priority(priority)
                        .messageId(id)
                        .correlationId(id)
                        .replyTo(replies)
                        .expiration(EXPIRATION)
                        .build();
        channel.basicPublish(exchange, key, properties, JsonText.write(body));
    }

    /// The next answer to a command.
    Message answer() throws InterruptedException {
        return next(answered, "answer");
    }

    boolean hasAnswer() {
        return !answered.isEmpty();
    }

    /// The next event of a type; those before it are dropped.
    Message event(String type) throws InterruptedException {
        var event = next(reported, type);
        while (!event.key().equals("evt." + type)) {
            event = next(reported, type);
        }
        return event;
    }

    private static Message next(LinkedBlockingQueue<Message> queue, String what)
            throws InterruptedException {
        var message = queue.poll(Await.seconds(), TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no " + what + " came");
        }
        return message;
    }

    @Override
    public void close() {
        connection.abort(1000);
    }
}
