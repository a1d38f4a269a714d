package dev.artel.gateway.http;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.TaskAssignment;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/// Writes hand-outs in the workers' form.
final class Assignments {
    private final Function<Payload, JsonValue> payloads;

    Assignments(Function<Payload, JsonValue> payloads) {
        this.payloads = payloads;
    }

    byte[] write(SessionReply.Tasks tasks) {
        var assignments = tasks.tasks().stream().map(task -> of(task, tasks.lease())).toList();
        return JsonText.write(body(assignments, tasks.form()));
    }

    private static JsonValue body(List<TaskAssignment> assignments, SessionReply.Form form) {
        return switch (form) {
            case SINGLE -> assignments.getFirst().toJson();
            case LIST -> TaskAssignment.toJson(assignments);
        };
    }

    private TaskAssignment of(HandOut handOut, Duration term) {
        var lease = handOut.lease();
        return new TaskAssignment(
                handOut.job().value(),
                lease.token().value(),
                handOut.spec().type(),
                params(payloads.apply(handOut.spec().params())),
                JsonObject.EMPTY,
                new TaskAssignment.Terms(
                        lease.token().value(),
                        lease.attempt(),
                        handOut.priority(),
                        lease.timeout(),
                        term));
    }

    private static JsonObject params(JsonValue value) {
        return value instanceof JsonObject object ? object : JsonObject.of("data", value);
    }
}
