package dev.artel.server.api.admin;

import dev.artel.json.JsonObject;
import java.util.Optional;
import java.util.function.Function;

/// The lines of the audit log, for those who read it from the newest line back.
public interface AuditLines {
    /// A log without lines.
    AuditLines NONE =
            new AuditLines() {
                @Override
                public Optional<Place> newest() {
                    return Optional.empty();
                }

                @Override
                public Optional<Place> back(
                        Place from, Function<JsonObject, Step> each, long bytes) {
                    return Optional.empty();
                }
            };

    /// A place between two lines.
    ///
    /// @param file which of the files, the same after it was put aside
    /// @param end behind the last line before the place, in bytes
    record Place(String file, long end) {}

    /// What follows a line.
    enum Step {
        /// The line before it.
        ON,
        /// Nothing now: this was the last one that is wanted.
        FULL,
        /// Nothing: no line before it is wanted.
        STOP
    }

    /// The place behind the newest line; empty: there is no log.
    Optional<Place> newest();

    /// Hands `each` the lines before `from`, the newest first.
    ///
    /// @param bytes about so many are looked through
    /// @return where to go on; empty: there is nothing more
    Optional<Place> back(Place from, Function<JsonObject, Step> each, long bytes);
}
