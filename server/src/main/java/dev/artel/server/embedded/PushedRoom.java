package dev.artel.server.embedded;

import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonObject;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.JobId;
import dev.artel.protocol.TaskAssignment;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/// Room in memory for the large parameters of tasks that are pushed within the process, from before they are read until the result of
/// their task is kept: as many tasks as the worker has slots would otherwise have theirs in memory at once, each several times. The tasks of one
/// client leave half of what those of others leave; a task that is larger than that counts for five eighths of the room at most, since it may hold it for
/// minutes. Safe for use by many threads.
final class PushedRoom {
    /// So long a task waits for room: less than a channel has to accept it.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final Cleaner CLEANER = Cleaner.create();

    private final ValueRoom room;
    private final Function<JobId, String> clients;
    private final Duration longestWait;
    private final Map<String, Pushed> tasks = new ConcurrentHashMap<>();

    /// @param room what all tasks share
    /// @param clients returns for a job whose it is
    PushedRoom(ValueRoom room, Function<JobId, String> clients) {
        this(room, clients, LONGEST_WAIT);
    }

    /// @param longestWait so long a task waits for room
    PushedRoom(ValueRoom room, Function<JobId, String> clients, Duration longestWait) {
        this.room = room;
        this.clients = clients;
        this.longestWait = longestWait;
    }

    /// A task that has room, or waits for it.
    private static final class Pushed {
        final AtomicBoolean isCancelled = new AtomicBoolean();
        volatile ValueRoom.Place place = ValueRoom.NONE;
    }

    /// What `read` returns for `task`, once there is room for it, which is its own until [#over].
    ///
    /// @return empty: there is no room now, or the task was cancelled while it waited
    Optional<TaskAssignment> read(HandOut task, Supplier<TaskAssignment> read) {
        var weight = Math.min(TaskAssignments.weight(task), room.size() / 8 * 5);
        if (weight == 0) {
            return Optional.of(read.get());
        }
        var name = task.lease().token().value();
        var pushed = new Pushed();
        tasks.put(name, pushed);
        var place = room.take(clients.apply(task.job()), weight, longestWait);
        if (place.isEmpty()) {
            tasks.remove(name, pushed);
            return Optional.empty();
        }
        pushed.place = place.get();
        if (pushed.isCancelled.get()) {
            over(name, pushed);
            return Optional.empty();
        }
        try {
            var assignment = read.get();
            hold(name, assignment.params(), pushed);
            return Optional.of(assignment);
        } catch (RuntimeException | Error failure) {
            over(name, pushed);
            throw failure;
        }
    }

    /// A task that ends without a word gives its room back when its parameters are garbage.
    private void hold(String task, JsonObject params, Pushed pushed) {
        CLEANER.register(params, () -> over(task, pushed));
    }

    private void over(String task, Pushed pushed) {
        tasks.remove(task, pushed);
        pushed.place.close();
    }

    /// The result of `task` is kept, or the worker has not taken it.
    void over(String task) {
        var pushed = tasks.get(task);
        if (pushed != null) {
            over(task, pushed);
        }
    }

    /// No result of `task` is awaited any more; its worker may still be at it.
    void cancelled(String task) {
        var pushed = tasks.get(task);
        if (pushed != null) {
            pushed.isCancelled.set(true);
        }
    }

    /// The worker is done with `task`: the result of one that was cancelled is never reported.
    void ended(String task) {
        var pushed = tasks.get(task);
        if (pushed != null && pushed.isCancelled.get()) {
            over(task, pushed);
        }
    }
}
