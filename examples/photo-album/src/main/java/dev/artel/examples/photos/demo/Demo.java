package dev.artel.examples.photos.demo;

import dev.artel.engine.shell.Blueprints;
import dev.artel.examples.photos.job.PhotoAlbum;
import dev.artel.server.ArtelNode;
import dev.artel.server.config.ServerConfig;
import dev.artel.server.wiring.CannotStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// The demo: an orchestrator in this process, three workers in processes of their own, and a client that orders an
/// album over HTTP and kills a worker on the way.
public final class Demo implements AutoCloseable {
    private static final int USUAL_PORT = 8080;

    /// Workers of an earlier run are dead: what they held is not to wait for them.
    private static final Duration FRESH_TERM = Duration.ofSeconds(3);

    private final DemoOptions options;
    private final Screen screen;
    private final ArtelNode node;
    private final Crew crew;
    private final JobClient client;
    private final AtomicBoolean isClosing = new AtomicBoolean();

    private Demo(DemoOptions options, Screen screen, ArtelNode node) {
        this.options = options;
        this.screen = screen;
        this.node = node;
        crew =
                new Crew(
                        node.uri(),
                        node.workerToken(),
                        Crew.lease(screen.sinceBegin()),
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
        try (var demo = new Demo(options, screen, start(options, screen))) {
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

    private static ArtelNode start(DemoOptions options, Screen screen) {
        var config =
                ServerConfig.DEFAULTS
                        .withData(options.data())
                        .withPort(options.port().orElseGet(() -> usualPort(screen)))
                        .withEngine(ServerConfig.DEFAULTS.engine().withFreshTerm(FRESH_TERM));
        try {
            return ArtelNode.start(config, Blueprints.of(PhotoAlbum.blueprint()));
        } catch (CannotStart refused) {
            throw new CannotRun(String.valueOf(refused.getMessage()), refused);
        }
    }

    private static int usualPort(Screen screen) {
        try (var probe = new ServerSocket(USUAL_PORT, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException taken) {
            screen.line("Port", "somebody else listens on " + USUAL_PORT + ", taking a free one");
            return 0;
        }
    }

    private boolean makeAlbum(AlbumOrder order) throws InterruptedException {
        screen.line("Orchestrator", node.uri() + ", remembers everything in " + options.data());
        crew.start().forEach((name, about) -> screen.line("Worker", name + ", " + about));
        finishEarlierJobs();
        var job = client.submit(order.title(), options.photos(), options.out());
        screen.line("Job", job + " of blueprint " + PhotoAlbum.NAME);
        screen.line("");
        var watch = new JobWatch(client, job, crew, screen);
        watch.untilEnd(new Sabotage(crew, screen));
        var isComplete = order.report(client.job(job), watch, screen);
        if (!options.exits()) {
            serve(job);
        }
        return isComplete;
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
        var header = "'X-Client-Token: " + node.clientToken() + "'";
        screen.line("");
        screen.line("Still serving until Ctrl-C:");
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
