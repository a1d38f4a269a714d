package dev.artel.benchmarks;

import dev.artel.json.JsonObject;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.URI;

/// A process with a worker that does nothing at once and reports success.
final class NoopWorker {
    private NoopWorker() {}

    /// Arguments: the orchestrator's address, the worker token, how many tasks at once.
    public static void main(String[] args) throws IOException {
        var result = Result.success();
        try (var worker =
                Worker.named("noop-" + ProcessHandle.current().pid())
                        .orchestrator(URI.create(args[0]), args[1])
                        .maxConcurrentTasks(Integer.parseInt(args[2]))
                        .withoutShutdownHook()
                        .handle("noop", JsonObject.class, (_, _) -> result)
                        .build()) {
            worker.start();
            ChildProtocol.send("ready");
            ChildProtocol.untilEnd(line -> line);
        }
    }
}
