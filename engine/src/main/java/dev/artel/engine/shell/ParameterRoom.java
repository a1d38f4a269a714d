package dev.artel.engine.shell;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonMemory;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.ParameterMeter;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/// How much memory the parameters of tasks and the inputs of children may take that handlers make, until they are kept with their job
/// or apart from it. Safe for use by many threads.
///
/// One run of a handler may have a quarter of the heap, as its list and as the pieces in which that is written. All runs share half
/// of that; where it is used up, or where other things fill the heap, one run at a time goes on to its own limit, and the others wait for what is handed on.
final class ParameterRoom {
    /// Nothing is refused, and nobody waits.
    static final ParameterRoom UNLIMITED = new ParameterRoom(Long.MAX_VALUE, () -> false);

    /// One run may have this share of the heap.
    private static final int SHARE = 4;

    /// All runs may have this share of it, beside the one that has more.
    private static final int SHARED = 8;

    /// So much of it is taken at once, so that handlers do not wait for each other's locks.
    private static final int PIECES = 2048;

    /// So many bytes of each run are not worth taking any.
    private static final int NEGLIGIBLE = 16 << 10;

    /// Of what holds a value or stands for one that is kept apart, in bytes.
    private static final int PAYLOAD = 100;

    /// Of a task or child beside its parameters, in bytes: its own limit does not count them.
    private static final int EACH = 250;

    /// Of a value that is in memory already.
    private static final int SHARED_VALUE = 16;

    private final long heap;
    private final BooleanSupplier isShort;
    private final Object lock = new Object();

    /// Under the lock.
    private long taken;

    /// The run that goes on beyond what all share; under the lock.
    private @Nullable Run ahead;

    /// @param heap how many bytes there are at most
    /// @param isShort whether most of them are in use
    ParameterRoom(long heap, BooleanSupplier isShort) {
        this.heap = heap;
        this.isShort = isShort;
    }

    /// Room for a run of a handler, which gives it back when it is closed.
    Run open() {
        return new Run();
    }

    /// What one run of a handler makes.
    final class Run implements ParameterMeter, AutoCloseable {
        private int count;
        private long bytes;

        /// Of one of them: a value of any size is kept apart, also where a small one comes with it.
        private long largest;

        /// Neighbours often share large parts, which are in memory once.
        private JsonValue last = JsonNull.NULL;

        private long reserved = NEGLIGIBLE;
        private long shared;

        private Run() {}

        /// What `handler` returns, while its parameters are counted.
        Action call(Callable<Action> handler) throws Exception {
            return ScopedValue.where(ParameterMeter.CURRENT, this).call(handler::call);
        }

        /// @throws ParametersTooLarge if this run has made more than it may
        @Override
        public synchronized void add(JsonValue params) {
            var more = bytes(params, last);
            count++;
            bytes += more;
            largest = Math.max(largest, more);
            last = params;
            reserve();
        }

        /// Counts all that `action` brings along, which may have been made elsewhere.
        ///
        /// @throws ParametersTooLarge if that is more than a run may have made
        synchronized void returned(Action action) {
            switch (action) {
                case Action.Compensable(var waiting, var _) -> returned(waiting);
                case Action.DispatchParallel all ->
                        returned(
                                all.tasks().stream().map(TaskSpec::params).toList(),
                                Payload.EMPTY,
                                ParameterRoom::bytes);
                case Action.RunBlueprints all ->
                        returned(all.initialData(), JobData.EMPTY, ParameterRoom::bytes);
                default -> {
                    // One task or child at most.
                }
            }
        }

        /// @param none takes no memory
        /// @param added how much memory the first takes that the second, its neighbour, does not take already
        private <T> void returned(List<T> all, T none, ToLongBiFunction<T, T> added) {
            var sum = 0L;
            var most = 0L;
            var before = none;
            for (var each : all) {
                var more = added.applyAsLong(each, before);
                sum += more;
                most = Math.max(most, more);
                before = each;
            }
            count = Math.max(count, all.size());
            bytes = Math.max(bytes, sum);
            largest = Math.max(largest, most);
            reserve();
        }

        private void reserve() {
            var most = heap / SHARE;
            if (bytes - largest > most) {
                throw new ParametersTooLarge(count, bytes, most, heap);
            }
            var all = bytes + (long) EACH * count;
            if (all > reserved) {
                take(all - reserved + heap / PIECES);
            }
        }

        private void take(long more) {
            synchronized (lock) {
                try {
                    while (ahead != this && taken + more > shared()) {
                        if (ahead == null) {
                            ahead = this;
                        } else {
                            lock.wait();
                        }
                    }
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(
                            "the handler was interrupted while its "
                                    + count
                                    + " tasks or children waited for memory that those of other handlers take",
                            stop);
                }
                if (ahead != this) {
                    taken += more;
                    shared += more;
                }
                reserved += more;
            }
        }

        /// What it has made is kept, or is not wanted.
        @Override
        public void close() {
            synchronized (lock) {
                taken -= shared;
                shared = 0;
                if (ahead == this) {
                    ahead = null;
                }
                lock.notifyAll();
            }
        }
    }

    private long shared() {
        return isShort.getAsBoolean() ? 0 : heap / SHARED;
    }

    private static long bytes(JobData data, JobData before) {
        var sum = 0L;
        for (var member : data.values().entrySet()) {
            var name = member.getKey();
            var other = before.values().getOrDefault(name, Payload.EMPTY);
            sum += PAYLOAD + JsonMemory.name(name) + bytes(member.getValue(), other);
        }
        return sum;
    }

    private static long bytes(Payload payload, Payload before) {
        return payload instanceof Payload.Inline(var value)
                ? bytes(value, before instanceof Payload.Inline(var other) ? other : JsonNull.NULL)
                : PAYLOAD;
    }

    /// How much memory `value` takes that `before` does not take already.
    private static long bytes(JsonValue value, JsonValue before) {
        return switch (value) {
            case JsonString(var text) ->
                    before instanceof JsonString(var other) && isSame(text, other)
                            ? SHARED_VALUE
                            : JsonMemory.string(text);
            case JsonArray(var values) -> {
                if (isSame(value, before)) {
                    yield SHARED_VALUE;
                }
                var sum = JsonMemory.array(values.size());
                for (var each : values) {
                    sum += bytes(each, JsonNull.NULL);
                }
                yield sum;
            }
            case JsonObject object -> isSame(value, before) ? SHARED_VALUE : bytes(object, before);
            case JsonNumber number -> JsonMemory.number(number);
            case JsonBoolean _, JsonNull _ -> 0;
        };
    }

    private static long bytes(JsonObject object, JsonValue before) {
        var sum = JsonMemory.object(object.size());
        for (var name : object.names()) {
            // Read now, it would be in memory for nothing; it is kept apart as it is if it is
            // large.
            var late = object.late(name).map(LateValue::bytes);
            sum += JsonMemory.name(name);
            if (late.isEmpty()) {
                sum += bytes(member(object, name), member(before, name));
            }
        }
        return sum;
    }

    private static JsonValue member(JsonValue value, String name) {
        return value instanceof JsonObject object && object.late(name).isEmpty()
                ? object.get(name).orElse(JsonNull.NULL)
                : JsonNull.NULL;
    }

    /// Whether both are in the same memory.
    @SuppressWarnings("ReferenceEquality") // equal ones take memory twice
    private static boolean isSame(Object one, Object other) {
        return one == other;
    }
}
