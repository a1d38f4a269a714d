package dev.artel.gateway.shell;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskSigner;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Writes hand-outs in the form of workers, the same on all wires. Safe for use by many threads.
public final class TaskAssignments {
    /// A worker that wants all values in its messages.
    public static final int ALL = -1;

    private final TaskParameters parameters;
    private final Optional<ValueAddresses> valueAddresses;
    private final Optional<TaskSigner> signer;

    /// An answer to a poll as it leaves, with its room, which is to be closed once it has left.
    public static final class Written implements AutoCloseable {
        private final byte[] body;
        private final ValueRoom.Place room;

        private Written(byte[] body, ValueRoom.Place room) {
            this.body = body;
            this.room = room;
        }

        public byte[] body() {
            return body;
        }

        @Override
        public void close() {
            room.close();
        }
    }

    /// Assignments whose values are read by `parameters`.
    ///
    /// @param valueAddresses what workers fetch and put by themselves; empty: all values are in messages
    public TaskAssignments(TaskParameters parameters, Optional<ValueAddresses> valueAddresses) {
        this(parameters, valueAddresses, Optional.empty());
    }

    /// As [#TaskAssignments(TaskParameters, Optional)], signed.
    ///
    /// @param signer empty: not signed
    public TaskAssignments(
            TaskParameters parameters,
            Optional<ValueAddresses> valueAddresses,
            Optional<TaskSigner> signer) {
        this.parameters = parameters;
        this.valueAddresses = valueAddresses;
        this.signer = signer;
    }

    /// The answer to a poll, once there is room for large parameters: until the answer is closed, it has room for its bytes.
    ///
    /// @param inline larger parameters, in bytes, do not come in the message; or [#ALL]
    /// @return empty: there was no room within 10 s, and the tasks are to go back
    public Optional<Written> write(SessionReply.Tasks tasks, int inline) {
        var bytes = bytes(tasks.tasks(), inline);
        var room = parameters.answer(worker(tasks), bytes, TaskParameters.LONGEST_POLL);
        if (room.isEmpty()) {
            return Optional.empty();
        }
        var place = room.get();
        try {
            var body = write(tasks, inline, JsonText::write);
            if (body.isEmpty()) {
                place.close();
            }
            return body.map(text -> new Written(text, place));
        } catch (RuntimeException | Error failure) {
            place.close();
            throw failure;
        }
    }

    /// What `write` makes of the answer to a poll, once there is room for large parameters, which they have until it returns: it writes them.
    ///
    /// @param inline larger parameters, in bytes, do not come in the message; or [#ALL]
    /// @return empty: there was no room within 10 s, and the tasks are to go back
    public <T> Optional<T> write(
            SessionReply.Tasks tasks, int inline, Function<JsonValue, T> write) {
        var bytes = bytes(tasks.tasks(), inline);
        var room = parameters.values(worker(tasks), bytes, TaskParameters.LONGEST_POLL);
        if (room.isEmpty()) {
            return Optional.empty();
        }
        try (var _ = room.get()) {
            return Optional.of(write.apply(json(tasks, inline)));
        }
    }

    /// What `write` makes of a task that is pushed, once there is room for large parameters, which they have until it returns: it writes them.
    ///
    /// @param term how long the worker holds it without a renewal
    /// @param inline larger parameters, in bytes, do not come in the message; or [#ALL]
    /// @param pushed when the task was pushed, by [System#nanoTime]
    /// @return empty: there was no room within 5 s of that, and the task is to go back
    public <T> Optional<T> write(
            HandOut task,
            Duration term,
            int inline,
            long pushed,
            Function<TaskAssignment, T> write) {
        var left = TaskParameters.LONGEST_PUSH.minusNanos(System.nanoTime() - pushed);
        var room = parameters.values(task.lease().worker(), bytes(List.of(task), inline), left);
        if (room.isEmpty()) {
            return Optional.empty();
        }
        try (var _ = room.get()) {
            return Optional.of(write.apply(of(task, term, inline)));
        }
    }

    private static WorkerId worker(SessionReply.Tasks tasks) {
        return tasks.tasks().getFirst().lease().worker();
    }

    private long bytes(List<HandOut> tasks, int inline) {
        return TaskParameters.bytes(tasks, valueAddresses.isPresent() ? inline : ALL);
    }

    /// Whether [#write(SessionReply.Tasks, int)] reads large parameters, and may wait until there is room for them.
    public boolean isLarge(SessionReply.Tasks tasks) {
        return TaskParameters.weight(bytes(tasks.tasks(), ALL)) > 0;
    }

    /// About how many bytes the parameters of `task` take once they are read, with their text; 0 if they are small.
    public static long weight(HandOut task) {
        return TaskParameters.weight(TaskParameters.bytes(List.of(task), ALL));
    }

    private JsonValue json(SessionReply.Tasks tasks, int inline) {
        var assignments =
                tasks.tasks().stream().map(task -> of(task, tasks.lease(), inline)).toList();
        return body(assignments, tasks.form());
    }

    private static JsonValue body(List<TaskAssignment> assignments, SessionReply.Form form) {
        return switch (form) {
            case SINGLE -> assignments.getFirst().toJson();
            case LIST -> TaskAssignment.toJson(assignments);
        };
    }

    /// One task for its worker, for those who have room for large parameters ([#weight]) by themselves.
    ///
    /// @param term how long the worker holds it without a renewal
    /// @param inline larger parameters, in bytes, do not come in the message; or [#ALL]
    public TaskAssignment of(HandOut handOut, Duration term, int inline) {
        var plain = plain(handOut, term, inline);
        return signer.isPresent() ? signer.get().signed(plain) : plain;
    }

    private TaskAssignment plain(HandOut handOut, Duration term, int inline) {
        var lease = handOut.lease();
        var params = handOut.spec().params();
        var large = inline == ALL ? null : large(params, lease, inline);
        var isInMessage = large == null || large.params() == null;
        return new TaskAssignment(
                handOut.job().value(),
                lease.token().value(),
                handOut.spec().type(),
                isInMessage ? params(parameters.read(params)) : JsonObject.EMPTY,
                handOut.trace().map(TraceContext::headers).orElse(JsonObject.EMPTY),
                new TaskAssignment.Terms(
                        lease.token().value(),
                        lease.attempt(),
                        handOut.priority(),
                        lease.timeout(),
                        term),
                large,
                handOut.answers().stream()
                        .map(answer ->
                                new TaskAssignment.Answer(
                                        answer.question().id(),
                                        answer.question().text(),
                                        answer.text()))
                        .toList());
    }

    private TaskAssignment.@Nullable Large large(Payload params, Lease lease, int inline) {
        return valueAddresses
                .map(open ->
                        new TaskAssignment.Large(
                                params instanceof Payload.Ref ref && ref.bytes() > inline
                                        ? open.reference(ref)
                                        : null,
                                open.address(lease),
                                open.maxBytes()))
                .orElse(null);
    }

    private static JsonObject params(JsonValue value) {
        return value instanceof JsonObject object ? object : JsonObject.of("data", value);
    }
}
