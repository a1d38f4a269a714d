package dev.artel.blueprint.function;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What one step of a function did: the answers that it heard, whether the code ran on, what it asked for, and how that is done.
///
/// @param id distinguishes it from any other entry, also from one of another run of the same step
/// @param before the id of the entry before; empty for the first one
/// @param branch which branch of the job the step was of
/// @param parent the branch that forked it; itself for the main one
/// @param heard answers by the number of their operation, in their order
/// @param cancelled the reason, if it heard that its job was cancelled
/// @param ran whether the code ran on
/// @param asked what it asked for then, in that order
/// @param then how the branch goes on
record Entry(
        String id,
        String before,
        int branch,
        int parent,
        SequencedMap<Integer, OperationResult> heard,
        Optional<String> cancelled,
        boolean ran,
        List<Item> asked,
        Then then) {
    /// The member of a job's data in which the last entry is; the history of the job has all of them.
    static final String NAME = "_function";

    /// The member of a job's data that is the input of a run that continues as new.
    static final String INPUT = "_function_input";

    /// How a branch of the job goes on after a step.
    enum Then {
        /// It does the one operation that was asked for.
        DIRECT,
        /// It does all of them, which are tasks, as one fan-out.
        TOGETHER,
        /// It starts a branch for each of them.
        FORK,
        /// It ends; another branch goes on.
        END,
        /// The code runs on in the next step.
        AGAIN,
        /// The job ends, or begins anew.
        OVER;

        /// Whether operations begin.
        boolean isWork() {
            return this == DIRECT || this == TOGETHER || this == FORK;
        }
    }

    JsonObject json() {
        var json = JsonObject.builder().put("id", id).put("then", then.name());
        if (!before.isEmpty()) {
            json.put("before", before);
        }
        if (branch != 0) {
            json.put("branch", branch).put("parent", parent);
        }
        if (!heard.isEmpty()) {
            var all = new ArrayList<JsonValue>();
            heard.forEach((operation, answer) -> all.add(answer.json(operation)));
            json.put("heard", new JsonArray(all));
        }
        cancelled.ifPresent(reason -> json.put("cancelled", reason));
        if (ran) {
            json.put("asked", new JsonArray(asked.stream().<JsonValue>map(Item::json).toList()));
        }
        return json.build();
    }

    static Entry of(JsonValue value) {
        var json = (JsonObject) value;
        var heard = new LinkedHashMap<Integer, OperationResult>();
        json.array("heard")
                .ifPresent(all ->
                        all.forEach(one -> {
                            var answer = (JsonObject) one;
                            heard.put(number(answer, "op"), OperationResult.of(answer));
                        }));
        return new Entry(
                json.string("id").orElseThrow(),
                json.string("before").orElse(""),
                number(json, "branch"),
                number(json, "parent"),
                heard,
                json.string("cancelled"),
                json.has("asked"),
                json.array("asked")
                        .map(all -> all.stream().map(Item::of).toList())
                        .orElse(List.of()),
                Then.valueOf(json.string("then").orElseThrow()));
    }

    private static int number(JsonObject json, String name) {
        return json.number(name).map(it -> (int) it.asLong()).orElse(0);
    }
}
