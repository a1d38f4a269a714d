package dev.artel.e2e.fuzz;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// An agent on RabbitMQ with an account of its own: hostile events, answers and controls, in its own name and in those of others, with properties of all kinds.
final class HostileAgent implements HostileLane {
    private static final int ROUND = 50;
    private static final String NODE = "orchestrator-main";
    private static final String RESPONSES = "orchestrator.responses." + NODE;

    private static final List<String> READ =
            List.of(RESPONSES, "orchestrator.events." + NODE, "orchestrator.control." + NODE);

    private static final List<String> EVENTS =
            List.of(
                    "node.registered",
                    "registry.node_registered",
                    "node.heartbeat",
                    "agent.heartbeat",
                    "task.progress",
                    "no.such.event");

    private static final long LARGEST = 8 << 20;
    private static final int MOST_WAITING = 100;
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final Duration GLANCE = Duration.ofMillis(5);
    private static final int CONFIRM_MILLIS = 60_000;
    private static final String JSON = "application/json";

    private final URI uri;
    private final HostileJson json;
    private final SplittableRandom random;
    private final Tally tally;
    private final String uid = UUID.randomUUID().toString();
    private final ConcurrentLinkedQueue<String> commands = new ConcurrentLinkedQueue<>();
    private @Nullable Connection connection;
    private @Nullable Channel channel;

    HostileAgent(ServerUnderFuzz.Address address, HostileJson json, Tally tally) {
        uri = address.brokerOf(json.ownId());
        this.json = json;
        this.random = json.random();
        this.tally = tally;
    }

    @Override
    public int fire() throws IOException {
        try {
            var open = channel();
            send(open, event("node.registered", registration(json.ownId())));
            for (var i = 0; i < ROUND; i++) {
                one(open);
            }
            open.waitForConfirmsOrDie(CONFIRM_MILLIS);
            for (var id = commands.poll(); id != null; id = commands.poll()) {
                tally.add("command");
                json.obtained(id);
            }
            awaitRead(open);
        } catch (ShutdownSignalException closed) {
            tally.add("channel closed " + code(closed));
        } catch (IOException failed) {
            if (!(failed.getCause() instanceof ShutdownSignalException closed)) {
                throw failed;
            }
            tally.add("channel closed " + code(closed));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the broker confirms", e);
        } catch (TimeoutException late) {
            throw new IOException("the broker does not confirm", late);
        }
        return ROUND;
    }

    private static String code(ShutdownSignalException closed) {
        return closed.getReason() instanceof AMQP.Channel.Close reason
                ? Integer.toString(reason.getReplyCode())
                : "without a code";
    }

    /// The one that is open, or another one: the broker closes a channel whose message claims to be of another account.
    private Channel channel() throws IOException {
        var known = channel;
        if (known != null && known.isOpen()) {
            return known;
        }
        var fresh = connection().createChannel();
        if (fresh == null) {
            throw new IOException("the broker gives no further channel");
        }
        var _ = fresh.confirmSelect();
        var queue = fresh.queueDeclare().getQueue();
        var _ =
                fresh.queueBind(
                        queue,
                        FuzzedBroker.EXCHANGE,
                        "cmd." + json.ownId().replace('.', '_') + ".#");
        var _ = fresh.basicConsume(queue, true, new Commands(fresh));
        channel = fresh;
        return fresh;
    }

    private Connection connection() throws IOException {
        var known = connection;
        if (known != null && known.isOpen()) {
            return known;
        }
        try {
            var factory = new ConnectionFactory();
            factory.setUri(uri.toString());
            factory.setAutomaticRecoveryEnabled(false);
            var fresh = factory.newConnection(json.ownId());
            connection = fresh;
            return fresh;
        } catch (TimeoutException | GeneralSecurityException | URISyntaxException e) {
            throw new IOException("the broker is not reached", e);
        }
    }

    /// What the orchestrator sends to this agent.
    private final class Commands extends DefaultConsumer {
        Commands(Channel channel) {
            super(channel);
        }

        @Override
        public void handleDelivery(
                String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            commands.add(properties.getMessageId());
        }
    }

