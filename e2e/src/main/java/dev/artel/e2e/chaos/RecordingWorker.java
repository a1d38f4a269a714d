package dev.artel.e2e.chaos;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.worker.Result;
import dev.artel.worker.TaskContext;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.ThreadLocalRandom;

/// A worker process that writes down each effect: a line with the id of the hand-out and the type of the task, before the task is
/// done. What is written outlives the death of the process.
final class RecordingWorker {
    private static final int LARGE_ITEMS = 4_000;

    private final FileChannel effects;

    private RecordingWorker(FileChannel effects) {
        this.effects = effects;
    }

    /// Arguments: the orchestrator's addresses, with commas between them, the worker token, its name, the file for effects.
    public static void main(String[] args) throws IOException, InterruptedException {
        try (var effects =
                        FileChannel.open(
                                Path.of(args[3]),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.APPEND);
                var worker = new RecordingWorker(effects).worker(args)) {
            worker.start();
            worker.awaitStopped();
        }
    }

    private Worker worker(String[] args) {
        return Worker.named(args[2])
                .orchestrator(
                        Arrays.stream(args[0].split(",", -1)).map(URI::create).toList(), args[1])
                .maxConcurrentTasks(16)
                .lease(Duration.ofSeconds(5))
                .longestBackoff(Duration.ofMillis(500))
                .handle("note", JsonObject.class, this::note)
                .handle("reserve", JsonObject.class, this::note)
                .handle("release", JsonObject.class, this::note)
                .handle("pay", JsonObject.class, this::pay)
                .handle("double", JsonObject.class, this::twice)
                .handle("large", JsonObject.class, this::large)
                .build();
    }

    private Result note(JsonObject params, TaskContext task) throws Exception {
        record(task);
        rest();
        return Result.success();
    }

    private Result pay(JsonObject params, TaskContext task) throws Exception {
        record(task);
        rest();
        return params.has("declined") ? Result.of("declined", JsonObject.EMPTY) : Result.success();
    }

    private Result twice(JsonObject params, TaskContext task) throws Exception {
        record(task);
        rest();
        var n = params.number("n").orElseThrow().asLong();
        return Result.successOf(JsonObject.of("n", JsonValue.of(2 * n)));
    }

    private Result large(JsonObject params, TaskContext task) throws Exception {
        record(task);
        var item = JsonValue.of("an item of a list that is large as a whole, not in its parts");
        return Result.successOf(
                JsonObject.of(
                        "items",
                        new JsonArray(Collections.nCopies(LARGE_ITEMS, item)),
                        "count",
                        JsonValue.of(LARGE_ITEMS)));
    }

    private void record(TaskContext task) throws IOException {
        var line = task.taskId() + " " + task.type() + "\n";
        // One write to a file that is open for appending: lines of several threads do not mix.
        effects.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
    }

    /// Mostly short, now and then long enough to be interrupted by what chaos does.
    private static void rest() throws InterruptedException {
        var random = ThreadLocalRandom.current();
        Thread.sleep(random.nextInt(10) == 0 ? random.nextInt(2_000) : random.nextInt(20));
    }
}
