package dev.artel.server.embedded;

import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonObject;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.TaskAssignment;
import java.lang.ref.Cleaner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Room in memory for the large parameters of tasks that are pushed within the process, from before they are read until the result of
/// their task is kept: as many tasks as the worker has slots would otherwise have theirs in memory at once, each several times. Safe for
/// use by many threads.
final class PushedRoom {
    private static final Cleaner CLEANER = Cleaner.create();

    private final ValueRoom room;
    private final Map<String, ValueRoom.Place> places = new ConcurrentHashMap<>();

    /// @param room what all tasks share
    PushedRoom(ValueRoom room) {
        this.room = room;
    }

    /// What `read` returns for `task`, once there is room for it, which is its own until [#over].
    TaskAssignment read(HandOut task, Supplier<TaskAssignment> read) {
        var weight = TaskAssignments.weight(task);
        if (weight == 0) {
            return read.get();
        }
        var place = room.take(weight);
        try {
            var assignment = read.get();
            hold(assignment.taskId(), assignment.params(), place);
            return assignment;
        } catch (RuntimeException | Error failure) {
            place.close();
            throw failure;
        }
    }

    /// A task that ends without a result gives its room back when its parameters are garbage.
    private void hold(String task, JsonObject params, ValueRoom.Place place) {
        places.put(task, place);
        CLEANER.register(params, () -> over(task, place));
    }

    private void over(String task, ValueRoom.Place place) {
        places.remove(task, place);
        place.close();
    }

    /// The result of `task` is kept, or the worker has not taken it.
    void over(String task) {
        var place = places.remove(task);
        if (place != null) {
            place.close();
        }
    }
}
