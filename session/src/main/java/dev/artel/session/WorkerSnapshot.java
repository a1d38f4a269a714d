package dev.artel.session;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.fleet.WorkerProfile;
import java.time.Instant;
import java.util.Optional;

/// A worker that is there, at one moment.
///
/// @param record what it has declared about itself, in the form of its own messages
/// @param profile what the engine knows of it
/// @param lastSeen when it was heard of last, by the conversation's clock
/// @param overdue whether it should have been heard of again by now
/// @param wire the name of the wire of its socket; [WorkerProfile#HTTP] without one
/// @param polls how many of its polls wait
/// @param other another process under its name that was heard of within the last ten minutes: the two end each other's tasks
public record WorkerSnapshot(
        WorkerId worker,
        JsonObject record,
        WorkerProfile profile,
        Instant lastSeen,
        boolean overdue,
        String wire,
        int polls,
        Optional<WorkerInstance> other) {}
