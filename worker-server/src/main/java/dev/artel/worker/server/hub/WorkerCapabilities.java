package dev.artel.worker.server.hub;

import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonMemory;
import dev.artel.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.SequencedMap;

/// What a worker can do, as it declared with its registration.
///
/// @param models the models that it serves, in its order; without any it takes requests that name no model
/// @param maxConcurrentRequests how many requests it takes at once, 1 to 10,000
/// @param concurrencyLimits how many of them may be of a category; a category that is not listed has no limit of its own
/// @param metadata free members of the worker; `acceptsWork: true` declares that it confirms each request
public record WorkerCapabilities(
        List<Model> models,
        int maxConcurrentRequests,
        SequencedMap<String, Integer> concurrencyLimits,
        JsonObject metadata) {
    /// Nothing: those of a peer that is not registered.
    public static final WorkerCapabilities NONE =
            new WorkerCapabilities(List.of(), 0, new LinkedHashMap<>(), JsonObject.EMPTY);

    /// Of a model and of an entry of a map, in bytes, with what the indices of the hub have of them.
    private static final int MODEL = 500;

    private static final int TEXT = 160;

    /// Copies its collections.
    public WorkerCapabilities {
        models = List.copyOf(models);
        concurrencyLimits =
                Collections.unmodifiableSequencedMap(new LinkedHashMap<>(concurrencyLimits));
    }

    /// One model.
    ///
    /// @param id what requests name; `prefix*` stands for all ids that begin so
    /// @param displayName for people; the id where the worker gave none
    /// @param maxContextTokens 0 where the worker gave none
    /// @param maxOutputTokens 0 where the worker gave none
    /// @param abilities what it supports
    /// @param aliases other ids by which requests may name it, each perhaps `prefix*`
    public record Model(
            String id,
            String displayName,
            long maxContextTokens,
            long maxOutputTokens,
            Abilities abilities,
            List<String> aliases) {
        /// Copies the aliases.
        public Model {
            aliases = List.copyOf(aliases);
        }

        boolean answersTo(String requested) {
            return answers(id, requested)
                    || aliases.stream().anyMatch(alias -> answers(alias, requested));
        }

        private static boolean answers(String offered, String requested) {
            return offered.endsWith("*")
                    ? requested.startsWith(offered.substring(0, offered.length() - 1))
                    : offered.equals(requested);
        }
    }

    /// What a model supports.
    ///
    /// @param streaming answers piece by piece
    /// @param vision images
    /// @param tools calls of tools
    public record Abilities(boolean streaming, boolean vision, boolean tools) {}

    /// About how many bytes it takes in memory, in all of its forms.
    long weight() {
        var sum = JsonMemory.bytes(metadata);
        for (var model : models) {
            sum += MODEL + 2L * (model.id().length() + model.displayName().length());
            for (var alias : model.aliases()) {
                sum += TEXT + 2L * alias.length();
            }
        }
        for (var category : concurrencyLimits.keySet()) {
            sum += TEXT + 2L * category.length();
        }
        return sum;
    }

    /// Whether a model has the id `requested`, an alias of that name, or a prefix that fits. Nothing is offered under a blank id.
    public boolean offers(String requested) {
        return !requested.isBlank()
                && models.stream().anyMatch(model -> model.answersTo(requested));
    }

    /// How many requests of `category` the worker takes at once; empty where the category has no limit of its own.
    public OptionalInt limitOf(String category) {
        var limit = concurrencyLimits.get(category);
        return limit == null ? OptionalInt.empty() : OptionalInt.of(limit);
    }

    /// Whether the worker confirms each request by `work_accepted`.
    public boolean acceptsWork() {
        return metadata.get("acceptsWork").filter(JsonBoolean.TRUE::equals).isPresent();
    }
}
