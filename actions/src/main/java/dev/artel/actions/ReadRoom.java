package dev.artel.actions;

import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.ValueRoom;
import java.lang.ref.Cleaner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/// Room in memory for what tasks read from hosts and files, from before values are made of a text until the result of the task is kept: as
/// many tasks as the worker has slots would otherwise have theirs in memory at once. Safe for use by many threads.
final class ReadRoom {
    private static final Cleaner CLEANER = Cleaner.create();

    /// The value that is read, and the same on its way to the orchestrator.
    private static final int COPIES = 2;

    private final ValueRoom room;
    private final UnaryOperator<String> owners;
    private final Map<String, Reading> readings = new ConcurrentHashMap<>();

    /// @param room what all tasks share
    /// @param owners returns for a task with whose tasks it shares
    ReadRoom(ValueRoom room, UnaryOperator<String> owners) {
        this.room = room;
        this.owners = owners;
    }

    /// What one task reads. It has the room of the text that it read last: one before has been left behind.
    final class Reading {
        private final String task;
        private final AtomicReference<ValueRoom.Place> place =
                new AtomicReference<>(ValueRoom.NONE);

        private Reading(String task) {
            this.task = task;
        }

        /// With whose tasks it shares.
        String owner() {
            return owners.apply(task);
        }

        /// Waits until there is room for the value of `text`.
        void await(byte[] text) {
            place.getAndSet(ValueRoom.NONE).close();
            var weight = COPIES * ForeignJson.weightIfLarge(text);
            if (weight > 0) {
                readings.put(task, this);
                place.set(room.take(owner(), weight));
            }
        }

        /// The task ends with `result`, which may never be reported: then the room is free when `result` is garbage.
        void endsWith(Object result) {
            if (place.get() != ValueRoom.NONE) {
                CLEANER.register(result, this::close);
            }
        }

        /// The task ends without a value.
        void close() {
            readings.remove(task, this);
            place.getAndSet(ValueRoom.NONE).close();
        }
    }

    /// For the task with this name.
    Reading reading(String task) {
        return new Reading(task);
    }

    /// The result of `task` is kept.
    void over(String task) {
        var reading = readings.get(task);
        if (reading != null) {
            reading.close();
        }
    }
}
