package dev.artel.config;

import dev.artel.gateway.mindbus.BusDoor;
import dev.artel.gateway.mindbus.MindBusConfig;
import dev.artel.gateway.mindbus.MindBusConfig.BusTiming;
import dev.artel.kernel.fleet.BreakerPolicy;
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
/// @param agents what each agent may do
/// @param door who may be an agent
public record MindBusSettings(
        Optional<URI> uri,
        String exchange,
        String nodeId,
        SequencedMap<String, List<String>> nodes,
        Duration lease,
        int maxMessageBytes,
        AgentLimits agents,
        BusDoor door) {
    /// None; otherwise as [MindBusConfig#at].
    public static final MindBusSettings DEFAULTS =
            new MindBusSettings(
                    Optional.empty(),
                    MindBusConfig.EXCHANGE,
                    MindBusConfig.NODE_ID,
                    new LinkedHashMap<>(),
                    BusTiming.DEFAULTS.lease(),
                    MindBusConfig.MAX_MESSAGE_BYTES,
                    AgentLimits.DEFAULTS,
                    BusDoor.OPEN);

    /// What each agent may do.
    ///
    /// @param breakerFailures after how many failed attempts in a row it gets no tasks for a while; 0: never
    /// @param breakerPause for how long the first time
    /// @param breakerLongest for how long at most, as each time is twice as long as the one before
    /// @param commandsPerSecond how many commands it gets in a second; 0: as many as it does
    public record AgentLimits(
            int breakerFailures,
            Duration breakerPause,
            Duration breakerLongest,
            int commandsPerSecond) {
        /// As [BreakerPolicy#DEFAULTS], and 100 commands.
        public static final AgentLimits DEFAULTS =
                new AgentLimits(
                        BreakerPolicy.DEFAULTS.failures(),
                        BreakerPolicy.DEFAULTS.pause(),
                        BreakerPolicy.DEFAULTS.longest(),
                        MindBusConfig.COMMANDS_PER_SECOND);

        /// These limits with another number of failures.
        public AgentLimits withBreakerFailures(int other) {
            return new AgentLimits(other, breakerPause, breakerLongest, commandsPerSecond);
        }

        /// These limits with another first pause.
        public AgentLimits withBreakerPause(Duration other) {
            return new AgentLimits(breakerFailures, other, breakerLongest, commandsPerSecond);
        }

        /// These limits with another longest pause.
        public AgentLimits withBreakerLongest(Duration other) {
            return new AgentLimits(breakerFailures, breakerPause, other, commandsPerSecond);
        }

        /// These limits with another number of commands.
        public AgentLimits withCommandsPerSecond(int other) {
            return new AgentLimits(breakerFailures, breakerPause, breakerLongest, other);
        }

        private Optional<BreakerPolicy> breaker() {
            if (breakerFailures == 0) {
                return Optional.empty();
            }
            if (breakerLongest.compareTo(breakerPause) < 0) {
                throw new IllegalArgumentException(
                        "mindbus.breaker-longest must be at least mindbus.breaker-pause, was "
                                + breakerLongest
                                + " of "
                                + breakerPause);
            }
            return Optional.of(new BreakerPolicy(breakerFailures, breakerPause, breakerLongest));
        }
    }

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
                        .withMaxMessageBytes(maxMessageBytes)
                        .withCommandsPerSecond(agents.commandsPerSecond())
                        .withDoor(door));
    }

    /// When agents that fail are suspended; empty: never, or there are none.
    ///
    /// @throws IllegalArgumentException if a setting cannot be used
    public Optional<BreakerPolicy> breaker() {
        return uri.isEmpty() ? Optional.empty() : agents.breaker();
    }

    /// These settings with other limits of agents.
    public MindBusSettings withAgents(AgentLimits other) {
        return new MindBusSettings(
                uri, exchange, nodeId, nodes, lease, maxMessageBytes, other, door);
    }

    /// These settings with other agents.
    public MindBusSettings withDoor(BusDoor other) {
        return new MindBusSettings(
                uri, exchange, nodeId, nodes, lease, maxMessageBytes, agents, other);
    }

    /// These settings for another broker.
    public MindBusSettings withUri(URI other) {
        return new MindBusSettings(
                Optional.of(other), exchange, nodeId, nodes, lease, maxMessageBytes, agents, door);
    }

    /// These settings with another exchange.
    public MindBusSettings withExchange(String other) {
        return new MindBusSettings(uri, other, nodeId, nodes, lease, maxMessageBytes, agents, door);
    }

    /// These settings under another name.
    public MindBusSettings withNodeId(String other) {
        return new MindBusSettings(
                uri, exchange, other, nodes, lease, maxMessageBytes, agents, door);
    }

    /// These settings with another default lease.
    public MindBusSettings withLease(Duration other) {
        return new MindBusSettings(
                uri, exchange, nodeId, nodes, other, maxMessageBytes, agents, door);
    }

    /// These settings with messages of at most `bytes`.
    public MindBusSettings withMaxMessageBytes(int bytes) {
        return new MindBusSettings(uri, exchange, nodeId, nodes, lease, bytes, agents, door);
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
        return new MindBusSettings(
                uri, exchange, nodeId, read, lease, maxMessageBytes, agents, door);
    }

    @Override
    public String toString() {
        return "MindBusSettings[" + exchange + ", " + nodeId + ", " + nodes + "]";
    }
}
