package dev.artel.e2e.fuzz;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.artel.config.AccessSettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.ZeroMqSettings;
import dev.artel.server.ArtelNode;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.session.SessionSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// A process with an orchestrator on all wires, whose default limits of rates are off, so that frames get far. It prints where it listens, answers each
/// line by its [HeldByServer], and ends when its input does. What it logs goes to the standard error.
final class FuzzedServer {
    private static final Pattern THREADS = Pattern.compile("\"threadCount\": \"(\\d+)\"");

    private FuzzedServer() {}

    /// Arguments: the folder for its data, which has `workers.toml`.
    public static void main(String[] args) throws IOException {
        var out = System.out;
        // Whatever else prints must not come between the answers.
        System.setOut(System.err);
        var folder = Path.of(args[0]);
        var node = ArtelNode.start(config(folder), SampleBlueprints.all());
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
            answer(folder, out);
        }
    }

    private static ServerConfig config(Path folder) {
        var zeroMq = ZeroMqSettings.DEFAULTS.withEnabled(true).withFreePorts();
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

    private static void answer(Path folder, PrintStream out) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            out.println(vitals(folder).write());
        }
    }

    private static HeldByServer vitals(Path folder) {
        System.gc();
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var names = new TreeSet<String>();
        for (var thread : Thread.getAllStackTraces().keySet()) {
            names.add(thread.getName().replace(' ', '_'));
        }
        return new HeldByServer(
                heap, system.getOpenFileDescriptorCount(), threads(folder), List.copyOf(names));
    }

    /// How many threads there are, the virtual ones included.
    private static long threads(Path folder) {
        var dump = folder.resolve("threads.json");
        try {
            Files.deleteIfExists(dump);
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(
                            dump.toAbsolutePath().toString(),
                            HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
            return THREADS.matcher(Files.readString(dump))
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException("counting threads in " + dump, e);
        }
    }
}
