package dev.artel.config;

import dev.artel.gateway.zeromq.CurveKeys;
import dev.artel.gateway.zeromq.ZeroMqConfig;
import dev.artel.gateway.zeromq.ZeroMqConfig.PlainNames;
import dev.artel.gateway.zeromq.ZeroMqConfig.Ports;
import dev.artel.gateway.zeromq.ZeroMqConfig.PushTiming;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Whether workers are served over ZeroMQ, and how. What belongs together may come one after the other: only [#sockets] is
/// checked.
///
/// @param isEnabled whether they are served at all
/// @param heartbeatInterval how often they send a heartbeat
/// @param heartbeatTimeout after how much silence one is gone
/// @param acceptWithin how long one may take to accept a task
/// @param maxMessageBytes how many bytes a message may have
/// @param maxConnections how many connections are open to the three sockets together
/// @param curve the keys of encryption
/// @param plainNames whether the identity of a socket may be the name of its worker; empty: on loopback alone, and there not that of a worker with a token of its own
public record ZeroMqSettings(
        boolean isEnabled,
        String host,
        Ports ports,
        Duration heartbeatInterval,
        Duration heartbeatTimeout,
        Duration acceptWithin,
        int maxMessageBytes,
        int maxConnections,
        Curve curve,
        Optional<Boolean> plainNames) {
    /// Not served; otherwise as [ZeroMqConfig#DEFAULTS].
    public static final ZeroMqSettings DEFAULTS =
            new ZeroMqSettings(
                    false,
                    ZeroMqConfig.DEFAULTS.host(),
                    Ports.DEFAULTS,
                    PushTiming.DEFAULTS.heartbeatInterval(),
                    PushTiming.DEFAULTS.heartbeatTimeout(),
                    PushTiming.DEFAULTS.acceptWithin(),
                    ZeroMqConfig.DEFAULTS.maxMessageBytes(),
                    ZeroMqConfig.DEFAULTS.maxConnections(),
                    Curve.NONE,
                    Optional.empty());

    /// Keys of CURVE, as far as they are set.
    ///
    /// @param publicKey of the orchestrator
    /// @param secretKey of the orchestrator
    /// @param clients the file with the public keys of workers; empty: any worker that knows the public key
    public record Curve(
            Optional<String> publicKey, Optional<Secret> secretKey, Optional<Path> clients) {
        /// No encryption.
        public static final Curve NONE =
                new Curve(Optional.empty(), Optional.empty(), Optional.empty());
    }

    private PlainNames plainIdentities() {
        return plainNames
                .map(all -> all ? PlainNames.ALL : PlainNames.NONE)
                .orElseGet(() ->
                        HttpSettings.isLoopback(host)
                                ? PlainNames.OF_SHARED_TOKENS
                                : PlainNames.NONE);
    }

    /// How they are served.
    ///
    /// @throws IllegalArgumentException if settings do not go together
    public ZeroMqConfig sockets() {
        var sockets =
                new ZeroMqConfig(
                        host,
                        ports,
                        new PushTiming(heartbeatInterval, heartbeatTimeout, acceptWithin),
                        maxMessageBytes,
                        maxConnections,
                        Optional.empty(),
                        plainIdentities());
        var isWhole = curve.publicKey().isPresent() && curve.secretKey().isPresent();
        if (!isWhole && !curve.equals(Curve.NONE)) {
            throw new IllegalArgumentException(
                    "zeromq.curve-public-key and zeromq.curve-secret-key are both needed for encryption, one is missing");
        }
        return isWhole
                ? sockets.withCurve(
                        new CurveKeys(
                                curve.publicKey().get(),
                                curve.secretKey().get().value(),
                                curve.clients()))
                : sockets;
    }

    /// Whether other machines reach the sockets, and nothing is encrypted.
    public boolean isPlainForOthers() {
        return isEnabled && curve.equals(Curve.NONE) && !HttpSettings.isLoopback(host);
    }

    /// Whether other machines reach the sockets, and every key is let in.
    public boolean isOpenToAllKeys() {
        return isEnabled
                && !curve.equals(Curve.NONE)
                && curve.clients().isEmpty()
                && !HttpSettings.isLoopback(host);
    }

    /// These settings, switched on or off.
    public ZeroMqSettings withEnabled(boolean other) {
        return new ZeroMqSettings(
                other,
                host,
                ports,
                heartbeatInterval,
                heartbeatTimeout,
                acceptWithin,
                maxMessageBytes,
                maxConnections,
                curve,
                plainNames);
    }

    /// These settings at another address.
    public ZeroMqSettings withHost(String other) {
        return new ZeroMqSettings(
                isEnabled,
                other,
                ports,
                heartbeatInterval,
                heartbeatTimeout,
                acceptWithin,
                maxMessageBytes,
                maxConnections,
                curve,
                plainNames);
    }

    /// These settings with any free ports.
    public ZeroMqSettings withFreePorts() {
        return withPorts(Ports.FREE);
    }

    /// These settings on other ports.
    public ZeroMqSettings withPorts(Ports other) {
        return new ZeroMqSettings(
                isEnabled,
                host,
                other,
                heartbeatInterval,
                heartbeatTimeout,
                acceptWithin,
                maxMessageBytes,
                maxConnections,
                curve,
                plainNames);
    }

    /// These settings with other terms.
    public ZeroMqSettings withTerms(Duration interval, Duration timeout, Duration accept) {
        return new ZeroMqSettings(
                isEnabled,
                host,
                ports,
                interval,
                timeout,
                accept,
                maxMessageBytes,
                maxConnections,
                curve,
                plainNames);
    }

    /// These settings with messages of at most `bytes`.
    public ZeroMqSettings withMaxMessageBytes(int bytes) {
        return new ZeroMqSettings(
                isEnabled,
                host,
                ports,
                heartbeatInterval,
                heartbeatTimeout,
                acceptWithin,
                bytes,
                maxConnections,
                curve,
                plainNames);
    }

    /// These settings with at most so many connections.
    public ZeroMqSettings withMaxConnections(int connections) {
        return new ZeroMqSettings(
                isEnabled,
                host,
                ports,
                heartbeatInterval,
                heartbeatTimeout,
                acceptWithin,
                maxMessageBytes,
                connections,
                curve,
                plainNames);
    }

    /// These settings with other keys.
    public ZeroMqSettings withCurve(Curve other) {
        return new ZeroMqSettings(
                isEnabled,
                host,
                ports,
                heartbeatInterval,
                heartbeatTimeout,
                acceptWithin,
                maxMessageBytes,
                maxConnections,
                other,
                plainNames);
    }

    /// These settings with identities that are names, or without.
    public ZeroMqSettings withPlainNames(boolean yes) {
        return new ZeroMqSettings(
                isEnabled,
                host,
                ports,
                heartbeatInterval,
                heartbeatTimeout,
                acceptWithin,
                maxMessageBytes,
                maxConnections,
                curve,
                Optional.of(yes));
    }
}
