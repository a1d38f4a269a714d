package dev.artel.gateway.zeromq;

import java.time.Duration;
import java.util.Optional;

/// How an orchestrator serves workers on ZeroMQ.
///
/// @param host the address to listen on
/// @param ports where its sockets are
/// @param terms how often workers are to be heard of
/// @param maxMessageBytes how many bytes a message may have with its attachments; a single frame that is larger by 24 MiB ends the connection
/// @param maxConnections how many connections are open to the three sockets together; more are closed at once
/// @param curve how connections are encrypted; empty: they are not
/// @param plainNames which workers may have their names as the identities of their sockets
public record ZeroMqConfig(
        String host,
        Ports ports,
        PushTiming terms,
        int maxMessageBytes,
        int maxConnections,
        Optional<CurveKeys> curve,
        PlainNames plainNames) {
    /// Loopback, ports 5555 to 5557, messages of 8 MiB, 60,000 connections, no encryption.
    public static final ZeroMqConfig DEFAULTS =
            new ZeroMqConfig(
                    "127.0.0.1",
                    Ports.DEFAULTS,
                    PushTiming.DEFAULTS,
                    8 << 20,
                    60_000,
                    Optional.empty(),
                    PlainNames.OF_SHARED_TOKENS);

    private static final int MOST = 65_535;

    /// Which workers may have their names as the identities of their sockets: all who reach the ports can take the place of such a worker.
    public enum PlainNames {
        /// All of them.
        ALL,
        /// Those without a token of their own.
        OF_SHARED_TOKENS,
        /// None.
        NONE
    }

    /// The ports of the sockets; 0: any free one.
    public record Ports(int registration, int tasks, int results) {
        /// 5555, 5556 and 5557.
        public static final Ports DEFAULTS = new Ports(5555, 5556, 5557);

        /// Any free ones.
        public static final Ports FREE = new Ports(0, 0, 0);

        /// Refuses what is no port.
        public Ports {
            checkPort("zeromq.registration-port", registration);
            checkPort("zeromq.tasks-port", tasks);
            checkPort("zeromq.results-port", results);
        }

        private static void checkPort(String key, int port) {
            Checks.require(
                    port >= 0 && port <= MOST, key + " must be 0 to " + MOST + ", was " + port);
        }

        int of(WirePort port) {
            return switch (port) {
                case REGISTRATION -> registration;
                case TASKS -> tasks;
                case RESULTS -> results;
            };
        }
    }

    /// What workers have to keep to.
    ///
    /// @param heartbeatInterval how often a worker sends a heartbeat
    /// @param heartbeatTimeout after how much silence it is gone
    /// @param acceptWithin how long it may take to accept a task
    public record PushTiming(
            Duration heartbeatInterval, Duration heartbeatTimeout, Duration acceptWithin) {
        /// A heartbeat each half second, three seconds of silence, two seconds to accept.
        public static final PushTiming DEFAULTS =
                new PushTiming(
                        Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofSeconds(2));

        /// Refuses terms that no worker can keep.
        public PushTiming {
            Checks.require(
                    heartbeatInterval.toMillis() >= 10,
                    "zeromq.heartbeat-interval must be at least PT0.01S, was " + heartbeatInterval);
            Checks.require(
                    heartbeatTimeout.compareTo(heartbeatInterval.multipliedBy(2)) >= 0,
                    "zeromq.heartbeat-timeout ("
                            + heartbeatTimeout
                            + ") must be at least twice zeromq.heartbeat-interval ("
                            + heartbeatInterval
                            + ")");
            Checks.require(
                    acceptWithin.isPositive(),
                    "zeromq.accept-within must be positive, was " + acceptWithin);
        }
    }

    /// Refuses limits with which nothing works.
    public ZeroMqConfig {
        Checks.require(!host.isBlank(), "zeromq.host must be an address");
        Checks.require(
                maxMessageBytes >= PushFrames.MAX_BODY + 1024,
                "zeromq.max-message-bytes must be at least "
                        + (PushFrames.MAX_BODY + 1024)
                        + ", was "
                        + maxMessageBytes);
        Checks.require(
                maxConnections >= 6,
                "zeromq.max-connections must be at least 6, was " + maxConnections);
    }

    /// These settings at another address.
    public ZeroMqConfig withHost(String other) {
        return new ZeroMqConfig(
                other, ports, terms, maxMessageBytes, maxConnections, curve, plainNames);
    }

    /// These settings on other ports.
    public ZeroMqConfig withPorts(Ports other) {
        return new ZeroMqConfig(
                host, other, terms, maxMessageBytes, maxConnections, curve, plainNames);
    }

    /// These settings with other terms.
    public ZeroMqConfig withTerms(PushTiming other) {
        return new ZeroMqConfig(
                host, ports, other, maxMessageBytes, maxConnections, curve, plainNames);
    }

    /// These settings with messages of at most `bytes`.
    public ZeroMqConfig withMaxMessageBytes(int bytes) {
        return new ZeroMqConfig(host, ports, terms, bytes, maxConnections, curve, plainNames);
    }

    /// These settings with at most so many connections.
    public ZeroMqConfig withMaxConnections(int connections) {
        return new ZeroMqConfig(
                host, ports, terms, maxMessageBytes, connections, curve, plainNames);
    }

    /// These settings with encryption.
    public ZeroMqConfig withCurve(CurveKeys keys) {
        return new ZeroMqConfig(
                host, ports, terms, maxMessageBytes, maxConnections, Optional.of(keys), plainNames);
    }

    /// These settings with other workers that may have their names as identities.
    public ZeroMqConfig withPlainNames(PlainNames other) {
        return new ZeroMqConfig(host, ports, terms, maxMessageBytes, maxConnections, curve, other);
    }

    /// Beside the constants: a part that is made first must not have them made without it.
    private static final class Checks {
        private Checks() {}

        static void require(boolean holds, String message) {
            if (!holds) {
                throw new IllegalArgumentException(message);
            }
        }
    }
}
