package dev.artel.server.api.jobs;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.Job;
import java.util.ArrayList;

/// What a job has done and would compensate, as clients see it.
public final class CompensationDocument {
    /// How many lines there are at most.
    private static final int LINES = 100;

    private CompensationDocument() {}

    static void put(Job job, JsonObject.Builder json) {
        var compensationLog = job.compensationLog();
        if (compensationLog.registered().isEmpty() && compensationLog.compensated().isEmpty()) {
            return;
        }
        var lines = new ArrayList<JsonValue>();
        for (var registered : compensationLog.registered()) {
            lines.add(line(registered, "done").build());
        }
        for (var i = compensationLog.compensated().size() - 1; i >= 0; i--) {
            var compensated = compensationLog.compensated().get(i);
            var line =
                    line(
                            compensated.what(),
                            compensated.failure().isEmpty() ? "compensated" : "not_compensated");
            compensated.failure().ifPresent(why -> line.put("error_message", why));
            lines.add(line.build());
        }
        json.put(
                "compensation",
                new JsonArray(lines.subList(Math.max(0, lines.size() - LINES), lines.size())));
    }

    private static JsonObject.Builder line(CompensationLog.Entry registered, String status) {
        return JsonObject.builder()
                .put("state", registered.state())
                .put("branch", registered.branch())
                .put("by", by(registered.by()))
                .put("status", status);
    }

    /// What compensates: a task or a state.
    public static JsonObject by(Compensation by) {
        return switch (by) {
            case Compensation.ByTask(var task) ->
                    JsonObject.of("task_type", JsonValue.of(task.type()));
            case Compensation.ByState(var state, var subject) -> {
                var json = JsonObject.builder().put("state", state);
                subject.ifPresent(it -> json.put("subject", it));
                yield json.build();
            }
        };
    }
}
