package dev.artel.config;

import java.nio.file.Path;
import java.util.Optional;

/// Where blueprints come from, and what may become of them.
///
/// @param folder the folder with their jars; empty: `blueprints` in the data folder, if it is there
/// @param strict whether a version that has another graph than before prevents the start
/// @param upload whether operators may put jars into the folder over HTTP, and delete them, and the same for cards
/// @param cards a folder of process cards that are taken up when they change; empty: none
/// @param schedules a file with schedules; empty: `schedules.toml` in the data folder, if it is there
public record BlueprintSettings(
        Optional<Path> folder,
        boolean strict,
        boolean upload,
        Optional<Path> cards,
        Optional<Path> schedules) {
    /// The folder in the data folder; a changed graph is a warning; nobody uploads jars.
    public static final BlueprintSettings DEFAULTS =
            new BlueprintSettings(
                    Optional.empty(), false, false, Optional.empty(), Optional.empty());

    /// These settings with a folder that was named on purpose.
    public BlueprintSettings withFolder(Path other) {
        return new BlueprintSettings(Optional.of(other), strict, upload, cards, schedules);
    }

    /// These settings, strict or not.
    public BlueprintSettings withStrict(boolean isStrict) {
        return new BlueprintSettings(folder, isStrict, upload, cards, schedules);
    }

    /// These settings, with uploads or without.
    public BlueprintSettings withUpload(boolean isAllowed) {
        return new BlueprintSettings(folder, strict, isAllowed, cards, schedules);
    }

    /// These settings with a folder of cards.
    public BlueprintSettings withCards(Path other) {
        return new BlueprintSettings(folder, strict, upload, Optional.of(other), schedules);
    }

    /// These settings with a file of schedules.
    public BlueprintSettings withSchedules(Path other) {
        return new BlueprintSettings(folder, strict, upload, cards, Optional.of(other));
    }

    /// The folder with the jars.
    ///
    /// @param data the data folder
    public Path folderIn(Path data) {
        return folder.orElseGet(() -> data.resolve("blueprints"));
    }
}
