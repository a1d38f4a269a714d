package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Blueprint;

/// Compiles and keeps the definitions that jobs bring along, see [dev.artel.kernel.blueprint.Action#replaceDefinition(String)]. Safe for use by many threads.
@FunctionalInterface
public interface DefinitionKeeper {
    /// One that keeps none.
    DefinitionKeeper NONE =
            (_, _) -> {
                throw new RejectedDefinition(
                        "this orchestrator keeps no definitions that jobs bring along; register it as a blueprint");
            };

    /// The blueprint of `text`. When this returns, the blueprint is registered with the engine as a planned one and durable; the same text always gives the same one.
    ///
    /// @param client whose job brings it along
    /// @throws RejectedDefinition if it is none, or cannot be kept
    /// @throws dev.artel.kernel.store.StoreException if the store has failed; the same call may succeed later
    Blueprint keep(String client, String text);
}
