package dev.artel.redis;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The value of a task. What the submitter set stays in it; `status`, `job_id`, `result` and `error` are written by the orchestrator.
///
/// @param id its key
/// @param text the value as it is in Redis, for comparing
/// @param value the same as JSON
record RedisTask(String id, String text, JsonObject value) {
    /// Of the original's records, whose functions and parameters are serialised code.
    private static final String CODE = "fn_payload";

    /// What submitters and the orchestrator write, in the words of the contract.
    enum Status {
        /// Nobody has taken it yet.
        QUEUED,
        /// It has a job.
        RUNNING,
        /// Its result is there.
        COMPLETED,
        /// Its error is there.
        FAILED
    }

    /// Whether `bytes` are the value of a task; empty if they are something else.
    static Optional<RedisTask> read(String id, byte[] bytes) {
        try {
            return ForeignJson.read(bytes) instanceof JsonObject value
                            && (value.has("function_id")
                                    || value.has("task_type")
                                    || value.has("blueprint")
                                    || value.has(CODE))
                    ? Optional.of(
                            new RedisTask(id, new String(bytes, StandardCharsets.UTF_8), value))
                    : Optional.empty();
        } catch (MalformedJson noTask) {
            return Optional.empty();
        }
    }

    /// Empty if it is none of the words.
    Optional<Status> status() {
        var word = value.string("status").orElse(value.has("status") ? "" : "QUEUED");
        for (var status : Status.values()) {
            if (status.name().equals(word)) {
                return Optional.of(status);
            }
        }
        return Optional.empty();
    }

    Optional<String> job() {
        return value.string("job_id");
    }

    /// The blueprint of its job.
    String blueprint() {
        return value.string("blueprint").orElse(RedisTaskBlueprint.NAME);
    }

    /// What its job starts with.
    JsonValue input() {
        return value.has("blueprint")
                ? value.get("input").orElse(JsonObject.EMPTY)
                : JsonObject.of("type", new JsonString(type()), "params", params());
    }

    private String type() {
        return value.string("task_type").or(() -> value.string("function_id")).orElse("");
    }

    /// Parameters under their names, or arguments in the form of the contract.
    private JsonObject params() {
        return value.object("params")
                .orElseGet(() ->
                        JsonObject.of(
                                "args",
                                value.array("args").orElse(JsonArray.EMPTY),
                                "kwargs",
                                value.object("kwargs").orElse(JsonObject.EMPTY)));
    }

    double priority() {
        return value.number("priority").map(JsonNumber::asDouble).orElse(0.0);
    }

    /// The type of its one task; empty if it is a job of a blueprint of others.
    private Optional<String> typeOfTask() {
        if (!value.has("blueprint")) {
            return Optional.of(type());
        }
        return blueprint().equals(RedisTaskBlueprint.NAME)
                ? Optional.of(input() instanceof JsonObject it ? it.string("type").orElse("") : "")
                : Optional.empty();
    }

    /// What is wrong with it, for the submitter.
    Optional<String> problem(RedisTaskRights rights) {
        if (value.has(CODE)) {
            return Optional.of(
                    "the task has its function as serialised code; name it in function_id, with args and kwargs"
                            + " as JSON");
        }
        if (!value.has("blueprint") && type().isBlank()) {
            return Optional.of(
                    "the task names no function; set function_id, task_type or blueprint");
        }
        if (value.has("params") && value.object("params").isEmpty()) {
            return Optional.of(
                    "params is to be a JSON object, was " + value.get("params").orElseThrow());
        }
        if (value.has("args") && value.array("args").isEmpty()) {
            return Optional.of(
                    "args is to be a JSON array, was " + value.get("args").orElseThrow());
        }
        if (value.has("kwargs") && value.object("kwargs").isEmpty()) {
            return Optional.of(
                    "kwargs is to be a JSON object, was " + value.get("kwargs").orElseThrow());
        }
        var notAllowed =
                typeOfTask()
                        .map(rights::problemOfType)
                        .orElseGet(() -> rights.problemOfBlueprint(blueprint()));
        if (notAllowed.isPresent()) {
            return notAllowed;
        }
        return id.length() > RedisTasks.LONGEST_KEY
                ? Optional.of(
                        "the key of a task has at most "
                                + RedisTasks.LONGEST_KEY
                                + " characters, has "
                                + id.length())
                : Optional.empty();
    }

    /// The value once it has a job.
    JsonObject running(String job) {
        return with(Status.RUNNING).with("job_id", new JsonString(job));
    }

    /// The value once it is done.
    JsonObject completed(JsonValue result) {
        return with(Status.COMPLETED).with("result", result).with("error", JsonNull.NULL);
    }

    /// The value once it has failed.
    ///
    /// @param type in the words of the contract
    JsonObject failed(String type, String message) {
        return with(Status.FAILED)
                .with("result", JsonNull.NULL)
                .with(
                        "error",
                        JsonObject.builder()
                                .put("error_type", type)
                                .put("message", message)
                                .put("task_id", id)
                                .build());
    }

    private JsonObject with(Status status) {
        var named = value.has("task_id") ? value : value.with("task_id", new JsonString(id));
        return named.with("status", new JsonString(status.name()));
    }
}
