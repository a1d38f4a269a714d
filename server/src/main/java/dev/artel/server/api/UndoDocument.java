package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Compensation;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.Undo;
import java.util.ArrayList;

/// What a job has done and would undo, as clients see it.
final class UndoDocument {
    /// How many lines there are at most.
    private static final int LINES = 100;

    private UndoDocument() {}

    static void put(Job job, JsonObject.Builder json) {
        var undo = job.undo();
        if (undo.done().isEmpty() && undo.undone().isEmpty()) {
            return;
        }
        var lines = new ArrayList<JsonValue>();
        for (var done : undo.done()) {
            lines.add(line(done, "done").build());
        }
        for (var i = undo.undone().size() - 1; i >= 0; i--) {
            var undone = undo.undone().get(i);
            var line = line(undone.what(), undone.failure().isEmpty() ? "undone" : "not_undone");
            undone.failure().ifPresent(why -> line.put("error_message", why));
            lines.add(line.build());
        }
        json.put(
                "compensation",
                new JsonArray(lines.subList(Math.max(0, lines.size() - LINES), lines.size())));
    }

    private static JsonObject.Builder line(Undo.Done done, String status) {
        return JsonObject.builder()
                .put("state", done.state())
                .put("strand", done.strand())
                .put("by", by(done.by()))
                .put("status", status);
    }

    static JsonObject by(Compensation by) {
        return switch (by) {
            case Compensation.ByTask(var task) ->
                    JsonObject.of("task_type", JsonValue.of(task.type()));
            case Compensation.ByState(var state) -> JsonObject.of("state", JsonValue.of(state));
        };
    }
}
