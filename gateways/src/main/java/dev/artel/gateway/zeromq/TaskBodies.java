package dev.artel.gateway.zeromq;

import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.TaskAssignment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Writes `TASK`. Safe for use by many threads.
final class TaskBodies {
    /// With parameters that make a body larger, in bytes, they are attached.
    private static final int LARGE = PushFrames.MAX_BODY / 2;

    private static final String TASK = "TASK";
    private static final List<String> AS_ON_ALL_WIRES =
            List.of("job_id", "priority", "deadline", "tracing_context", "large_values", "answers");

    private final TaskAssignments assignments;
    private final InstantSource wallClock;

    TaskBodies(TaskAssignments assignments, InstantSource wallClock) {
        this.assignments = assignments;
        this.wallClock = wallClock;
    }

    /// What `send` makes of the frames of a task for its worker, once there is room for large parameters.
    ///
    /// @param lease how long the worker holds it without a renewal
    /// @param inline larger parameters, in bytes, are fetched by the worker; or [TaskAssignments#ALL]
    /// @param pushed when the task was pushed, by [System#nanoTime]
    /// @return empty: there was no room in time, and the task is to go back
    Optional<Boolean> write(
            HandOut task,
            Duration lease,
            int inline,
            long pushed,
            Function<List<byte[]>, Boolean> send) {
        return assignments.write(
                task, lease, inline, pushed, its -> send.apply(frames(task, lease, its)));
    }

    private List<byte[]> frames(HandOut task, Duration lease, TaskAssignment assignment) {
        var kwargs = assignment.params();
        var body = body(task, lease, kwargs, assignment.toJson());
        var frames = PushFrames.write(TASK, body);
        if (frames.getLast().length <= LARGE) {
            return frames;
        }
        var reference = JsonObject.of("$frame", JsonNumber.of(0));
        return PushFrames.write(
                TASK, body.with("kwargs", reference), List.of(JsonText.write(kwargs)));
    }

    private JsonObject body(
            HandOut task, Duration lease, JsonObject kwargs, JsonObject assignment) {
        var token = task.lease().token();
        var id = taskId(token);
        var left = Duration.between(wallClock.instant(), task.lease().timeout());
        var body = JsonObject.builder();
        body.put("task_id", id)
                .put("function_id", task.spec().type())
                .put("attempt", task.lease().attempt())
                .put("lease_id", token.value())
                .put("lease_ms", lease.toMillis())
                .put("timeout_ms", Math.max(0, left.toMillis()))
                .put("args", JsonArray.EMPTY)
                .put("kwargs", kwargs)
                .put("idempotency_key", id);
        for (var name : AS_ON_ALL_WIRES) {
            assignment.get(name).ifPresent(value -> body.put(name, value));
        }
        return body.build();
    }

    /// Names a task over all its attempts.
    static String taskId(LeaseToken token) {
        return token.address()
                .map(address -> address.job() + "." + address.task())
                .orElse(token.value());
    }
}
