package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// A worker's sign of life.
public sealed interface Heartbeat extends WorkerMessage {
    /// Who lives. From the path, not the body.
    String workerId();

    /// Nothing has changed.
    record Empty(String workerId) implements Heartbeat {}

    /// How the worker stands now. What is null was not sent and stays as it was.
    ///
    /// @param available the task types it would take now
    /// @param currentTasks the hand-outs it has in work: leases, or ids where there is no lease token; null from
    ///     workers that do not list them
    /// @param instance the process that sends it; null from workers that do not name it
    record Full(
            String workerId,
            Readiness.@Nullable Status status,
            @Nullable Integer load,
            @Nullable List<String> available,
            HotState hotState,
            @Nullable List<String> currentTasks,
            @Nullable String instance)
            implements Heartbeat {
        /// One of a process without a name.
        public Full(
                String workerId,
                Readiness.@Nullable Status status,
                @Nullable Integer load,
                @Nullable List<String> available,
                HotState hotState,
                @Nullable List<String> currentTasks) {
            this(workerId, status, load, available, hotState, currentTasks, null);
        }

        /// This heartbeat of a worker that has `tasks` in work.
        public Full holding(List<String> tasks) {
            return new Full(
                    workerId, status, load, available, hotState, List.copyOf(tasks), instance);
        }

        /// The body. Members that are null are left out.
        public JsonObject toJson() {
            var json = JsonObject.builder();
            if (load != null) {
                json.put("load", (long) load);
            }
            if (status != null) {
                json.put("status", status.word());
            }
            put(json, "supported_tasks", available);
            put(json, "hot_cache", hotState.hotCache());
            if (hotState.skillDependencies() != null) {
                json.put("skill_dependencies", Profile.dependencies(hotState.skillDependencies()));
            }
            put(json, "hot_skills", hotState.hotSkills());
            put(json, "current_tasks", currentTasks);
            if (instance != null) {
                json.put("instance", instance);
            }
            return json.build();
        }

        private static void put(
                JsonObject.Builder json, String name, @Nullable List<String> values) {
            if (values != null) {
                json.put(name, JsonArray.ofStrings(values));
            }
        }
    }

    /// What a worker has loaded. What is null was not sent and stays as it was.
    ///
    /// @param hotCache models and files, by name
    /// @param hotSkills task types that it could begin at once; empty, not null, if a worker that names its
    ///     dependencies left them out
    /// @param skillDependencies task type to the models that it needs
    record HotState(
            @Nullable List<String> hotCache,
            @Nullable List<String> hotSkills,
            @Nullable SequencedMap<String, List<String>> skillDependencies) {
        /// Nothing was sent.
        public static final HotState UNREPORTED = new HotState(null, null, null);
    }

    /// Reads the heartbeat of any generation of workers.
    ///
    /// @throws MalformedMessage if a member has the wrong type, or it declares more than a registration may
    static Heartbeat read(String workerId, JsonValue body) {
        var fields = Fields.of(body, "");
        if (fields.object().isEmpty()) {
            return new Empty(workerId);
        }
        var status = fields.findString("status");
        var heartbeat =
                new Full(
                        workerId,
                        status == null ? null : Readiness.Status.of(status),
                        fields.findInt("load"),
                        available(fields),
                        hotState(fields),
                        fields.has("current_tasks")
                                ? fields.list("current_tasks", Heartbeat::task)
                                : null,
                        fields.findString("instance"));
        return Declared.checked(heartbeat);
    }

    private static @Nullable List<String> available(Fields fields) {
        var found = fields.findAny("available_skills", "supported_skills", "supported_tasks");
        return found == null
                ? null
                : Fields.list(found.value(), found.path(), Skill::read).stream()
                        .map(Skill::name)
                        .toList();
    }

    private static HotState hotState(Fields fields) {
        var dependencies =
                fields.has("skill_dependencies")
                        ? fields.map("skill_dependencies", Profile::models)
                        : null;
        var hotSkills = fields.findStrings("hot_skills");
        // Both generations leave the field out when it is empty.
        var reportsHotSkills = dependencies != null || fields.has("available_skills");
        return new HotState(
                fields.findStrings("hot_cache"),
                hotSkills == null && reportsHotSkills ? List.of() : hotSkills,
                dependencies);
    }

    private static String task(JsonValue value, String path) {
        return value instanceof JsonString(var id) ? id : Fields.of(value, path).id("task_id");
    }
}
