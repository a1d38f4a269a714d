package dev.artel.benchmarks;

import dev.artel.config.MindBusSettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.ZeroMqSettings;
import dev.artel.gateway.zeromq.ZeroMqConfig;
import dev.artel.server.ArtelNode;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryObjectStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// A process with a server on a store of its own; it prints its port and its tokens, and its ports of ZeroMQ if it has some.
final class ServerProcess {
    /// Serves workers on ZeroMQ, on free ports.
    static final String ZEROMQ = "zeromq";

    /// Keeps everything in memory, so that what is measured is not the disk.
    static final String IN_MEMORY = "in-memory";

    /// Serves agents on the RabbitMQ that the next argument names, over the exchange that the one after it names.
    static final String MINDBUS = "mindbus";

    /// What `./artel up` gives the JVM.
    static final List<String> OPTIONS =
            List.of(
                    "-XX:+UseCompactObjectHeaders",
                    "-XX:+UseSerialGC",
                    "-Xms192m",
                    "-XX:NewSize=96m",
                    "-XX:MinHeapFreeRatio=20",
                    "-XX:MaxHeapFreeRatio=40");

    private ServerProcess() {}

    /// Arguments: any of [#ZEROMQ], [#IN_MEMORY] and [#MINDBUS].
    public static void main(String[] args) throws IOException {
        var arguments = List.of(args);
        try (var folder = TemporaryFolder.create("server-")) {
            serve(arguments, folder.path());
        }
    }

    /// Until its input ends.
    private static void serve(List<String> arguments, Path folder) throws IOException {
        var zeroMq =
                ZeroMqSettings.DEFAULTS.withEnabled(arguments.contains(ZEROMQ)).withFreePorts();
        var config =
                ServerConfig.DEFAULTS
                        .withPort(0)
                        .withData(folder)
                        .withIngress(
                                ServerConfig.DEFAULTS
                                        .ingress()
                                        .withZeroMq(zeroMq)
                                        .withMindBus(mindBus(arguments)));
        var heap = new HeapPeak();
        try (var node = start(config, arguments.contains(IN_MEMORY))) {
            ChildProtocol.send(
                    node.port()
                            + " "
                            + node.clientToken()
                            + " "
                            + node.workerToken()
                            + ports(node));
            ChildProtocol.untilEnd(
                    line -> Long.toString(line.equals("reset") ? heap.reset() : heap.peak()));
        }
    }

    private static MindBusSettings mindBus(List<String> arguments) {
        var at = arguments.indexOf(MINDBUS);
        return at < 0
                ? MindBusSettings.DEFAULTS
                : MindBusSettings.DEFAULTS
                        .withUri(URI.create(arguments.get(at + 1)))
                        .withExchange(arguments.get(at + 2));
    }

    private static ArtelNode start(ServerConfig config, boolean isInMemory) {
        var blueprints = SampleBlueprints.all();
        Chains.both().forEach(blueprints::register);
        blueprints.register(PacedLoad.blueprint());
        blueprints.register(PageBenchmark.blueprint());
        if (!isInMemory) {
            return ArtelNode.start(config, blueprints);
        }
        var objects = new InMemoryObjectStore(InstantSource.system());
        var storage =
                new Storage(
                        new InMemoryEventStore(),
                        new StoredPayloads(objects, Long.MAX_VALUE),
                        Optional.of(objects),
                        new InMemoryFleet(),
                        new InMemoryKeyValueStore());
        return ArtelNode.start(config, blueprints, storage);
    }

    private static String ports(ArtelNode node) {
        return node.zeroMqPorts().map(ServerProcess::ports).orElse("");
    }

    private static String ports(ZeroMqConfig.Ports ports) {
        return " " + ports.registration() + " " + ports.tasks() + " " + ports.results();
    }
}
