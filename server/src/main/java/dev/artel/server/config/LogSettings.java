package dev.artel.server.config;

import java.nio.file.Path;
import java.util.Optional;

/// What is written down about requests, in files of JSON lines.
///
/// @param access where each request is written; empty: nowhere
/// @param audit where each act that changed something is written; empty: `audit.jsonl` in the data folder
public record LogSettings(Optional<Path> access, Optional<Path> audit) {
    /// Only the audit log, in the data folder.
    public static final LogSettings DEFAULTS = new LogSettings(Optional.empty(), Optional.empty());
}
