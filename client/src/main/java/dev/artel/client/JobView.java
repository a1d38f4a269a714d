package dev.artel.client;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Binding;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A job at the time of the request.
///
/// @param blueprint its name
/// @param state the state of the blueprint in which it is
/// @param status what it is about
/// @param version the number of its events so far
/// @param data the results of its steps and tasks
/// @param result of a finished job
/// @param error why it failed, was cancelled or waits for a person
/// @param document the whole object as the orchestrator returned it
public record JobView(
        JobRef job,
        String blueprint,
        String state,
        JobStatus status,
        long version,
        JsonObject data,
        Optional<JsonValue> result,
        Optional<String> error,
        JsonObject document) {

    static JobView of(JsonObject document) {
        return new JobView(
                new JobRef(document.string("id").orElse("?")),
                document.string("blueprint_name").orElse(""),
                document.string("current_state").orElse(""),
                JobStatus.of(statusWord(document)),
                document.number("version").map(number -> number.asLong()).orElse(0L),
                document.object("state_history").orElse(JsonObject.EMPTY),
                document.get("result"),
                document.string("error_message"),
                document);
    }

    private static String statusWord(JsonObject document) {
        return document.string("status").orElse("");
    }

    /// The word that the orchestrator has for its status, also one that this client does not know.
    public String statusWord() {
        return statusWord(document);
    }

    /// Whether nothing changes any more.
    public boolean isFinal() {
        return status.isFinal();
    }

    /// The job that started it, if another one did.
    public Optional<JobRef> parent() {
        return document.string("parent_job_id").map(JobRef::new);
    }

    /// Whether it reached its end.
    public boolean isFinished() {
        return status == JobStatus.FINISHED;
    }

    /// Why it waits for workers, a sentence for each reason and what would help; none if it does not wait for any.
    public List<String> waitsBecause() {
        return document.array("tasks").stream()
                .flatMap(JsonArray::stream)
                .filter(JsonObject.class::isInstance)
                .map(JsonObject.class::cast)
                .flatMap(task -> task.object("waits_because").stream())
                .flatMap(why -> why.string("text").stream())
                .distinct()
                .toList();
    }

    /// The result as a `type`: a record, or one of the types of `dev.artel.json`.
    ///
    /// @throws IllegalStateException if the job has not finished
    /// @throws dev.artel.json.bind.Unfit if the result does not fit
    public <T> T resultAs(Class<T> type) {
        var value =
                result.orElseThrow(() ->
                        new IllegalStateException(
                                "job "
                                        + job
                                        + " has no result; it is "
                                        + statusWord()
                                        + error.map(why -> ": " + why).orElse("")
                                        + waitsBecause().stream()
                                                .map(why -> "; " + why)
                                                .collect(Collectors.joining())));
        return type.cast(Binding.of(type).bind(value, "result"));
    }
}
