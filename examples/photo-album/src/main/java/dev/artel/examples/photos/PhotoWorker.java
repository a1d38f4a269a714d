package dev.artel.examples.photos;

import dev.artel.worker.Worker;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The program of a photo worker: registers with an orchestrator and does its tasks until it receives a signal to end.
public final class PhotoWorker {
    private static final Logger LOG = LoggerFactory.getLogger(PhotoWorker.class);

    private PhotoWorker() {}

    /// Runs until SIGTERM, then ends the running tasks. Exits with 2 if the command line is wrong.
    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty("java.awt.headless", "true");
        if (List.of(arguments).contains("--help")) {
            System.out.print(WorkerOptions.USAGE);
            return;
        }
        try {
            run(WorkerOptions.of(List.of(arguments), System.getenv()));
        } catch (IllegalArgumentException wrong) {
            System.err.println("photo worker: " + wrong.getMessage());
            System.err.print(WorkerOptions.USAGE);
            System.exit(2);
        }
    }

    private static void run(WorkerOptions options) throws InterruptedException {
        if (options.endsWithInput()) {
            Thread.ofPlatform().name("input").daemon().start(PhotoWorker::endWithInput);
        }
        try (var worker = worker(options)) {
            worker.start();
            worker.awaitStopped();
        }
    }

    /// Leaves its tasks to others: the process that started this one is gone, and perhaps the orchestrator with it.
    private static void endWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException broken) {
            LOG.atDebug().setCause(broken).log("the standard input is broken, which is an end too");
        }
        Runtime.getRuntime().halt(0);
    }

    /// A worker as the options set it, not yet started.
    static Worker worker(WorkerOptions options) {
        var tasks =
                new PhotoTasks(options.name(), new Workplace(options.root()), options.slowness());
        var builder =
                Worker.named(options.name())
                        .type("photo-worker")
                        .orchestrator(options.orchestrator(), options.token())
                        .maxConcurrentTasks(options.concurrency())
                        .lease(options.lease())
                        .websocket();
        options.skills().forEach(skill -> tasks.teach(skill, builder));
        return builder.build();
    }
}
