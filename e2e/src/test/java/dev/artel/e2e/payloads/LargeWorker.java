package dev.artel.e2e.payloads;

import dev.artel.worker.Result;
import dev.artel.worker.TaskContext;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A worker process with little memory: `noop` gives a value that is larger, and takes it back in the next task.
final class LargeWorker {
    /// Larger than the heap of the process.
    static final int BYTES = 32 << 20;

    private LargeWorker() {}

    /// Arguments: the orchestrator's address, the worker token, a folder.
    public static void main(String[] args) throws InterruptedException {
        var folder = Path.of(args[2]);
        try (var worker =
                Worker.named("large")
                        .orchestrator(URI.create(args[0]), args[1])
                        .largeValues(folder, 64 << 10)
                        .handleFile("noop", (params, task) -> pass(params, folder, task))
                        .build()) {
            worker.start();
            worker.awaitStopped();
        }
    }

    private static Result pass(Path params, Path folder, TaskContext task) throws IOException {
        var size = Files.size(params);
        task.log("parameters of " + size + " bytes");
        var result = folder.resolve(task.taskId() + ".json");
        try (var out = Files.newOutputStream(result)) {
            var kilobyte = "x".repeat(1024).getBytes(StandardCharsets.US_ASCII);
            out.write(("{\"got\":" + size + ",\"text\":\"").getBytes(StandardCharsets.US_ASCII));
            for (var i = 0; i < BYTES / kilobyte.length; i++) {
                out.write(kilobyte);
            }
            out.write("\"}".getBytes(StandardCharsets.US_ASCII));
        }
        return Result.ofFile(result);
    }
}
