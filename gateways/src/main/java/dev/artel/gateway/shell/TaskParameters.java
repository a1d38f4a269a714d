package dev.artel.gateway.shell;

import dev.artel.json.JsonValue;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.task.Payload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// How the parameters of tasks are read on their way to workers, and the room in memory that large ones have on it, on all wires together: their values until
/// they are written, and the bytes of an answer until it has left. The workers of one token leave half of what those of others leave. Safe for use by many
/// threads.
public final class TaskParameters {
    /// So long a task that is pushed waits for room: less than a channel has to accept it.
    static final Duration LONGEST_PUSH = Duration.ofSeconds(5);

    /// So long an answer to a poll waits for room: less than workers wait for an answer.
    static final Duration LONGEST_POLL = Duration.ofSeconds(10);

    /// Parameters of fewer bytes take no room.
    private static final int SMALL = 64 << 10;

    /// What a value may take for each byte of its text, and its text with it.
    private static final int PER_BYTE = 20;

    private final Function<Payload, JsonValue> payloads;
    private final Function<WorkerId, String> owners;
    private final ValueRoom values;
    private final ValueRoom answers;

    /// Each worker has a share of its own.
    ///
    /// @param payloads reads a payload, wherever it is kept
    public TaskParameters(Function<Payload, JsonValue> payloads) {
        this(payloads, WorkerId::value);
    }

    /// @param payloads reads a payload, wherever it is kept
    /// @param owners whose token a worker has: the same for all that have one together
    public TaskParameters(
            Function<Payload, JsonValue> payloads, Function<WorkerId, String> owners) {
        this(payloads, owners, new ValueRoom(), new ValueRoom());
    }

    /// @param values the room of values
    /// @param answers the room of answers that leave
    TaskParameters(
            Function<Payload, JsonValue> payloads,
            Function<WorkerId, String> owners,
            ValueRoom values,
            ValueRoom answers) {
        this.payloads = payloads;
        this.owners = owners;
        this.values = values;
        this.answers = answers;
    }

    JsonValue read(Payload params) {
        return payloads.apply(params);
    }

    /// Room for the values of `bytes` of parameters that `worker` is sent.
    ///
    /// @return empty: there was none within that time
    Optional<ValueRoom.Place> values(WorkerId worker, long bytes, Duration within) {
        return take(values, worker, bytes, PER_BYTE, within);
    }

    /// Room for an answer to `worker` with `bytes` of parameters, until it has left.
    ///
    /// @return empty: there was none within that time
    Optional<ValueRoom.Place> answer(WorkerId worker, long bytes, Duration within) {
        return take(answers, worker, bytes, 1, within);
    }

    private Optional<ValueRoom.Place> take(
            ValueRoom room, WorkerId worker, long bytes, int perByte, Duration within) {
        return bytes < SMALL
                ? Optional.of(ValueRoom.NONE)
                : room.take(owners.apply(worker), bytes * perByte, within);
    }

    /// How many bytes the parameters of `tasks` have that are read for a message.
    ///
    /// @param inline larger ones, in bytes, do not come in the message; or [TaskAssignments#ALL]
    static long bytes(List<HandOut> tasks, int inline) {
        var sum = 0L;
        for (var task : tasks) {
            var each = Payload.bytesApart(task.spec().params());
            if (inline == TaskAssignments.ALL || each <= inline) {
                sum += each;
            }
        }
        return sum;
    }

    /// About how many bytes of the heap `bytes` of parameters take once they are read, with their text; 0 if that is little.
    static long weight(long bytes) {
        return bytes < SMALL ? 0 : PER_BYTE * bytes;
    }
}
