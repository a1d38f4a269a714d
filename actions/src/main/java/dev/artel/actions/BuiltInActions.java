package dev.artel.actions;

import dev.artel.config.ActionSettings;
import dev.artel.config.ActionSettings.ModelSettings;
import dev.artel.config.NamedSecret;
import dev.artel.config.Secret;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.text.ValueRoom;
import dev.artel.worker.Handler;
import dev.artel.worker.Result;
import dev.artel.worker.WorkerBuilder;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

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

    private static final String HTTP_REQUEST = "http_request";

    /// What computes; as many as there are threads for it: the others wait for the turn of their client, not in a slot.
    private static final String QUERIES = "queries";

    /// What waits for other hosts, as long as these like; some slots are left for all else.
    private static final String REQUESTS = "requests";

    /// What waits for a disk, and for its turn to list files.
    private static final String FILES = "files";

    private static final Map<String, String> CATEGORIES =
            Map.of(
                    "json_query",
                    QUERIES,
                    HTTP_REQUEST,
                    REQUESTS,
                    "llm_generate",
                    REQUESTS,
                    "quality_check",
                    REQUESTS,
                    "file_storage",
                    FILES,
                    "save_to_storage",
                    FILES);

    private final SequencedMap<String, BuiltInAction> actions = new LinkedHashMap<>();
    private final ReadRoom readRoom;
    private final Consumer<String> ended;
    private final HttpRequestAction http;
    private final Supplier<Map<String, NamedSecret>> secrets;
    private final Redaction modelKey;

    /// The actions as `settings` allow them.
    ///
    /// @param folder where files are kept; made when the first one is written
    /// @param secrets those that requests may name, as they are now; asked by many threads
    public BuiltInActions(
            ActionSettings settings, Path folder, Supplier<Map<String, NamedSecret>> secrets) {
        this(settings, folder, secrets, task -> task, _ -> {});
    }

    /// As [#BuiltInActions(ActionSettings, Path, Supplier)], of tasks that belong to clients.
    ///
    /// @param owners returns for a task whose it is: the tasks of one owner leave some of what they share to those of the others
    /// @param ended takes the name of each task that is done, with a value or without one
    public BuiltInActions(
            ActionSettings settings,
            Path folder,
            Supplier<Map<String, NamedSecret>> secrets,
            UnaryOperator<String> owners,
            Consumer<String> ended) {
        this(settings, folder, secrets, new ReadRoom(new ValueRoom(), owners), ended);
    }

    /// @param readRoom for what they read
    BuiltInActions(
            ActionSettings settings,
            Path folder,
            Supplier<Map<String, NamedSecret>> secrets,
            ReadRoom readRoom,
            Consumer<String> ended) {
        this.secrets = secrets;
        this.readRoom = readRoom;
        this.ended = ended;
        modelKey =
                Redaction.of(
                        settings.model().flatMap(ModelSettings::key).stream()
                                .map(Secret::value)
                                .toList());
        http =
                new HttpRequestAction(
                        settings.hosts(), settings.maxBytes(), requests(settings.slots()));
        var files = new FileStore(folder, settings.maxBytes());
        actions.put("set", (params, _) -> params);
        actions.put("json_query", new JsonQueryAction());
        actions.put(HTTP_REQUEST, http);
        actions.put("file_storage", new FileStorageAction(files));
        actions.put("save_to_storage", new SaveToStorageAction(files));
        var model = new GenerateAction(settings.model(), settings.maxBytes());
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

    /// Does one task. What comes back, also as the message of a failure, has no secret that the task names.
    ///
    /// @param task which one; what it has read has its room until [#over]
    JsonObject run(String name, JsonObject handedOut, String task) throws Exception {
        var reading = readRoom.reading(task);
        try {
            var result = run(name, handedOut, reading);
            reading.endsWith(result);
            return result;
        } catch (Exception | Error failure) {
            reading.close();
            throw failure;
        } finally {
            ended.accept(task);
        }
    }

    private JsonObject run(String name, JsonObject handedOut, ReadRoom.Reading reading)
            throws Exception {
        var named = SecretParams.of(handedOut);
        if (named.isEmpty()) {
            return hiding(
                    name.equals(HTTP_REQUEST) ? Redaction.NONE : modelKey,
                    () ->
                            Objects.requireNonNull(actions.get(name), name)
                                    .run(named.params(), reading));
        }
        named.requireIn(name, name.equals(HTTP_REQUEST) ? HttpRequestAction.SECRETS : Set.of());
        var found = named.find(secrets.get());
        var redaction = Redaction.of(found.values().stream().map(NamedSecret::value).toList());
        return hiding(redaction, () -> http.run(named, found, redaction, reading));
    }

    private static JsonObject hiding(Redaction redaction, Callable<JsonObject> work)
            throws Exception {
        try {
            return redaction.object(work.call());
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failure) {
            throw redaction.failure(failure);
        }
    }

    /// `params` for the worker of the actions, with the places where their author has named secrets.
    ///
    /// @param places `{at, from, name}` each; whatever `params` has in their place is left out
    public static JsonObject withSecrets(JsonObject params, JsonArray places) {
        var plain = SecretParams.without(params);
        return places.isEmpty() ? plain : plain.with(SecretParams.MEMBER, places);
    }

    /// Adds the actions to a worker.
    ///
    /// @param slots how many tasks it does at a time
    public void addTo(WorkerBuilder worker, int slots) {
        limits(slots).forEach(worker::limit);
        names().forEach(name -> {
            Handler<JsonObject> handler =
                    (params, context) -> Result.success(run(name, params, context.taskId()));
            var category = CATEGORIES.get(name);
            if (category == null) {
                worker.handle(name, JsonObject.class, handler);
            } else {
                worker.handle(name, category, JsonObject.class, handler);
            }
        });
    }

    /// The result of `task` is kept: others may have the room of what it has read.
    public void over(String task) {
        readRoom.over(task);
    }

    private static int requests(int slots) {
        return Math.max(1, slots * 3 / 4);
    }

    /// How many of so many slots the tasks of each category may have.
    static Map<String, Integer> limits(int slots) {
        return Map.of(
                QUERIES,
                Math.min(slots, BackgroundCall.MOST),
                REQUESTS,
                requests(slots),
                FILES,
                Math.max(1, slots / 8));
    }

    /// Ends connections; tasks that run fail.
    @Override
    public void close() {
        http.close();
    }
}
