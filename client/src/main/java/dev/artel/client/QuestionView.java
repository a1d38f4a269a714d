package dev.artel.client;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Something that a worker wants to know before it goes on with a task, at the time of the request.
///
/// @param number by which it is answered, unique in its job
/// @param status whether a person can still answer
/// @param task the number of the task
/// @param text what the worker wants to know
/// @param choices what may be answered; none: anything
/// @param worker who waits for the answer; empty if it has the answer, or is gone
/// @param expiresAt when it is too late; empty: never
/// @param answer what was answered
/// @param by who answered
/// @param document the whole object as the orchestrator returned it
public record QuestionView(
        long number,
        QuestionStatus status,
        int task,
        String text,
        List<String> choices,
        Optional<String> worker,
        Optional<Instant> expiresAt,
        Optional<String> answer,
        Optional<String> by,
        JsonObject document) {
    /// Copies `choices`.
    public QuestionView {
        choices = List.copyOf(choices);
    }

    static QuestionView of(JsonObject document) {
        return new QuestionView(
                document.number("question").map(number -> number.asLong()).orElse(0L),
                QuestionStatus.of(document.string("status").orElse("")),
                document.number("task").map(number -> (int) number.asLong()).orElse(0),
                document.string("text").orElse(""),
                document.get("choices")
                        .filter(JsonArray.class::isInstance)
                        .map(it -> texts((JsonArray) it))
                        .orElse(List.of()),
                document.string("worker"),
                document.string("expires_at").map(Instant::parse),
                document.string("answer"),
                document.string("by"),
                document);
    }

    private static List<String> texts(JsonArray array) {
        return array.stream()
                .filter(JsonString.class::isInstance)
                .map(it -> ((JsonString) it).value())
                .toList();
    }

    /// Whether a person can still answer.
    public boolean isOpen() {
        return status == QuestionStatus.OPEN;
    }

    /// The word that the orchestrator has for its status, also one that this client does not know.
    public String statusWord() {
        return document.string("status").orElse("");
    }
}
