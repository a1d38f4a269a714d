package dev.artel.gateway.mindbus;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// An agent that does what a test asks for, byte by byte, over a connection of its own.
final class TestAgent implements AutoCloseable {
    final String name;
    final String uid = UUID.randomUUID().toString();
    private final MindBusConfig config;
    private final @Nullable String user;
    private final Connection connection;
    private final Channel channel;
    private final LinkedBlockingQueue<Command> commands = new LinkedBlockingQueue<>();
    private final String queue;

    /// A command with its properties.
    record Command(AMQP.BasicProperties properties, JsonObject envelope, String key) {
        String id() {
            return envelope.string("id").orElseThrow();
        }

        JsonObject data() {
            return envelope.object("data").orElseThrow();
        }

        JsonObject context() {
            return data().object("context").orElseThrow();
        }
    }

    /// With a queue under its name, and no word to anybody yet.
    TestAgent(RabbitServer broker, MindBusConfig config, String name)
            throws IOException, TimeoutException {
        this(broker, config, name, null);
    }

    /// One that logs in as `user`, with the password `secret`, and has that as the `user_id` of its messages.
    ///
    /// @param user null: it is nobody in particular, and has no `user_id`
    TestAgent(RabbitServer broker, MindBusConfig config, String name, @Nullable String user)
            throws IOException, TimeoutException {
        this.name = name;
        this.user = user;
        this.config = config;
        connection = user == null ? connect(broker) : connect(broker, user);
        channel = connection.createChannel();
        channel.exchangeDeclare(config.exchange(), "topic", true);
        queue = channel.queueDeclare().getQueue();
        listen("cmd." + name.replace('.', '_') + ".#");
        channel.basicConsume(
                queue,
                true,
                new DefaultConsumer(channel) {
                    @Override
                    public void handleDelivery(
                            String tag,
                            Envelope envelope,
                            AMQP.BasicProperties properties,
                            byte[] body) {
                        commands.add(
                                new Command(
                                        properties,
                                        (JsonObject) JsonText.read(body),
                                        envelope.getRoutingKey()));
                    }
                });
    }

    /// A connection that does not come back.
    static Connection connect(RabbitServer broker) throws IOException, TimeoutException {
        var factory = new ConnectionFactory();
        factory.setHost(broker.uri().getHost());
        factory.setPort(broker.uri().getPort());
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection("test");
    }

    private static Connection connect(RabbitServer broker, String user)
            throws IOException, TimeoutException {
        var factory = new ConnectionFactory();
        factory.setHost(broker.uri().getHost());
        factory.setPort(broker.uri().getPort());
        factory.setUsername(user);
        factory.setPassword(user.equals("guest") ? user : "secret");
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection("test of " + user);
    }

    /// Binds its queue to another key.
    void listen(String key) throws IOException {
        channel.queueBind(queue, config.exchange(), key);
    }

    /// Nothing reaches it any more.
    void unlisten() throws IOException {
        channel.queueUnbind(queue, config.exchange(), "cmd." + name.replace('.', '_') + ".#");
    }

    /// Registers as the contract has it, under a lease of `lease` seconds.
    void register(long lease, String... capabilities) throws IOException {
        event("node.registered", registration(uid, lease, capabilities));
    }

    /// Registers with a message that was sent at `time`.
    void registerAt(Instant time, long lease, String... capabilities) throws IOException {
        var data =
                JsonObject.builder()
                        .put("event_type", "node.registered")
                        .put("event_data", registration(uid, lease, capabilities))
                        .build();
        publishEvent(
                "evt.node.registered",
                envelope("ai.team.event", data).with("time", new JsonString(time.toString())));
    }

    JsonObject registration(String asUid, long lease, String... capabilities) {
        var described =
                java.util.Arrays.stream(capabilities)
                        .map(one ->
                                (JsonValue)
                                        JsonObject.builder()
                                                .put("name", one)
                                                .put("version", "1.0")
                                                .build())
                        .toList();
        var passport =
                JsonObject.builder()
                        .put(
                                "metadata",
                                JsonObject.builder()
                                        .put("uid", asUid)
                                        .put("name", name)
                                        .put("node_type", "agent")
                                        .put(
                                                "labels",
                                                JsonObject.of("role", new JsonString("tester")))
                                        .build())
                        .put("spec", JsonObject.of("capabilities", new JsonArray(described)))
                        .put(
                                "status",
                                JsonObject.of(
                                        "lease",
                                        JsonObject.builder()
                                                .put("lease_duration_seconds", lease)
                                                .build()))
                        .build();
        return JsonObject.builder()
                .put("node_id", asUid)
                .put("name", name)
                .put("passport", passport)
                .build();
    }

    void heartbeat() throws IOException {
        heartbeat(uid);
    }

    void heartbeat(String asUid) throws IOException {
        event(
                "node.heartbeat",
                JsonObject.builder().put("node_id", asUid).put("name", name).build());
    }

    /// Sends a heartbeat of an agent, which may be another one.
    void heartbeatOf(TestAgent agent, String status) throws IOException {
        event(
                "node.heartbeat",
                JsonObject.builder()
                        .put("node_id", agent.uid)
                        .put("name", agent.name)
                        .put("status", status)
                        .build());
    }

    void event(String type, JsonObject data) throws IOException {
        publishEvent(
                "evt." + type,
                envelope(
                        "ai.team.event",
                        JsonObject.builder()
                                .put("event_type", type)
                                .put("event_data", data)
                                .build()));
    }

    void publishEvent(String key, JsonObject envelope) throws IOException {
        channel.basicPublish(config.exchange(), key, properties(null), JsonText.write(envelope));
    }

    JsonObject envelope(String type, JsonObject data) {
        return JsonObject.builder()
                .put("specversion", "1.0")
                .put("type", type)
                .put("source", name)
                .put("id", UUID.randomUUID().toString())
                .put("data", data)
                .build();
    }

    private AMQP.BasicProperties properties(@Nullable String correlation) {
        return new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .correlationId(correlation)
                .userId(user)
                .build();
    }

    /// The next command.
    Command command() throws InterruptedException {
        var command = commands.poll(Await.seconds(), TimeUnit.SECONDS);
        if (command == null) {
            throw new AssertionError("no command came for " + name);
        }
        return command;
    }

    boolean hasCommand() {
        return !commands.isEmpty();
    }

    /// Sends a control for the agent `name`.
    void control(String name, String type) throws IOException {
        publishEvent(
                "ctl." + name.replace('.', '_') + ".any",
                envelope("ai.team.control", JsonObject.of("control_type", new JsonString(type))));
    }

    /// Answers with a RESULT.
    void succeed(Command command, JsonObject output) throws IOException {
        answer(command, envelope("ai.team.result", success(output)));
    }

    static JsonObject success(JsonValue output) {
        return JsonObject.builder()
                .put("status", "SUCCESS")
                .put("output", output)
                .put("execution_time_ms", 5)
                .build();
    }

    /// Answers with an ERROR.
    void fail(Command command, JsonObject error) throws IOException {
        answer(command, envelope("ai.team.error", JsonObject.of("error", error)));
    }

    void answer(Command command, JsonObject envelope) throws IOException {
        answer(command, properties(command.id()), JsonText.write(envelope));
    }

    void answer(Command command, AMQP.BasicProperties properties, byte[] body) throws IOException {
        channel.basicPublish("", command.properties().getReplyTo(), properties, body);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    Channel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        connection.abort(5000);
    }
}
