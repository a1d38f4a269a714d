package dev.artel.gateway.websocket;

import dev.artel.protocol.TaskSigner;
import dev.artel.worker.server.hub.HubLimits;
import dev.artel.worker.server.hub.HubTimes;
import java.time.Duration;
import java.util.Optional;

/// The terms of workers on WebSockets.
///
/// @param times how long is waited for heartbeats, registrations and closing handshakes
/// @param limits of connections, their messages and what waits to be sent to them
/// @param acceptWithin how long a worker may take to accept a task; then the task goes to another one
/// @param maxConnections with so many connections an upgrade is refused for now; 0: every one
/// @param maxCalls how many calls and results of all workers are worked on at once, see [CallRoom]
/// @param taskSigner signs the tasks that workers get; empty: they are not signed
public record SocketGatewayConfig(
        HubTimes times,
        HubLimits limits,
        Duration acceptWithin,
        int maxConnections,
        int maxCalls,
        Optional<TaskSigner> taskSigner) {
    /// Larger values do not travel in a message, whatever the worker wants.
    static final int MAX_INLINE_BYTES = 8 << 20;

    /// The conversation decides when a task was not accepted, and the engine how long one may take: the hub does neither.
    private static final Duration NOT_OF_THE_HUB = Duration.ofDays(3650);

    private static final int QUEUED_BYTES = 64 << 20;

    /// Heartbeats every 15 s, dead after 180 s of silence, registration within 10 s, tasks accepted within 5 s; 20,000
    /// connections, messages of 4 MiB, 1,000 messages or 64 MiB that wait to be sent, 2,000 calls and results at once.
    public static final SocketGatewayConfig DEFAULTS =
            new SocketGatewayConfig(
                    HubTimes.DEFAULTS,
                    HubLimits.DEFAULTS.withMaxConnections(20_000).withQueue(1_000, QUEUED_BYTES),
                    Duration.ofSeconds(5),
                    20_000,
                    2_000,
                    Optional.empty());

    /// Refuses terms with which nothing works.
    public SocketGatewayConfig {
        if (!acceptWithin.isPositive()) {
            throw new IllegalArgumentException(
                    "the time to accept a task must be positive, was " + acceptWithin);
        }
        if (maxConnections < 0) {
            throw new IllegalArgumentException("at least 0 connections, was " + maxConnections);
        }
        if (maxCalls < CallRoom.LEAST) {
            throw new IllegalArgumentException(
                    "at least " + CallRoom.LEAST + " calls at once, was " + maxCalls);
        }
        times = times.withRequests(NOT_OF_THE_HUB, NOT_OF_THE_HUB, 1);
    }

    /// These terms with other times.
    public SocketGatewayConfig withTimes(HubTimes other) {
        return new SocketGatewayConfig(
                other, limits, acceptWithin, maxConnections, maxCalls, taskSigner);
    }

    /// These terms with other limits.
    public SocketGatewayConfig withLimits(HubLimits other) {
        return new SocketGatewayConfig(
                times, other, acceptWithin, maxConnections, maxCalls, taskSigner);
    }

    /// These terms with another bound of connections; 0: none are taken.
    public SocketGatewayConfig withMaxConnections(int connections) {
        return new SocketGatewayConfig(
                times,
                limits.withMaxConnections(Math.max(1, connections)),
                acceptWithin,
                connections,
                maxCalls,
                taskSigner);
    }

    /// These terms with another number of calls and results that are worked on at once.
    public SocketGatewayConfig withMaxCalls(int other) {
        return new SocketGatewayConfig(
                times, limits, acceptWithin, maxConnections, other, taskSigner);
    }

    /// These terms with another time to accept a task.
    public SocketGatewayConfig withAcceptWithin(Duration other) {
        return new SocketGatewayConfig(times, limits, other, maxConnections, maxCalls, taskSigner);
    }

    /// These terms with tasks that are signed.
    public SocketGatewayConfig withTaskSigner(Optional<TaskSigner> other) {
        return new SocketGatewayConfig(
                times, limits, acceptWithin, maxConnections, maxCalls, other);
    }
}
