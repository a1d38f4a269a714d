package dev.artel.e2e.kill;

import dev.artel.json.JsonObject;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.net.URI;
import java.time.Duration;

/// A worker process: `noop` returns at once, `nap` after the milliseconds that its parameters name.
final class TestWorker {
    private TestWorker() {}

    /// Parameters of `nap`.
    record Nap(long millis) {}

    /// Arguments: the orchestrator's address, the worker token, its name, the lease in milliseconds.
    public static void main(String[] args) throws InterruptedException {
        try (var worker =
                Worker.named(args[2])
                        .orchestrator(URI.create(args[0]), args[1])
                        .maxConcurrentTasks(16)
                        .lease(Duration.ofMillis(Long.parseLong(args[3])))
                        .longestBackoff(Duration.ofMillis(500))
                        .handle("noop", JsonObject.class, (_, _) -> Result.success())
                        .handle("echo", Nap.class, (nap, _) -> rest(nap))
                        .build()) {
            worker.start();
            worker.awaitStopped();
        }
    }

    private static Result rest(Nap nap) throws InterruptedException {
        // The work of this worker is to take time.
        Thread.sleep(nap.millis());
        return Result.success();
    }
}
