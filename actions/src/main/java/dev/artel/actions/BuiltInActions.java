package dev.artel.actions;

import dev.artel.config.ActionSettings;
import dev.artel.json.JsonObject;
import dev.artel.worker.Result;
import dev.artel.worker.WorkerBuilder;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// The actions that need no worker of the user's own. Safe for use by many threads.
///
/// Like all tasks they may be done twice when a process dies in the middle: a file is written again with the same content, a
/// request is sent again.
public final class BuiltInActions implements AutoCloseable {
    /// The task types.
    public static final List<String> TYPES =
            List.of(
                    "set",
                    "json_query",
                    "http_request",
                    "file_storage",
                    "save_to_storage",
                    "llm_generate",
                    "quality_check");

    private final SequencedMap<String, BuiltInAction> actions = new LinkedHashMap<>();
    private final HttpRequestAction http;

    /// The actions as `settings` allow them.
    ///
    /// @param folder where files are kept; made when the first one is written
    public BuiltInActions(ActionSettings settings, Path folder) {
        http = new HttpRequestAction(settings.hosts(), settings.maxBytes());
        var files = new FileStore(folder, settings.maxBytes());
        actions.put("set", params -> params);
        actions.put("json_query", new JsonQueryAction());
        actions.put("http_request", http);
        actions.put("file_storage", new FileStorageAction(files));
        actions.put("save_to_storage", new SaveToStorageAction(files));
        var model = new GenerateAction(settings.model());
        actions.put("llm_generate", model);
        actions.put("quality_check", new QualityCheckAction(model));
        if (!List.copyOf(actions.sequencedKeySet()).equals(TYPES)) {
            throw new IllegalStateException("the types are " + TYPES + ", not " + names());
        }
    }

    /// The task types.
    public SequencedSet<String> names() {
        return Collections.unmodifiableSequencedSet(actions.sequencedKeySet());
    }

    /// Does one task.
    JsonObject run(String name, JsonObject params) throws Exception {
        return Objects.requireNonNull(actions.get(name), name).run(params);
    }

    /// Adds the actions to a worker.
    public void addTo(WorkerBuilder worker) {
        actions.forEach((name, action) ->
                worker.handle(
                        name, JsonObject.class, (params, _) -> Result.success(action.run(params))));
    }

    /// Ends connections; tasks that run fail.
    @Override
    public void close() {
        http.close();
    }
}
