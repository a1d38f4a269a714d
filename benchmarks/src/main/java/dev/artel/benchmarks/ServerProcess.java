package dev.artel.benchmarks;

import dev.artel.config.ServerConfig;
import dev.artel.server.ArtelNode;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A process with a server on a store of its own; it prints its port and its tokens.
final class ServerProcess {
    /// What `./artel up` gives the JVM.
    static final List<String> OPTIONS =
            List.of(
                    "-XX:+UseCompactObjectHeaders",
                    "-XX:+UseSerialGC",
                    "-Xms64m",
                    "-XX:NewSize=32m",
                    "-XX:MinHeapFreeRatio=20",
                    "-XX:MaxHeapFreeRatio=40");

    private ServerProcess() {}

    public static void main(String[] args) throws IOException {
        var parent = Files.createDirectories(Path.of("target", "bench"));
        var folder = Files.createTempDirectory(parent, "server-");
        var blueprints = SampleBlueprints.all();
        Chains.both().forEach(blueprints::register);
        var heap = new HeapPeak();
        try (var node =
                ArtelNode.start(ServerConfig.DEFAULTS.withPort(0).withData(folder), blueprints)) {
            ChildProtocol.send(node.port() + " " + node.clientToken() + " " + node.workerToken());
            ChildProtocol.untilEnd(
                    line -> Long.toString(line.equals("reset") ? heap.reset() : heap.peak()));
        }
    }
}
