package dev.artel.worker.link;

import dev.artel.json.text.JsonText;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A result on its way. Equal only to itself.
final class PendingResult {
    private final TaskResult result;
    private final byte[] envelope;
    private final @Nullable Path file;
    private final boolean isReplacement;

    private PendingResult(
            TaskResult result, byte[] envelope, @Nullable Path file, boolean isReplacement) {
        this.result = result;
        this.envelope = envelope;
        this.file = file;
        this.isReplacement = isReplacement;
    }

    static PendingResult of(TaskResult result) {
        return new PendingResult(result, JsonText.write(result.toJson()), null, false);
    }

    /// A parcel for one that was too large.
    private static PendingResult replacing(TaskResult result) {
        return new PendingResult(result, JsonText.write(result.toJson()), null, true);
    }

    /// Reads what [#envelope] gave.
    static PendingResult read(byte[] envelope, Path file) {
        return new PendingResult(
                TaskResult.read(JsonText.readWritten(envelope)), envelope, file, false);
    }

    PendingResult in(Path place) {
        return new PendingResult(result, envelope, place, isReplacement);
    }

    /// What to send when the outcome is too large for the orchestrator.
    PendingResult tooLarge() {
        var message =
                "the orchestrator refused a result of "
                        + envelope.length
                        + " bytes as too large; return a reference instead";
        return replacing(result.with(new TaskOutcome.Failed(TaskOutcome.PERMANENT_ERROR, message)));
    }

    /// Whether it stands for one that was too large already.
    boolean isReplacement() {
        return isReplacement;
    }

    TaskResult result() {
        return result;
    }

    String lease() {
        return result.lease();
    }

    byte[] envelope() {
        return envelope;
    }

    @Nullable Path file() {
        return file;
    }
}
