package dev.artel.cli;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.JobRef;
import java.time.Duration;

/// States what a job waits for, beside what a command prints, while nothing happens to it: after a while, and again when that is something else.
final class WaitReasons implements AutoCloseable {
    private static final long UNEVENTFUL = Duration.ofSeconds(5).toNanos();

    private final ArtelClient client;
    private final JobRef job;
    private final CliOutput output;
    private final Thread thread;
    private volatile long lastProgress = System.nanoTime();
    private volatile boolean isOver;

    private WaitReasons(ArtelClient client, JobRef job, CliOutput output) {
        this.client = client;
        this.job = job;
        this.output = output;
        thread = Thread.ofVirtual().name("artel-wait-reasons").unstarted(this::watch);
    }

    /// Begins to state them, until it is closed.
    static WaitReasons of(ArtelClient client, JobRef job, CliOutput output) {
        var waitReasons = new WaitReasons(client, job, output);
        waitReasons.thread.start();
        return waitReasons;
    }

    /// Something has happened to the job.
    void progress() {
        lastProgress = System.nanoTime();
    }

    private void watch() {
        var shown = "";
        try {
            while (true) {
                var left = UNEVENTFUL - (System.nanoTime() - lastProgress);
                Thread.sleep(Duration.ofNanos(left > 0 ? left : UNEVENTFUL));
                if (System.nanoTime() - lastProgress >= UNEVENTFUL) {
                    shown = show(shown);
                }
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /// What is shown afterwards.
    private String show(String shown) {
        try {
            var now = client.explain(job).text();
            if (!isOver && !now.isEmpty() && !now.equals(shown)) {
                output.aside("waits: " + now);
            }
            return now;
        } catch (ClientException unknown) {
            // the command itself reports what goes wrong
            return shown;
        }
    }

    @Override
    public void close() {
        isOver = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
