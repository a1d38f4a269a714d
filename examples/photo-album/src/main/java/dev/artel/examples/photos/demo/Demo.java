package dev.artel.examples.photos.demo;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.examples.photos.PhotoTypes;
import dev.artel.examples.photos.job.PhotoAlbum;
import dev.artel.server.ArtelNode;
import dev.artel.server.wiring.StartupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// The demo: an orchestrator in this process, three workers in processes of their own, and a client that orders an
/// album over HTTP and kills a worker on the way.
public final class Demo implements AutoCloseable {
    private static final int DEFAULT_PORT = 8080;

    private final DemoOptions options;
    private final Screen screen;
    private final ArtelNode node;
    private final WorkerProcesses crew;
    private final JobClient client;
    private final AtomicBoolean isClosing = new AtomicBoolean();

    private Demo(DemoOptions options, Screen screen, ArtelNode node, Duration lease) {
        this.options = options;
        this.screen = screen;
        this.node = node;
        crew =
                new WorkerProcesses(
                        options.wire().addresses(node, WorkerProcesses.COUNT),
                        node.workerToken(),
                        lease,
                        options.data().resolve("logs"));
        client = new JobClient(node.uri(), node.clientToken());
    }

    /// Makes the album. Without `--exit` it then serves until the process is ended.
    ///
    /// @return whether the album is complete
    /// @throws CannotRun if a person has to change something first
    public static boolean run(DemoOptions options, Screen screen) throws InterruptedException {
        var pictures = options.pictures();
        System.setProperty("artel.demo.log", options.data().resolve("logs/demo.log").toString());
        System.setProperty(
                "logback.configurationFile", "dev/artel/examples/photos/demo/logback.xml");
        screen.line("Artel photo album");
        screen.line("");
        screen.line("Photographs", pictures.size() + " in " + options.photos());
        var lease = WorkerProcesses.lease(load());
        try (var demo = new Demo(options, screen, start(options, screen, lease), lease)) {
            var hook = Thread.ofPlatform().name("artel-demo-end").unstarted(demo::close);
            Runtime.getRuntime().addShutdownHook(hook);
            try {
                return demo.makeAlbum(new AlbumOrder(options, pictures));
            } catch (UncheckedIOException | IllegalStateException broken) {
                if (demo.isClosing.get()) {
                    return false;
                }
                throw broken;
            }
        }
    }

    /// Workers of an earlier run are dead: what they held waits no longer than what these hold.
    private static ArtelNode start(DemoOptions options, Screen screen, Duration lease) {
        var config =
                ServerConfig.DEFAULTS
                        .withData(options.data())
                        .withPort(port(options, screen))
                        .withEngine(ServerConfig.DEFAULTS.engine().withFreshTerm(lease));
        try {
            return ArtelNode.start(
                    options.wire().servedBy(config), Blueprints.of(PhotoAlbum.blueprint()));
        } catch (StartupException refused) {
            throw new CannotRun(String.valueOf(refused.getMessage()), refused);
        }
    }

    private static double load() {
        var machine = ManagementFactory.getOperatingSystemMXBean();
        return machine.getSystemLoadAverage() / machine.getAvailableProcessors();
    }

    private static int port(DemoOptions options, Screen screen) {
        var wanted = options.port().orElse(DEFAULT_PORT);
        try (var probe = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return wanted == 0 ? 0 : probe.getLocalPort();
        } catch (IOException taken) {
            if (options.port().isPresent()) {
                throw new CannotRun(
                        "cannot listen on port "
                                + wanted
                                + " ("
                                + taken.getMessage()
                                + "); stop the program that does, or choose another --port, 0 for any"
                                + " that is free",
                        taken);
            }
            screen.line("Port", wanted + " is taken by another program, so a free one is used");
            return 0;
        }
    }

    private boolean makeAlbum(AlbumOrder order) throws InterruptedException {
        screen.line("Orchestrator", node.uri() + ", remembers everything in " + options.data());
        showDashboard();
        crew.start().forEach((name, about) -> screen.line("Worker", name + ", " + about));
        finishEarlierJobs();
        var job = client.submit(order.title(), options.photos(), options.out());
        screen.line("Job", job + " of blueprint " + PhotoTypes.PHOTO_ALBUM);
        screen.line("");
        var watch = new JobWatch(client, job, crew, screen);
        watch.untilEnd(new Sabotage(crew, screen));
        var isComplete = order.report(client.job(job), watch, screen);
        if (!options.exits()) {
            serve(job);
        }
        return isComplete;
    }

    private void showDashboard() {
        var link = node.dashboardLink().orElseGet(node::dashboard).toString();
        screen.line("Dashboard", link);
        if (options.opensBrowser()) {
            var _ = DemoBrowser.open(link);
        }
    }

    /// Jobs of a run that was ended in their middle.
    private void finishEarlierJobs() throws InterruptedException {
        for (var job : client.unfinished()) {
            screen.line("Earlier job", job + " was left unfinished, so it goes first");
            var watch = new JobWatch(client, job, crew, screen);
            watch.untilEnd(null);
            var status = client.job(job).string("status").orElse("unknown");
            screen.line("Earlier job", status);
        }
    }

    private void serve(String job) throws InterruptedException {
        var header =
                "\"Authorization: Bearer $(./artel token show client --data '"
                        + options.data().toAbsolutePath()
                        + "')\"";
        screen.line("");
        screen.line("Still serving until Ctrl-C:");
        screen.line("Dashboard", node.dashboardLink().orElseGet(node::dashboard).toString());
        screen.line("API", node.uri() + "/api/v1/jobs");
        screen.line("This job", "curl -H " + header + " " + node.uri() + "/api/v1/jobs/" + job);
        screen.line("Metrics", node.uri() + "/metrics");
        screen.line("Logs", options.data().resolve("logs").toString());
        new CountDownLatch(1).await();
    }

    /// Ends the workers, then the orchestrator. A second call does nothing.
    @Override
    public void close() {
        if (isClosing.compareAndSet(false, true)) {
            client.close();
            crew.close();
            node.close();
        }
    }
}
