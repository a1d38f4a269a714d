package dev.artel.blueprint.function;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;

/// What became of an operation, as the history has it. Results of tasks and children stay where they are, and are named by number.
sealed interface OperationResult {
    /// Tasks have ended.
    record Tasks(int first, int count) implements OperationResult {}

    /// Children have ended.
    record Children(int first, int count) implements OperationResult {}

    /// A value came: a signal, or a decision.
    record Value(JsonValue value) implements OperationResult {}

    /// The time is over.
    record Overdue() implements OperationResult {}

    /// It is done, without a result.
    record Done() implements OperationResult {}

    /// It could not begin, or ended without a result.
    record Failed(String reason) implements OperationResult {}

    /// As a member of what a step records.
    ///
    /// @param operation its number
    default JsonObject json(int operation) {
        var json = JsonObject.builder().put("op", operation);
        switch (this) {
            case Tasks(int first, int count) -> json.put("task", first).put("count", count);
            case Children(int first, int count) -> json.put("child", first).put("count", count);
            case Value(var value) -> json.put("value", value);
            case Overdue _ -> json.put("overdue", true);
            case Done _ -> {}
            case Failed(var reason) -> json.put("failed", reason);
        }
        return json.build();
    }

    /// Reads the form of [#json].
    static OperationResult of(JsonObject json) {
        if (json.has("task")) {
            return new Tasks(number(json, "task"), number(json, "count"));
        }
        if (json.has("child")) {
            return new Children(number(json, "child"), number(json, "count"));
        }
        if (json.has("overdue")) {
            return new Overdue();
        }
        if (json.has("failed")) {
            return new Failed(json.string("failed").orElseThrow());
        }
        return json.get("value").<OperationResult>map(Value::new).orElseGet(Done::new);
    }

    private static int number(JsonObject json, String name) {
        return (int) json.number(name).orElseThrow().asLong();
    }
}