    private void one(Channel open) throws IOException {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 ->
                    publish(
                            open,
                            "evt.node.registered",
                            json.of(event("node.registered", registration(json.id()))));
            case 4, 5, 6, 7, 8 -> {
                var type = json.pick(EVENTS);
                publish(open, "evt." + type, json.of(event(type, words())));
            }
            case 9, 10, 11, 12, 13, 14, 15 -> answer(open, json.of(result()));
            case 16, 17 -> answer(open, json.of(error()));
            case 18 -> publish(open, "ctl." + controlled() + ".any", json.of(control()));
            default -> answer(open, odd());
        }
    }

    /// Mostly itself: for others the broker closes the channel.
    private String controlled() {
        return random.nextInt(50) == 0 ? json.pick(List.of(json.id(), "all")) : json.ownId();
    }

    private byte[] odd() {
        return random.nextInt(2_000) == 0
                ? new byte[(int) LARGEST + 1]
                : json.drawn(random.nextInt(300));
    }

    /// Sends an event of its own as an agent does that keeps to the protocol.
    private void send(Channel open, JsonObject envelope) throws IOException {
        var type = envelope.object("data").flatMap(data -> data.string("event_type")).orElseThrow();
        open.basicPublish(
                FuzzedBroker.EXCHANGE,
                "evt." + type,
                properties(json.ownId(), JSON),
                JsonText.write(envelope));
    }

    private void publish(Channel open, String key, byte[] body) throws IOException {
        open.basicPublish(FuzzedBroker.EXCHANGE, key, properties(user(), type()), body);
    }

    private void answer(Channel open, byte[] body) throws IOException {
        open.basicPublish("", RESPONSES, properties(user(), type()), body);
    }

    /// Mostly its own: for another account the broker closes the channel, and messages without one are of nobody.
    private @Nullable String user() {
        return switch (random.nextInt(400)) {
            case 0 -> ServerUnderFuzz.GOOD;
            case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 -> null;
            default -> json.ownId();
        };
    }

    private String type() {
        return random.nextInt(30) == 0
                ? json.pick(List.of("", "text/plain", "application/x"))
                : JSON;
    }

    private AMQP.BasicProperties properties(@Nullable String user, String type) {
        var builder =
                new AMQP.BasicProperties.Builder()
                        .contentType(type)
                        .deliveryMode(random.nextInt(1, 3))
                        .priority(random.nextInt(256))
                        .messageId(json.lease())
                        .correlationId(json.lease());
        return user == null ? builder.build() : builder.userId(user).build();
    }

    private JsonObject envelope(String type, JsonObject data) {
        return JsonObject.builder()
                .put("specversion", "1.0")
                .put("type", type)
                .put("source", json.id())
                .put("id", UUID.randomUUID().toString())
                .put("time", "2026-01-01T00:00:00Z")
                .put("subject", json.job())
                .put("correlationid", json.lease())
                .put("data", data)
                .build();
    }

    private JsonObject event(String type, JsonObject data) {
        return envelope(
                "ai.team.event",
                JsonObject.builder().put("event_type", type).put("event_data", data).build());
    }

    private JsonObject registration(String name) {
        var capability =
                JsonObject.of("name", new JsonString("noop"), "version", new JsonString("1.0"));
        var passport =
                JsonObject.builder()
                        .put(
                                "metadata",
                                JsonObject.builder()
                                        .put("uid", uid)
                                        .put("name", name)
                                        .put("labels", JsonObject.of("role", new JsonString("x")))
                                        .build())
                        .put(
                                "spec",
                                JsonObject.builder()
                                        .put("capabilities", JsonArray.of(capability))
                                        .put(
                                                "resources",
                                                JsonObject.of(
                                                        "limits",
                                                        JsonObject.of(
                                                                "concurrent_tasks",
                                                                JsonValue.of(2))))
                                        .build())
                        .put(
                                "status",
                                JsonObject.of(
                                        "lease",
                                        JsonObject.of("lease_duration_seconds", JsonValue.of(5))))
                        .build();
        return JsonObject.builder()
                .put("node_id", uid)
                .put("name", name)
                .put("capabilities", JsonArray.ofStrings(List.of("noop", "echo")))
                .put("passport", passport)
                .build();
    }

    private JsonObject words() {
        return JsonObject.builder()
                .put("node_id", uid)
                .put("name", json.id())
                .put("status", "READY")
                .put("tasks", JsonArray.ofStrings(List.of(json.lease())))
                .put("current_tasks", 1)
                .put("task_id", json.lease())
                .put("process_id", json.job())
                .put("progress", JsonValue.of(0.5))
                .put("message", "half")
                .build();
    }

    private JsonObject result() {
        return envelope(
                "ai.team.result",
                JsonObject.builder()
                        .put("status", json.pick(List.of("SUCCESS", "SUCCESS", "FAILED", "ODD")))
                        .put("output", JsonObject.of("n", JsonValue.of(1)))
                        .put("execution_time_ms", 5)
                        .put("metrics", HostileJson.METRICS)
                        .build());
    }

    private JsonObject error() {
        return envelope(
                "ai.team.error",
                JsonObject.of(
                        "error",
                        JsonObject.builder()
                                .put("code", json.pick(List.of("INTERNAL", "CANCELLED", "ODD")))
                                .put("message", "no")
                                .put("retryable", JsonValue.of(true))
                                .put("details", JsonObject.of("not_started", JsonValue.of(true)))
                                .build()));
    }

    private JsonObject control() {
        return envelope(
                "ai.team.control",
                JsonObject.builder()
                        .put("control_type", json.pick(List.of("pause", "resume", "stop", "odd")))
                        .put("reason", "none")
                        .put("parameters", JsonObject.of("task_id", new JsonString(json.lease())))
                        .build());
    }

    /// Waits until few messages are left to look at, so that those of one round do not push out those of another.
    private void awaitRead(Channel open) throws IOException {
        var deadline = System.nanoTime() + LONGEST.toNanos();
        for (var queue : READ) {
            while (open.queueDeclarePassive(queue).getMessageCount() > MOST_WAITING) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("what waits in " + queue + " is not looked at");
                }
                LockSupport.parkNanos(GLANCE.toNanos());
            }
        }
    }

    /// Leaves, so that what is left behind can be looked at.
    @Override
    public void close() {
        try {
            var open = channel();
            send(
                    open,
                    event(
                            "node.deregistered",
                            JsonObject.builder()
                                    .put("node_id", uid)
                                    .put("name", json.ownId())
                                    .put("reason", "GracefulShutdown")
                                    .build()));
            open.waitForConfirmsOrDie(CONFIRM_MILLIS);
            if (open.queueDeclarePassive(FuzzedBroker.EXCHANGE + ".dlq").getMessageCount() > 0) {
                tally.add("dead letters");
            }
            connection().close();
        } catch (IOException | TimeoutException | ShutdownSignalException broken) {
            tally.add("left without a word");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
