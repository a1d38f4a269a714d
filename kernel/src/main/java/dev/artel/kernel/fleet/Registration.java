package dev.artel.kernel.fleet;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;

/// What a worker sent when it registered. Workers register once for each of their processes, so the orchestrator's next
/// process has to know it from its former one.
///
/// @param words in the form of the worker's own message
public record Registration(WorkerId worker, JsonObject words) {}
