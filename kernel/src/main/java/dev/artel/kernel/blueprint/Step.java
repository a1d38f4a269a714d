package dev.artel.kernel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Binding;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JsonDataStore;
import dev.artel.kernel.task.TaskResult;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a handler gets to see.
///
/// @param job the job
/// @param state the state that is handled
/// @param attempt which try of this visit it is, from 1
/// @param branch which line of the job it is; 0 is the main one
/// @param client who submitted the job
/// @param clientPlan what the client was entitled to when it did; a retry sees the same
/// @param labels what the client labelled it with
/// @param initialData what the job was submitted with
/// @param data the results of earlier steps and tasks, merged
/// @param results how the tasks ended for which this state waited, in their order, each read when it is asked for; empty
///     otherwise
/// @param children how the children ended that [Action#runBlueprints] ran for this state, in their order, each read when it is asked
///     for; empty otherwise
/// @param stores the data stores of the blueprint, by name
/// @param version of the blueprint with which the job began, and runs
/// @param past what can be read of the job beyond its data
public record Step(
        JobId job,
        String state,
        int attempt,
        int branch,
        String client,
        ClientPlan clientPlan,
        SequencedMap<String, String> labels,
        JsonObject initialData,
        JsonObject data,
        List<TaskResult> results,
        List<ChildResult> children,
        SequencedMap<String, JsonDataStore> stores,
        String version,
        JobPast past) {
    /// Copies `results`, `children` and `stores`.
    public Step {
        results = results instanceof LateResults ? results : List.copyOf(results);
        children = children instanceof LateResults ? children : List.copyOf(children);
        stores = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(stores));
    }

    /// A step of a job of which nothing more can be read.
    public Step(
            JobId job,
            String state,
            int attempt,
            int branch,
            String client,
            ClientPlan clientPlan,
            SequencedMap<String, String> labels,
            JsonObject initialData,
            JsonObject data,
            List<TaskResult> results,
            List<ChildResult> children,
            SequencedMap<String, JsonDataStore> stores,
            String version) {
        this(
                job,
                state,
                attempt,
                branch,
                client,
                clientPlan,
                labels,
                initialData,
                data,
                results,
                children,
                stores,
                version,
                JobPast.NONE);
    }

    /// A step of version 1 of a blueprint without data stores, for a client of which nothing is known.
    public Step(
            JobId job,
            String state,
            int attempt,
            int branch,
            String client,
            SequencedMap<String, String> labels,
            JsonObject initialData,
            JsonObject data,
            List<TaskResult> results) {
        this(
                job,
                state,
                attempt,
                branch,
                client,
                ClientPlan.UNKNOWN,
                labels,
                initialData,
                data,
                results,
                List.of(),
                new LinkedHashMap<>(),
                "1");
    }

    /// This step with another past, for tests of handlers.
    public Step withPast(JobPast other) {
        return new Step(
                job,
                state,
                attempt,
                branch,
                client,
                clientPlan,
                labels,
                initialData,
                data,
                results,
                children,
                stores,
                version,
                other);
    }

    /// The data store `name` of the blueprint.
    ///
    /// @throws IllegalArgumentException if the blueprint has none of that name
    public JsonDataStore store(String name) {
        var store = stores.get(name);
        if (store == null) {
            throw new IllegalArgumentException(
                    "state "
                            + state
                            + " of job "
                            + job
                            + " needs the data store '"
                            + name
                            + "', and the blueprint has "
                            + stores.sequencedKeySet()
                            + "; add it with dataStore");
        }
        return store;
    }

    /// The value `name` of the data or else of the initial data, to be read in pieces: for values that do not fit into
    /// memory, or of which little is wanted.
    ///
    /// @throws MissingValue if neither has it
    public LargeValue large(String name) {
        var place = data.has(name) ? data : initialData;
        if (!place.has(name)) {
            throw MissingValue.of(this, name);
        }
        return new LargeValue(name, place);
    }

    /// The initial data as a `type`.
    ///
    /// @throws dev.artel.json.bind.Unfit if they do not fit
    public <T extends Record> T initialDataAs(Class<T> type) {
        return type.cast(Binding.of(type).bind(initialData, "initial_data"));
    }

    /// The value `name` of the data or else of the initial data.
    public Optional<JsonValue> value(String name) {
        return data.get(name).or(() -> initialData.get(name));
    }

    /// The text `name` of the data or else of the initial data.
    ///
    /// @throws MissingValue if there is none
    public String text(String name) {
        return data.string(name)
                .or(() -> initialData.string(name))
                .orElseThrow(() -> MissingValue.of(this, name));
    }
}
