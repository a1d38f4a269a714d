package dev.artel.kernel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskResult;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a handler gets to see.
///
/// @param job the job
/// @param state the state that is handled
/// @param attempt which try of this visit it is, from 1
/// @param strand which line of the job it is; 0 is the main one
/// @param client who submitted the job
/// @param labels what the client labelled it with
/// @param initialData what the job was submitted with
/// @param data what earlier steps and tasks have said, merged
/// @param results how the tasks ended for which this state waited, in their order; empty otherwise
public record Step(
        JobId job,
        String state,
        int attempt,
        int strand,
        String client,
        SequencedMap<String, String> labels,
        JsonObject initialData,
        JsonObject data,
        List<TaskResult> results) {
    /// Copies `results`.
    public Step {
        results = List.copyOf(results);
    }

    /// The value `name` of the data or else of the initial data.
    public Optional<JsonValue> value(String name) {
        return data.get(name).or(() -> initialData.get(name));
    }

    /// The text `name` of the data or else of the initial data.
    ///
    /// @throws IllegalArgumentException if there is none
    public String text(String name) {
        return data.string(name)
                .or(() -> initialData.string(name))
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "state "
                                        + state
                                        + " of job "
                                        + job
                                        + " needs the text '"
                                        + name
                                        + "', and neither data nor initial data has it"));
    }
}
