package dev.artel.examples.photos.album;

import dev.artel.examples.photos.imaging.PictureDescription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a job made of a folder of photographs. Lists are in the order in which they are shown.
///
/// @param facts about the job, shown at the top
/// @param leftOut files that are no pictures
/// @param contactSheet `null` if none was made
public record Album(
        String title,
        List<Fact> facts,
        List<Photo> photos,
        List<LeftOut> leftOut,
        @Nullable Path contactSheet) {

    /// Keeps own copies of the lists.
    public Album {
        facts = List.copyOf(facts);
        photos = List.copyOf(photos);
        leftOut = List.copyOf(leftOut);
    }

    /// One labelled value, such as `Job` and its id.
    public record Fact(String label, String value) {}

    /// A photograph and what became known of it.
    ///
    /// @param larger what a click on the thumbnail opens
    public record Photo(
            String caption,
            Path thumbnail,
            Path larger,
            PictureDescription description,
            Work resized,
            Work described) {}

    /// Who did a task.
    ///
    /// @param attempt 1 for the first; more when a worker died or failed before
    /// @param took as the worker measured it
    public record Work(String worker, int attempt, Duration took) {}

    /// A file that stayed out of the album.
    ///
    /// @param reason in words that its owner understands
    public record LeftOut(String file, String reason) {}
}
