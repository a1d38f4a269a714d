package dev.artel.server.api.control;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;

/// Which handlers read the data that a person gives to a job: data that no handler reads change nothing.
final class DataReaders {
    private final Blueprint blueprint;

    DataReaders(Blueprint blueprint) {
        this.blueprint = blueprint;
    }

    /// Adds to `answer` the states that read each of `data`, and a warning if no state reads one. A handler of
    /// which it is not known what it reads counts as a reader of all.
    void describe(Collection<String> data, JsonObject.Builder answer) {
        var readers = new LinkedHashMap<String, JsonValue>();
        var warnings = new ArrayList<String>();
        for (var name : data) {
            var states = blueprint.states().stream().filter(state -> reads(state, name)).toList();
            readers.put(name, JsonArray.ofStrings(states.stream().map(State::name).toList()));
            if (states.isEmpty()) {
                warnings.add(warning(name));
            }
        }
        answer.put("read_by", new JsonObject(readers));
        if (!warnings.isEmpty()) {
            answer.put("warning", String.join("; ", warnings));
        }
    }

    private static boolean reads(State state, String name) {
        return state.handler()
                .map(handler -> handler.reads().map(names -> names.contains(name)).orElse(true))
                .orElse(false);
    }

    private String warning(String name) {
        var all = new LinkedHashSet<String>();
        for (var state : blueprint.states()) {
            state.handler().ifPresent(handler -> all.addAll(handler.reads().orElse(List.of())));
        }
        var instead =
                MissingValue.nearest(name, all)
                        .map(near -> "the nearest that one reads is '" + near + "'")
                        .orElseGet(() -> "they read " + all);
        return "no handler of blueprint '"
                + blueprint.name()
                + "' reads '"
                + name
                + "', so it changes nothing; "
                + instead;
    }
}
