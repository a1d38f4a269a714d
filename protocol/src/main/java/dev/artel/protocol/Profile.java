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
public record Profile(
        List<Skill> skills,
        Limits limits,
        Resources resources,
        List<InstalledModel> installedModels,
        Costs costs,
        SequencedMap<String, List<String>> skillDependencies) {
    /// Copies the collections.
    public Profile {
        skills = List.copyOf(skills);
        installedModels = List.copyOf(installedModels);
        var copy = new LinkedHashMap<String, List<String>>();
        skillDependencies.forEach((skill, models) -> copy.put(skill, List.copyOf(models)));
        skillDependencies = Collections.unmodifiableSequencedMap(copy);
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
                fields.map("skill_dependencies", Profile::models));
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
