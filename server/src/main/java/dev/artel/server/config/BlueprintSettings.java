package dev.artel.server.config;

import java.nio.file.Path;
import java.util.Optional;

/// Where blueprints come from.
///
/// @param folder the folder with their jars; empty: `blueprints` in the data folder, if it is there
public record BlueprintSettings(Optional<Path> folder) {
    /// The folder in the data folder.
    public static final BlueprintSettings DEFAULTS = new BlueprintSettings(Optional.empty());

    /// These settings with a folder that was named on purpose.
    public BlueprintSettings withFolder(Path other) {
        return new BlueprintSettings(Optional.of(other));
    }

    /// The folder with the jars.
    ///
    /// @param data the data folder
    public Path folderIn(Path data) {
        return folder.orElseGet(() -> data.resolve("blueprints"));
    }
}
