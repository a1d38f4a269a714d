package dev.artel.worker;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.ValueRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The files of one task: parameters that came as a reference, and a result that goes as one. Gone when it is closed.
final class LargeFiles implements HandledType.Params, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LargeFiles.class);

    /// Larger results do not go in messages where they need not.
    private static final int IN_MESSAGES = 256 << 10;

    private final RunningTask task;
    private final @Nullable Path folder;
    private final List<Path> made = new ArrayList<>();

    /// @param folder null for the system's own for temporary files
    LargeFiles(RunningTask task, @Nullable Path folder) {
        this.task = task;
        this.folder = folder;
    }

    /// The parameters, wherever they are.
    @Override
    public JsonObject json() throws IOException, InterruptedException {
        var assignment = task.assignment();
        if (large(assignment) == null) {
            return assignment.params();
        }
        var file = file();
        try {
            var value = JsonText.read(Files.readAllBytes(file));
            return value instanceof JsonObject object ? object : JsonObject.of("data", value);
        } catch (MalformedJson malformed) {
            throw new IOException(
                    "parameters that were fetched: " + malformed.getMessage(), malformed);
        }
    }

    /// The parameters as a file.
    @Override
    public Path file() throws IOException, InterruptedException {
        var file = make();
        var large = large(task.assignment());
        if (large == null) {
            Files.write(file, JsonText.write(task.assignment().params()));
        } else {
            task.link().fetch(large, file);
        }
        return file;
    }

    private static @Nullable ValueRef large(TaskAssignment assignment) {
        return assignment.large() == null ? null : assignment.large().params();
    }

    /// What to report of `result`.
    TaskOutcome outcome(@Nullable Result result) throws IOException, InterruptedException {
        var large = task.assignment().large();
        if (result == null) {
            return TaskOutcomes.of(null);
        }
        if (result.file() != null) {
            made.add(result.file());
        }
        if (result.file() == null && large == null) {
            return TaskOutcomes.of(result);
        }
        var file = result.file();
        if (file == null) {
            var text = JsonText.write(result.data());
            if (text.length <= IN_MESSAGES) {
                return TaskOutcomes.of(result);
            }
            file = make();
            Files.write(file, text);
        }
        if (large == null) {
            return new TaskOutcome.Succeeded(result.status(), read(file));
        }
        return new TaskOutcome.Stored(result.status(), task.link().put(large.put(), file));
    }

    /// Its orchestrator takes results in messages alone.
    private static JsonValue read(Path file) throws IOException {
        try {
            return JsonText.read(Files.readAllBytes(file));
        } catch (MalformedJson malformed) {
            throw new PermanentFailure(
                    "the result in " + file + ": " + malformed.getMessage(), malformed);
        }
    }

    private Path make() throws IOException {
        if (folder != null) {
            Files.createDirectories(folder);
        }
        var file =
                folder == null
                        ? Files.createTempFile("artel-", ".json")
                        : Files.createTempFile(folder, "artel-", ".json");
        made.add(file);
        return file;
    }

    @Override
    public void close() {
        for (var file : made) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException left) {
                LOG.atWarn()
                        .addKeyValue("file", file)
                        .setCause(left)
                        .log("a file of a task could not be removed");
            }
        }
    }
}
