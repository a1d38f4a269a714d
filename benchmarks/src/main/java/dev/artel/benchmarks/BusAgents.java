package dev.artel.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A process with agents on RabbitMQ that do commands `noop` at once and one at a time, and send a heartbeat at a fixed interval. Each has a durable queue
/// of its own, answers with persistent messages, and acknowledges a command behind its answer; all share two connections, so that they take as little as
/// possible from the broker.
///
/// Registers them, prints `ready`, and answers as [LoadCounts#answer], but for `warm`: to that when many heartbeats went out quickly; a latency is the time from an answer of an agent to its next command.
final class BusAgents {
    private static final AMQP.BasicProperties.Builder MESSAGE =
            new AMQP.BasicProperties.Builder().contentType("application/json").deliveryMode(2);
    private static final int WAIT_MILLIS = 5;
    private static final Duration WARM_UP_GAP = Duration.ofMillis(1);

    private final LoadCounts counts = new LoadCounts();
    private final String exchange;
    private final Channel commands;
    private final Channel events;
    private final List<Agent> agents = new ArrayList<>();
    private final Duration heartbeat;
    private final int warmUp;

    private BusAgents(String uri, String exchange, Duration heartbeat, int warmUp)
            throws IOException, TimeoutException, GeneralSecurityException, URISyntaxException {
        this.exchange = exchange;
        this.heartbeat = heartbeat;
        this.warmUp = warmUp;
        var factory = new ConnectionFactory();
        factory.setUri(uri);
        factory.setAutomaticRecoveryEnabled(false);
        commands = factory.newConnection("commands of agents").createChannel();
        events = factory.newConnection("events of agents").createChannel();
        commands.addShutdownListener(_ -> counts.hasBroken());
        events.addShutdownListener(_ -> counts.hasBroken());
        commands.exchangeDeclare(exchange, "topic", true);
    }

    /// Arguments: the address of the broker, the exchange, how many agents, the seconds between two heartbeats of one, and how
    /// many heartbeats warm up.
    public static void main(String[] args)
            throws IOException, TimeoutException, GeneralSecurityException, URISyntaxException {
        var count = Integer.parseInt(args[2]);
        var all =
                new BusAgents(
                        args[0],
                        args[1],
                        Duration.ofSeconds(Long.parseLong(args[3])),
                        Integer.parseInt(args[4]));
        for (var i = 0; i < count; i++) {
            all.add("bench." + i);
        }
        Thread.ofPlatform().daemon().name("heartbeats").start(all::beat);
        ChildProtocol.send("ready");
        ChildProtocol.untilEnd(all::answer);
        all.commands.getConnection().abort();
        all.events.getConnection().abort();
    }

    private void add(String name) throws IOException {
        var agent = new Agent(commands, name);
        commands.queueDeclare(name, true, false, false, null);
        commands.queueBind(name, exchange, "cmd." + name.replace('.', '_') + ".#");
        commands.basicConsume(name, false, agent);
        agents.add(agent);
        publishEvent(
                agent,
                "node.registered",
                "\"passport\":{\"metadata\":{\"uid\":\""
                        + agent.uid
                        + "\",\"name\":\""
                        + name
                        + "\",\"node_type\":\"agent\"},"
                        + "\"spec\":{\"capabilities\":[{\"name\":\"noop\",\"version\":\"1.0\"}]},"
                        + "\"status\":{\"phase\":\"Running\",\"lease\":{\"lease_duration_seconds\":"
                        + 3 * heartbeat.toSeconds()
                        + "}}}");
    }

    private String answer(String line) {
        if (!line.equals("warm")) {
            return counts.answer(line);
        }
        for (var i = 0; i < warmUp; i++) {
            beat(agents.get(i % agents.size()));
            LockSupport.parkNanos(WARM_UP_GAP.toNanos());
        }
        return "warm";
    }

    private void beat() {
        var pace = new Pace(heartbeat, agents.size());
        try {
            while (true) {
                pace.keep(turn -> beat(agents.get(turn)));
                TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private void beat(Agent agent) {
        try {
            publishEvent(
                    agent,
                    "node.heartbeat",
                    "\"renew_time\":\"" + Instant.now() + "\",\"current_tasks\":0");
            counts.hasBeaten();
        } catch (IOException | RuntimeException broken) {
            counts.hasBroken();
        }
    }

    private void publishEvent(Agent agent, String type, String members) throws IOException {
        var body =
                envelope(
                        "event",
                        agent.name,
                        "{\"event_type\":\""
                                + type
                                + "\",\"event_data\":{\"node_id\":\""
                                + agent.uid
                                + "\",\"name\":\""
                                + agent.name
                                + "\","
                                + members
                                + "}}");
        events.basicPublish(exchange, "evt." + type, MESSAGE.priority(10).build(), body);
    }

    private static byte[] envelope(String type, String source, String data) {
        return ("{\"specversion\":\"1.0\",\"type\":\"ai.team."
                        + type
                        + "\",\"source\":\""
                        + source
                        + "\",\"id\":\""
                        + UUID.randomUUID()
                        + "\",\"time\":\""
                        + Instant.now()
                        + "\",\"data\":"
                        + data
                        + "}")
                .getBytes(UTF_8);
    }

    /// Receives the commands of one agent.
    private final class Agent extends DefaultConsumer {
        private static final String DONE =
                "{\"status\":\"SUCCESS\",\"output\":{},\"execution_time_ms\":0}";

        private final String name;
        private final String uid = UUID.randomUUID().toString();
        private long answered;

        Agent(Channel channel, String name) {
            super(channel);
            this.name = name;
        }

        @Override
        public void handleDelivery(
                @Nullable String tag,
                Envelope envelope,
                AMQP.BasicProperties properties,
                byte[] body)
                throws IOException {
            counts.acknowledged(answered);
            getChannel()
                    .basicPublish(
                            "",
                            properties.getReplyTo(),
                            MESSAGE.priority(20).correlationId(properties.getMessageId()).build(),
                            envelope("result", name, DONE));
            getChannel().basicAck(envelope.getDeliveryTag(), false);
            answered = System.nanoTime();
        }
    }
}
