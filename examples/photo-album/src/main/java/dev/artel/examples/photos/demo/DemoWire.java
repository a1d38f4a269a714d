package dev.artel.examples.photos.demo;

import dev.artel.config.ServerConfig;
import dev.artel.config.ZeroMqSettings;
import dev.artel.server.ArtelNode;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How the workers of the demo are connected.
public enum DemoWire {
    /// They poll.
    HTTP,
    /// Tasks are pushed to them over WebSockets.
    WEBSOCKET,
    /// Tasks are pushed to them over ZeroMQ.
    ZEROMQ,
    /// Each has another one of those.
    MIXED;

    private static final List<DemoWire> ALL = List.of(HTTP, WEBSOCKET, ZEROMQ);

    /// The wire of this name.
    ///
    /// @throws CannotRun if there is none
    static DemoWire of(String name) {
        for (var wire : values()) {
            if (wire.word().equals(name)) {
                return wire;
            }
        }
        var words = Arrays.stream(values()).map(DemoWire::word).collect(Collectors.joining(", "));
        throw new CannotRun("--wire is one of " + words + ", was " + name, null);
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The settings of an orchestrator that serves them.
    ServerConfig servedBy(ServerConfig config) {
        if (this != ZEROMQ && this != MIXED) {
            return config;
        }
        var settings = ZeroMqSettings.DEFAULTS.withEnabled(true).withFreePorts();
        return config.withIngress(config.ingress().withZeroMq(settings));
    }

    /// The wire of the worker with a number, from 0.
    DemoWire ofWorker(int number) {
        return this == MIXED ? ALL.get(number % ALL.size()) : this;
    }

    /// Where the workers find their orchestrator, worker by worker.
    List<URI> addresses(ArtelNode node, int workers) {
        return IntStream.range(0, workers)
                .mapToObj(number -> ofWorker(number).address(node))
                .toList();
    }

    private URI address(ArtelNode node) {
        return switch (this) {
            case HTTP, MIXED -> node.uri();
            case WEBSOCKET -> URI.create(node.uri().toString().replaceFirst("^http", "ws"));
            case ZEROMQ -> {
                var ports = node.zeroMqPorts().orElseThrow();
                yield URI.create(
                        "zmq://127.0.0.1:%d?tasks=%d&results=%d"
                                .formatted(ports.registration(), ports.tasks(), ports.results()));
            }
        };
    }
}
