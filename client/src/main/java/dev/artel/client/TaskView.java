package dev.artel.client;

import dev.artel.json.JsonObject;
import java.util.Optional;

/// A task of a job at the time of the request.
///
/// @param number its number, from 0
/// @param type what kind of task it is
/// @param status where it stands
/// @param worker who has it, or has done it
/// @param document the whole object as the orchestrator returned it in a list
public record TaskView(
        int number, String type, TaskStatus status, Optional<String> worker, JsonObject document) {
    static TaskView of(JsonObject document) {
        return new TaskView(
                document.number("task").map(number -> (int) number.asLong()).orElse(-1),
                document.string("type").orElse(""),
                TaskStatus.of(document.string("status").orElse("")),
                document.string("worker"),
                document);
    }

    /// The word that the orchestrator has for its status, also one that this client does not know.
    public String statusWord() {
        return document.string("status").orElse("");
    }

    /// Over which wire its worker was given it, such as `http`, `websocket` or `zeromq`; empty if no worker was.
    public Optional<String> wire() {
        return document.string("wire");
    }

    /// Why it waits for a worker and what would help, if the list reports it.
    public Optional<String> waitsBecause() {
        return document.object("waits_because").flatMap(why -> why.string("text"));
    }
}
