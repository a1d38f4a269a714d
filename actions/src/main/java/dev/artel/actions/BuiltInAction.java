package dev.artel.actions;

import dev.artel.json.JsonObject;

/// What does one task of a type. Called by many threads at a time.
@FunctionalInterface
interface BuiltInAction {
    /// Does the task.
    ///
    /// @param reading has room for what the task reads from others
    /// @return what goes into the job
    /// @throws dev.artel.worker.InvalidInput if a parameter is wrong
    /// @throws dev.artel.worker.PermanentFailure if no attempt can succeed
    /// @throws Exception if another attempt may succeed
    JsonObject run(JsonObject params, ReadRoom.Reading reading) throws Exception;
}
