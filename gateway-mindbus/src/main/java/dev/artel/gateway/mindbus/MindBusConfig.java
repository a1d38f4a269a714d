package dev.artel.gateway.mindbus;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// How an orchestrator serves agents on RabbitMQ.
///
/// @param uri the broker: `amqp://user:password@host:port/vhost`, or `amqps`
/// @param exchange the topic exchange of the agents
/// @param nodeId names this orchestrator, and with it the queue of its replies; the same after each restart
/// @param seeds the capabilities of agents that were never heard to register, by their names
/// @param terms how long things may take
/// @param prefetch how many messages of a queue are in work at once
/// @param maxMessageBytes how many bytes a message may have
/// @param commandsPerSecond how many commands an agent gets in a second; 0: as many as it does
/// @param door who may be an agent
public record MindBusConfig(
        URI uri,
        String exchange,
        String nodeId,
        SequencedMap<String, List<String>> seeds,
        BusTiming terms,
        int prefetch,
        int maxMessageBytes,
        int commandsPerSecond,
        BusDoor door) {
    /// The exchange that the specification names.
    public static final String EXCHANGE = "mindbus.main";

    /// The name of an orchestrator that has the bus for itself.
    public static final String NODE_ID = "orchestrator-main";

    /// The most bytes of a message where nothing else is set.
    public static final int MAX_MESSAGE_BYTES = 8 << 20;

    /// The most commands of an agent in a second where nothing else is set.
    public static final int COMMANDS_PER_SECOND = 100;

    private static final int PREFETCH = 100;

    /// How long things may take.
    ///
    /// @param lease after how much silence an agent is gone whose passport names no lease
    /// @param confirmWithin how long the broker may take to confirm a command
    /// @param reconnect the longest pause between two attempts to connect
    public record BusTiming(Duration lease, Duration confirmWithin, Duration reconnect) {
        /// A lease of 30 s, 20 s for a confirm, pauses of up to 15 s.
        public static final BusTiming DEFAULTS =
                new BusTiming(
                        Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(15));

        /// Refuses terms that nothing can keep.
        public BusTiming {
            require(lease.isPositive(), "mindbus.lease must be positive, was " + lease);
            require(
                    confirmWithin.isPositive(),
                    "mindbus.confirm-within must be positive, was " + confirmWithin);
            require(reconnect.isPositive(), "mindbus.reconnect must be positive, was " + reconnect);
        }
    }

    /// Refuses what no broker takes.
    public MindBusConfig {
        var scheme = String.valueOf(uri.getScheme());
        require(
                (scheme.equals("amqp") || scheme.equals("amqps")) && uri.getHost() != null,
                "mindbus.uri must be amqp://user:password@host:port/vhost or amqps://..., its scheme was '"
                        + scheme
                        + "'");
        require(
                isName(exchange),
                "mindbus.exchange must have 1 to 200 bytes in UTF-8 and no blank");
        require(isName(nodeId), "mindbus.node-id must have 1 to 200 bytes in UTF-8 and no blank");
        require(
                prefetch >= 1 && prefetch <= 65_535,
                "mindbus.prefetch must be 1 to 65535, was " + prefetch);
        require(
                maxMessageBytes >= 1024,
                "mindbus.max-message-bytes must be at least 1024, was " + maxMessageBytes);
        require(
                commandsPerSecond >= 0,
                "mindbus.commands-per-second must be at least 0, was " + commandsPerSecond);
        var copy = new LinkedHashMap<String, List<String>>();
        seeds.forEach((name, capabilities) -> copy.put(name, List.copyOf(capabilities)));
        seeds = Collections.unmodifiableSequencedMap(copy);
    }

    /// The defaults at a broker.
    public static MindBusConfig at(URI uri) {
        return new MindBusConfig(
                uri,
                EXCHANGE,
                NODE_ID,
                new LinkedHashMap<>(),
                BusTiming.DEFAULTS,
                PREFETCH,
                MAX_MESSAGE_BYTES,
                COMMANDS_PER_SECOND,
                BusDoor.OPEN);
    }

    /// These settings with another exchange.
    public MindBusConfig withExchange(String other) {
        return new MindBusConfig(
                uri,
                other,
                nodeId,
                seeds,
                terms,
                prefetch,
                maxMessageBytes,
                commandsPerSecond,
                door);
    }

    /// These settings under another name.
    public MindBusConfig withNodeId(String other) {
        return new MindBusConfig(
                uri,
                exchange,
                other,
                seeds,
                terms,
                prefetch,
                maxMessageBytes,
                commandsPerSecond,
                door);
    }

    /// These settings with other known capabilities.
    public MindBusConfig withSeeds(SequencedMap<String, List<String>> others) {
        return new MindBusConfig(
                uri,
                exchange,
                nodeId,
                others,
                terms,
                prefetch,
                maxMessageBytes,
                commandsPerSecond,
                door);
    }

    /// These settings with other terms.
    public MindBusConfig withTerms(BusTiming other) {
        return new MindBusConfig(
                uri,
                exchange,
                nodeId,
                seeds,
                other,
                prefetch,
                maxMessageBytes,
                commandsPerSecond,
                door);
    }

    /// These settings with messages of at most `bytes`.
    public MindBusConfig withMaxMessageBytes(int bytes) {
        return new MindBusConfig(
                uri, exchange, nodeId, seeds, terms, prefetch, bytes, commandsPerSecond, door);
    }

    /// These settings with at most `commands` a second for each agent.
    public MindBusConfig withCommandsPerSecond(int commands) {
        return new MindBusConfig(
                uri, exchange, nodeId, seeds, terms, prefetch, maxMessageBytes, commands, door);
    }

    /// These settings with other agents.
    public MindBusConfig withDoor(BusDoor other) {
        return new MindBusConfig(
                uri,
                exchange,
                nodeId,
                seeds,
                terms,
                prefetch,
                maxMessageBytes,
                commandsPerSecond,
                other);
    }

    /// The queue of replies to commands.
    public String replyQueue() {
        return "orchestrator.responses." + nodeId;
    }

    /// The queue of what agents report of themselves: each orchestrator hears all of it.
    public String eventQueue() {
        return "orchestrator.events." + nodeId;
    }

    /// The queue of what is to be done with agents.
    public String controlQueue() {
        return "orchestrator.control." + nodeId;
    }

    /// The exchange of what could not be read.
    String deadLetterExchange() {
        return exchange + ".dlx";
    }

    /// The queue of what could not be read.
    String deadLetterQueue() {
        return exchange + ".dlq";
    }

    /// The account of the orchestrator on the broker.
    String user() {
        var login = uri.getUserInfo();
        return login == null ? "guest" : login.split(":", 2)[0];
    }

    /// The broker without the login.
    String broker() {
        return uri.getScheme()
                + "://"
                + uri.getHost()
                + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + (uri.getRawPath() == null ? "" : uri.getRawPath());
    }

    @Override
    public String toString() {
        return "MindBusConfig[" + broker() + ", " + exchange + ", " + nodeId + "]";
    }

    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.getBytes(StandardCharsets.UTF_8).length <= 200
                && text.chars().noneMatch(c -> c <= ' ');
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
