package dev.artel.session;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How much memory takes what workers have declared about themselves. Each of them is bounded, and a token for many names, or for all, has as
/// many of them as its owner likes.
final class StatusRoom {
    /// What a value takes beside its characters, in bytes.
    private static final int PER_VALUE = 48;

    /// A declaration is kept in the form of its messages, as the engine places tasks by it, and as it is stored next.
    private static final int FORMS = 3;

    private final long most;
    private final Map<WorkerId, Long> weights = new LinkedHashMap<>();
    private long taken;

    /// @param most how many bytes all of them may take
    StatusRoom(long most) {
        this.most = most;
    }

    /// About how many bytes a declaration takes.
    static long weight(WorkerStatus status) {
        return FORMS * weight(status.record())
                + weight(status.available())
                + weight(status.known())
                + weight(status.hotCache())
                + (status.hotSkills() == null ? 0 : weight(status.hotSkills()));
    }

    private static long weight(List<String> names) {
        return names.stream().mapToLong(name -> PER_VALUE + name.length()).sum();
    }

    private static long weight(JsonValue value) {
        return PER_VALUE
                + switch (value) {
                    case JsonString(var text) -> text.length();
                    case JsonArray array -> {
                        var sum = 0L;
                        for (var each : array.values()) {
                            sum += weight(each);
                        }
                        yield sum;
                    }
                    case JsonObject object -> {
                        var sum = 0L;
                        for (var member : object.members().entrySet()) {
                            sum += member.getKey().length() + PER_VALUE + weight(member.getValue());
                        }
                        yield sum;
                    }
                    default -> 0L;
                };
    }

    /// Whether a declaration of `bytes` fits in place of the one that `worker` has. One that is no larger than that always does.
    boolean fits(WorkerId worker, long bytes) {
        var before = of(worker);
        return bytes <= before || taken - before + bytes <= most;
    }

    /// The declaration of `worker` has `bytes` from now on.
    void put(WorkerId worker, long bytes) {
        taken += bytes - of(worker);
        weights.put(worker, bytes);
    }

    /// Nothing is known of `worker` any more.
    void remove(WorkerId worker) {
        var before = weights.remove(worker);
        taken -= before == null ? 0 : before;
    }

    private long of(WorkerId worker) {
        return weights.getOrDefault(worker, 0L);
    }

    boolean isFull() {
        return taken > most;
    }
}
