package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What a worker is and can do: what does not change while it runs.
///
/// @param skills the task types it can do
/// @param skillDependencies task type to the models that must be in the hot cache for the type to be hot
/// @param labels what the worker's operator has set, for tasks to choose by
public record Profile(
        List<Skill> skills,
        Limits limits,
        Resources resources,
        List<InstalledModel> installedModels,
        Costs costs,
        SequencedMap<String, List<String>> skillDependencies,
        SequencedMap<String, String> labels) {
    /// The most labels of a worker.
    public static final int MAX_LABELS = 50;

    /// The longest name and value of a label, in characters.
    public static final int MAX_LABEL_LENGTH = 200;

    /// Copies the collections.
    public Profile {
        skills = List.copyOf(skills);
        installedModels = List.copyOf(installedModels);
        var copy = new LinkedHashMap<String, List<String>>();
        skillDependencies.forEach((skill, models) -> copy.put(skill, List.copyOf(models)));
        skillDependencies = Collections.unmodifiableSequencedMap(copy);
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// A profile without labels.
    public Profile(
            List<Skill> skills,
            Limits limits,
            Resources resources,
            List<InstalledModel> installedModels,
            Costs costs,
            SequencedMap<String, List<String>> skillDependencies) {
        this(
                skills,
                limits,
                resources,
                installedModels,
                costs,
                skillDependencies,
                new LinkedHashMap<>());
    }

    /// This profile with other labels.
    public Profile withLabels(SequencedMap<String, String> others) {
        return new Profile(
                skills, limits, resources, installedModels, costs, skillDependencies, others);
    }

    static Profile read(Fields fields) {
        var resources = fields.findObject("resources");
        var capabilities = fields.findObject("capabilities");
        return new Profile(
                skills(fields),
                Limits.read(fields),
                resources == null ? Resources.UNKNOWN : Resources.read(resources),
                fields.list(
                        fields.has("installed_models") ? "installed_models" : "installed_artifacts",
                        InstalledModel::read),
                Costs.read(
                        fields,
                        capabilities == null ? Fields.of(JsonObject.EMPTY, "") : capabilities),
                fields.map("skill_dependencies", Profile::models),
                labels(fields));
    }

    private static SequencedMap<String, String> labels(Fields fields) {
        var labels = fields.map("labels", Profile::label);
        if (labels.size() > MAX_LABELS) {
            throw new MalformedMessage(
                    fields.at("labels"),
                    "at most " + MAX_LABELS + " labels",
                    String.valueOf(labels.size()));
        }
        return labels;
    }

    private static String label(JsonValue value, String path) {
        var text = Fields.text(value, path);
        if (text.length() > MAX_LABEL_LENGTH || path.length() > MAX_LABEL_LENGTH + 7) {
            throw new MalformedMessage(
                    path.substring(0, Math.min(path.length(), 50)),
                    "a name and a value of at most " + MAX_LABEL_LENGTH + " characters",
                    "longer ones");
        }
        return text;
    }

    private static List<Skill> skills(Fields fields) {
        var found = fields.findAny("supported_skills", "supported_tasks");
        if (found == null) {
            return List.of();
        }
        var categories = fields.map("task_categories", Fields::text);
        return Fields.list(found.value(), found.path(), Skill::read).stream()
                .map(skill -> labelled(skill, categories))
                .toList();
    }

    private static Skill labelled(Skill skill, SequencedMap<String, String> categories) {
        var category = categories.get(skill.name());
        return category == null ? skill : new Skill(skill.name(), category, skill.version());
    }

    static List<String> models(JsonValue value, String path) {
        return Fields.list(value, path, Fields::text);
    }

    void writeTo(JsonObject.Builder json) {
        json.put("supported_tasks", JsonArray.ofStrings(names()));
        if (skills.stream().anyMatch(skill -> skill.version() != null)) {
            var described = skills.stream().map(skill -> (JsonValue) skill.toJson()).toList();
            json.put("supported_skills", new JsonArray(described));
        }
        limits.writeTo(json);
        var categories = JsonObject.builder();
        for (var skill : skills) {
            if (skill.category() != null) {
                categories.put(skill.name(), skill.category());
            }
        }
        var categoryOfTask = categories.build();
        if (!categoryOfTask.isEmpty()) {
            json.put("task_categories", categoryOfTask);
        }
        var models = installedModels.stream().map(model -> (JsonValue) model.toJson()).toList();
        json.put("installed_models", new JsonArray(models));
        json.put("resources", resources.toJson());
        costs.writeTo(json);
        if (!skillDependencies.isEmpty()) {
            json.put("skill_dependencies", dependencies(skillDependencies));
        }
        if (!labels.isEmpty()) {
            var members = JsonObject.builder();
            labels.forEach(members::put);
            json.put("labels", members.build());
        }
    }

    static JsonObject dependencies(SequencedMap<String, List<String>> skillDependencies) {
        var dependencies = JsonObject.builder();
        skillDependencies.forEach(
                (skill, needed) -> dependencies.put(skill, JsonArray.ofStrings(needed)));
        return dependencies.build();
    }

    /// The names of the skills in order.
    public List<String> names() {
        return skills.stream().map(Skill::name).toList();
    }
}
