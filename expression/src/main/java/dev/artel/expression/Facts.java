package dev.artel.expression;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.task.TaskResult;
import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a condition can ask for, by name.
final class Facts {
    static final String INITIAL_DATA = "initial_data";
    static final String STATE_HISTORY = "state_history";
    static final String DATA = "data";
    static final String LABELS = "labels";
    static final String CONTEXT = "context";
    static final String RESULTS = "results";
    static final String STATE = "state";
    static final String CLIENT = "client";
    static final String CLIENT_PLAN = "client_plan";
    static final String CLIENT_PARAMS = "client_params";
    static final String JOB_ID = "job_id";
    static final String ATTEMPT = "attempt";

    private Facts() {}

    static Map<String, Object> of(Step step) {
        var facts = new LinkedHashMap<String, Object>();
        var data = Values.of(step.data());
        facts.put(INITIAL_DATA, Values.of(step.initialData()));
        facts.put(STATE_HISTORY, data);
        facts.put(DATA, data);
        facts.put(LABELS, step.labels());
        facts.put(RESULTS, results(step.results()));
        facts.put(STATE, step.state());
        facts.put(CLIENT, step.client());
        facts.put(CLIENT_PLAN, step.clientPlan().plan());
        facts.put(CLIENT_PARAMS, Values.of(step.clientPlan().params()));
        facts.put(JOB_ID, step.job().value());
        facts.put(ATTEMPT, (long) step.attempt());
        facts.put(CONTEXT, new LinkedHashMap<>(facts));
        return facts;
    }

    private static List<Object> results(List<TaskResult> results) {
        return new AbstractList<>() {
            @Override
            public Object get(int index) {
                return Values.of(json(results.get(index)));
            }

            @Override
            public int size() {
                return results.size();
            }
        };
    }

    private static JsonObject json(TaskResult result) {
        var json = JsonObject.builder().put("index", result.index());
        switch (result) {
            case TaskResult.Succeeded(int _, var status, var data, var worker, int attempt) ->
                    json.put("status", status)
                            .put("data", data)
                            .put("worker", worker)
                            .put("attempt", attempt);
            case TaskResult.Failed(int _, var error) ->
                    json.put("status", "failed")
                            .put(
                                    "error",
                                    JsonObject.of(
                                            "code",
                                            JsonValue.of(error.code()),
                                            "message",
                                            JsonValue.of(error.message())));
            case TaskResult.Cancelled _ -> json.put("status", "cancelled");
        }
        return json.build();
    }
}
