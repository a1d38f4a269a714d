package dev.artel.config;

import dev.artel.gateway.mindbus.MindBusConfig;
import dev.artel.gateway.mindbus.MindBusConfig.BusTiming;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The RabbitMQ whose agents are served, and how.
///
/// @param uri such as `amqp://user:password@localhost:5672/%2f`, with `amqps` for TLS; empty: none
/// @param exchange the topic exchange of the agents
/// @param nodeId names the queues of this orchestrator
/// @param nodes the capabilities of agents that were never heard to register
/// @param lease after how much silence an agent is gone whose passport names no lease
/// @param maxMessageBytes how many bytes a message may have
public record MindBusSettings(
        Optional<URI> uri,
        String exchange,
        String nodeId,
        SequencedMap<String, List<String>> nodes,
        Duration lease,
        int maxMessageBytes) {
    /// None; otherwise as [MindBusConfig#at].
    public static final MindBusSettings DEFAULTS =
            new MindBusSettings(
                    Optional.empty(),
                    MindBusConfig.EXCHANGE,
                    MindBusConfig.NODE_ID,
                    new LinkedHashMap<>(),
                    BusTiming.DEFAULTS.lease(),
                    MindBusConfig.MAX_MESSAGE_BYTES);

    /// Copies `nodes`.
    public MindBusSettings {
        nodes = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(nodes));
    }

    /// How agents are served; empty: they are not.
    ///
    /// @throws IllegalArgumentException if a setting cannot be used
    public Optional<MindBusConfig> bus() {
        var timing =
                new BusTiming(
                        lease, BusTiming.DEFAULTS.confirmWithin(), BusTiming.DEFAULTS.reconnect());
        return uri.map(at ->
                MindBusConfig.at(at)
                        .withExchange(exchange)
                        .withNodeId(nodeId)
                        .withSeeds(nodes)
                        .withTerms(timing)
                        .withMaxMessageBytes(maxMessageBytes));
    }

    /// These settings for another broker.
    public MindBusSettings withUri(URI other) {
        return new MindBusSettings(
                Optional.of(other), exchange, nodeId, nodes, lease, maxMessageBytes);
    }

    /// These settings with another exchange.
    public MindBusSettings withExchange(String other) {
        return new MindBusSettings(uri, other, nodeId, nodes, lease, maxMessageBytes);
    }

    /// These settings under another name.
    public MindBusSettings withNodeId(String other) {
        return new MindBusSettings(uri, exchange, other, nodes, lease, maxMessageBytes);
    }

    /// These settings with another default lease.
    public MindBusSettings withLease(Duration other) {
        return new MindBusSettings(uri, exchange, nodeId, nodes, other, maxMessageBytes);
    }

    /// These settings with messages of at most `bytes`.
    public MindBusSettings withMaxMessageBytes(int bytes) {
        return new MindBusSettings(uri, exchange, nodeId, nodes, lease, bytes);
    }

    /// These settings with other known agents.
    ///
    /// @param text `agent.a=echo,generate; agent.b=write`
    /// @throws IllegalArgumentException if it has another form
    public MindBusSettings withNodes(String text) {
        var read = new LinkedHashMap<String, List<String>>();
        for (var entry : text.split(";", -1)) {
            if (entry.isBlank()) {
                continue;
            }
            var parts = entry.split("=", 2);
            var name = parts[0].strip();
            var capabilities = new LinkedHashSet<String>();
            for (var capability : parts.length < 2 ? new String[0] : parts[1].split(",", -1)) {
                if (!capability.isBlank()) {
                    capabilities.add(capability.strip());
                }
            }
            if (name.isEmpty() || capabilities.isEmpty()) {
                throw new IllegalArgumentException(
                        "must be agent=capability,capability; agent=..., was '"
                                + text.strip()
                                + "'");
            }
            read.put(name, List.copyOf(capabilities));
        }
        return new MindBusSettings(uri, exchange, nodeId, read, lease, maxMessageBytes);
    }

    @Override
    public String toString() {
        return "MindBusSettings[" + exchange + ", " + nodeId + ", " + nodes + "]";
    }
}
