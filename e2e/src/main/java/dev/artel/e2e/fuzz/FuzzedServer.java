package dev.artel.e2e.fuzz;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.artel.config.AccessSettings;
import dev.artel.config.MindBusSettings;
import dev.artel.config.RedisSettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.ZeroMqSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.gateway.access.NamePatterns;
import dev.artel.gateway.mindbus.BusDoor;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.session.SessionSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/// A process with an orchestrator on all wires, whose default limits of rates are off, so that frames get far. It prints where it listens, answers each
/// line by its [HeldByServer], and ends when its input does. What it logs goes to the standard error.
final class FuzzedServer {
    /// The blueprint of jobs whose tasks hostile workers get.
    static final String PREY = "prey";

    private static final int PREY_TASKS = 500;

    private FuzzedServer() {}

    /// Arguments: the folder for its data, which has its files of tokens; the word of the wire; the address of the wire's broker, which is empty if it has none.
    public static void main(String[] args) throws IOException {
        var out = System.out;
        // Whatever else prints must not come between the answers.
        System.setOut(System.err);
        var folder = Path.of(args[0]);
        var node = ArtelNode.start(config(folder, FuzzedWire.of(args[1]), args[2]), blueprints());
        try (node) {
            var ports = node.zeroMqPorts().orElseThrow();
            out.println(
                    node.port()
                            + " "
                            + node.clientToken()
                            + " "
                            + ports.registration()
                            + " "
                            + ports.tasks()
                            + " "
                            + ports.results());
            answer(out);
        }
    }

    /// With the tasks that hostile workers get: very many, of a job with a budget, so that what they claim to have spent is counted.
    private static Blueprints blueprints() {
        var prey =
                Blueprint.named(PREY)
                        .budget(Budget.ofUsd("1000.00").withTokens(1_000_000_000))
                        .start(
                                "spread",
                                _ ->
                                        Action.dispatchParallel(
                                                Collections.nCopies(
                                                        PREY_TASKS,
                                                        TaskSpec.of("noop", JsonObject.EMPTY)),
                                                "over"))
                        .leadingTo("over")
                        .end("over")
                        .build();
        return Blueprints.of(SampleBlueprints.echo(), prey);
    }

    private static ServerConfig config(Path folder, FuzzedWire wire, String broker) {
        var config = config(folder);
        var ingress = config.ingress();
        return switch (wire) {
            case HTTP, WS, ZEROMQ -> config;
            case RABBITMQ ->
                    config.withIngress(
                            ingress.withMindBus(
                                    MindBusSettings.DEFAULTS
                                            .withUri(URI.create(broker))
                                            .withLease(Duration.ofSeconds(5))
                                            .withAgents(
                                                    MindBusSettings.AgentLimits.DEFAULTS
                                                            .withBreakerFailures(0)
                                                            .withCommandsPerSecond(0))
                                            .withDoor(new BusDoor(NamePatterns.ALL, true))));
            case REDIS ->
                    config.withIngress(
                            ingress.withRedis(RedisSettings.DEFAULTS.withUri(URI.create(broker))));
        };
    }

    private static ServerConfig config(Path folder) {
        // The hostile workers have tokens of their own, and connect under names to get far.
        var zeroMq = ZeroMqSettings.DEFAULTS.withEnabled(true).withFreePorts().withPlainNames(true);
        var rates = new AccessSettings.Rates(0, 0, 0, 0, 512 << 20, 100_000);
        return ServerConfig.DEFAULTS
                .withPort(0)
                .withData(folder)
                .withSession(
                        new SessionSettings(
                                Duration.ofSeconds(5),
                                Duration.ofMillis(100),
                                Duration.ofSeconds(6),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(5),
                                SessionSettings.Limits.DEFAULTS))
                .withIngress(
                        ServerConfig.DEFAULTS
                                .ingress()
                                .withZeroMq(zeroMq)
                                .withAccess(AccessSettings.DEFAULTS.withRates(rates)));
    }

    private static void answer(PrintStream out) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            out.println(vitals().write());
        }
    }

    private static HeldByServer vitals() {
        System.gc();
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var names = new TreeSet<String>();
        for (var thread : Thread.getAllStackTraces().keySet()) {
            names.add(thread.getName().replace(' ', '_'));
        }
        return new HeldByServer(
                heap, system.getOpenFileDescriptorCount(), threads(), List.copyOf(names));
    }

    /// How many threads there are, the virtual ones included. A dump of them would state it, but looks at their stacks as well, by which JDK 25.0.3 crashed
    /// (SIGSEGV in `stackChunkOopDesc::sender`, below `ThreadSnapshot.create`): so the containers of the JDK are asked, which [ServerUnderFuzz] exports.
    private static long threads() {
        try {
            var containers = Class.forName("jdk.internal.vm.ThreadContainers");
            return threads(containers.getMethod("root").invoke(null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("counting threads; another JDK?", e);
        }
    }

    private static long threads(Object container) throws ReflectiveOperationException {
        var type = Class.forName("jdk.internal.vm.ThreadContainer");
        var count = ((Stream<?>) type.getMethod("threads").invoke(container)).count();
        for (var inside : ((Stream<?>) type.getMethod("children").invoke(container)).toList()) {
            count += threads(inside);
        }
        return count;
    }
}
