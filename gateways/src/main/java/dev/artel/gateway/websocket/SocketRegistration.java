package dev.artel.gateway.websocket;

import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Register;
import dev.artel.worker.server.hub.PooledWorker;
import dev.artel.worker.server.hub.WorkerCapabilities;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a worker declares when it registers on a WebSocket, as the conversation understands it. What this orchestrator adds to
/// the protocol is in `capabilities.metadata.artel`; a worker that knows nothing of it is described by its models.
///
/// @param register its registration in the form of all wires
/// @param delivery how it gets tasks
/// @param instance whether it names its process, so that it may come back to its tasks
/// @param running the tasks that it has in work from before
/// @param inline larger parameters, in bytes, do not come in messages; or [TaskAssignments#ALL]
record SocketRegistration(
        Register register, Delivery delivery, boolean instance, List<String> running, int inline) {
    private static final String ADDITIONS = "artel";
    private static final int MOST_RUNNING = 10_000;

    /// How a worker gets tasks.
    enum Delivery {
        /// They are sent to it as long as it has room.
        PUSH,
        /// It polls for them by calls.
        POLL;

        String word() {
            return this == PUSH ? "push" : "poll";
        }
    }

    /// Reads the registration of `worker`.
    ///
    /// @throws MalformedMessage if what this orchestrator adds to the protocol has the wrong form
    static SocketRegistration read(PooledWorker worker) {
        return read(worker.id(), worker.name(), worker.capabilities(), worker.sessionId());
    }

    /// Reads a registration.
    ///
    /// @param session stands for the process of a worker that names none: it is another one with each connection
    static SocketRegistration read(
            String id, String name, WorkerCapabilities capabilities, String session) {
        var additions = additions(capabilities.metadata());
        var instance = text(additions, "instance");
        var body =
                declared(capabilities, additions)
                        .merge(object(additions, "profile"))
                        .with("worker_id", new JsonString(id))
                        .with(
                                "max_concurrent_tasks",
                                JsonValue.of(capabilities.maxConcurrentRequests()));
        if (!body.has("worker_type")) {
            body = body.with("worker_type", new JsonString(name));
        }
        body = body.with("instance", new JsonString(instance == null ? session : instance));
        return new SocketRegistration(
                Register.read(body),
                delivery(additions),
                instance != null,
                running(additions),
                inline(additions));
    }

    private static JsonObject additions(JsonObject metadata) {
        return object(metadata, ADDITIONS);
    }

    private static JsonObject declared(WorkerCapabilities capabilities, JsonObject additions) {
        var models = capabilities.models().stream().map(WorkerCapabilities.Model::id).toList();
        var json =
                JsonObject.builder()
                        .put(
                                "supported_tasks",
                                JsonArray.ofStrings(
                                        additions.has("supportedTasks")
                                                ? texts(additions, "supportedTasks")
                                                : names(capabilities)))
                        .put("installed_models", installed(models))
                        .put("hot_cache", JsonArray.ofStrings(models));
        if (!capabilities.concurrencyLimits().isEmpty()) {
            var limits = JsonObject.builder();
            capabilities
                    .concurrencyLimits()
                    .forEach((category, most) -> limits.put(category, (long) most));
            json.put("category_limits", limits.build());
        }
        additions
                .get("taskCategories")
                .ifPresent(categories -> json.put("task_categories", categories));
        additions.get("leaseMs").ifPresent(term -> json.put("lease_ms", term));
        return json.build();
    }

    /// A worker that names no task types takes those that are named as its models are; a prefix names none.
    private static List<String> names(WorkerCapabilities capabilities) {
        var names = new LinkedHashSet<String>();
        for (var model : capabilities.models()) {
            names.add(model.id());
            names.addAll(model.aliases());
        }
        names.removeIf(name -> name.endsWith("*"));
        return List.copyOf(names);
    }

    private static JsonArray installed(List<String> models) {
        return new JsonArray(
                models.stream()
                        .map(model -> (JsonValue) JsonObject.of("name", new JsonString(model)))
                        .toList());
    }

    private static Delivery delivery(JsonObject additions) {
        return switch (text(additions, "delivery")) {
            case null -> Delivery.PUSH;
            case "push" -> Delivery.PUSH;
            case "poll" -> Delivery.POLL;
            case String other -> throw malformed("delivery", "push or poll", "'" + other + "'");
        };
    }

    private static List<String> running(JsonObject additions) {
        var running = texts(additions, "runningTasks");
        if (running.size() > MOST_RUNNING) {
            throw malformed(
                    "runningTasks", "at most " + MOST_RUNNING + " tasks", running.size() + "");
        }
        return running;
    }

    private static int inline(JsonObject additions) {
        return switch (additions.get("inlineBytes").orElse(null)) {
            case null -> TaskAssignments.ALL;
            case JsonNumber number
                    when number.isLong()
                            && number.asLong() >= 0
                            && number.asLong() <= Integer.MAX_VALUE ->
                    (int) number.asLong();
            case JsonValue other ->
                    throw malformed("inlineBytes", "a number of bytes from 0 on", other.kind());
        };
    }

    private static @Nullable String text(JsonObject json, String name) {
        return switch (json.get(name).orElse(null)) {
            case null -> null;
            case JsonString(var text) when !text.isBlank() && text.length() <= 200 -> text;
            case JsonValue other ->
                    throw malformed(name, "a text of 1 to 200 characters", other.kind());
        };
    }

    private static List<String> texts(JsonObject json, String name) {
        var texts = new ArrayList<String>();
        switch (json.get(name).orElse(null)) {
            case null -> {}
            case JsonArray(var values) -> {
                for (var value : values) {
                    if (!(value instanceof JsonString(var text)) || text.isBlank()) {
                        throw malformed(name, "texts that are not blank", value.kind());
                    }
                    texts.add(text);
                }
            }
            case JsonValue other -> throw malformed(name, "an array of texts", other.kind());
        }
        return List.copyOf(texts);
    }

    private static JsonObject object(JsonObject json, String name) {
        return switch (json.get(name).orElse(null)) {
            case null -> JsonObject.EMPTY;
            case JsonObject object -> object;
            case JsonValue other -> throw malformed(name, "an object", other.kind());
        };
    }

    private static MalformedMessage malformed(String name, String expected, String found) {
        return new MalformedMessage(
                name.equals(ADDITIONS)
                        ? "capabilities.metadata.artel"
                        : "capabilities.metadata.artel." + name,
                expected,
                found);
    }
}
