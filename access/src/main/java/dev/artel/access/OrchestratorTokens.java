package dev.artel.access;

import dev.artel.config.Secret;
import java.util.Optional;

/// The tokens that are there without a file: those of the settings, or those that were made at the first start.
///
/// @param client of the client `default`, unless the file of clients has one of that name; empty: not known here
/// @param worker of all workers that have none of their own; empty: not known here
/// @param source the file or the setting that has them
/// @param own the client that the orchestrator itself is, for what reaches it by other ways than its API
public record OrchestratorTokens(
        Optional<Secret> client, Optional<Secret> worker, String source, Optional<OwnClient> own) {}
