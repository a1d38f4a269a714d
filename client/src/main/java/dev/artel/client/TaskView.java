package dev.artel.client;

import dev.artel.json.JsonObject;
import java.util.Optional;

/// A task of a job as it was when somebody looked.
///
/// @param number its number, from 0
/// @param type what kind of task it is
/// @param status such as `queued`, `leased`, `succeeded`, `failed`
/// @param worker who has it, or has done it
/// @param document all that the orchestrator says of it in a list
public record TaskView(
        int number, String type, String status, Optional<String> worker, JsonObject document) {
    static TaskView of(JsonObject document) {
        return new TaskView(
                document.number("task").map(number -> (int) number.asLong()).orElse(-1),
                document.string("type").orElse(""),
                document.string("status").orElse(""),
                document.string("worker"),
                document);
    }

    /// Why it waits for a worker and what would help, if the list says so.
    public Optional<String> waitsBecause() {
        return document.object("waits_because").flatMap(why -> why.string("text"));
    }
}
