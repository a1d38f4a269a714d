package dev.artel.config;

import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.event.Level;

/// What is written down: the log of the program, and requests, in files of JSON lines.
///
/// @param access where each request is written; empty: nowhere
/// @param audit where each act that changed something is written; empty: `audit.jsonl` in the data folder
/// @param level what the program logs at least
/// @param format how its lines look
/// @param kept how long each of the files of changes and of refused changes is kept
public record LogSettings(
        Optional<Path> access,
        Optional<Path> audit,
        Level level,
        Format format,
        LogRetention kept) {
    /// The audit log in the data folder; what happens to the program as text.
    public static final LogSettings DEFAULTS =
            new LogSettings(
                    Optional.empty(),
                    Optional.empty(),
                    Level.INFO,
                    Format.TEXT,
                    LogRetention.DEFAULTS);

    /// How lines look.
    public enum Format {
        /// For people.
        TEXT,
        /// For programs: one object a line.
        JSON
    }

    /// These settings with a file of requests.
    public LogSettings withAccess(Path file) {
        return new LogSettings(Optional.of(file), audit, level, format, kept);
    }

    /// These settings with another file of changes.
    public LogSettings withAudit(Path file) {
        return new LogSettings(access, Optional.of(file), level, format, kept);
    }

    /// These settings with another level.
    public LogSettings withLevel(Level other) {
        return new LogSettings(access, audit, other, format, kept);
    }

    /// These settings with another format.
    public LogSettings withFormat(Format other) {
        return new LogSettings(access, audit, level, other, kept);
    }

    /// These settings with another time and room for changes.
    public LogSettings withKept(LogRetention other) {
        return new LogSettings(access, audit, level, format, other);
    }
}
