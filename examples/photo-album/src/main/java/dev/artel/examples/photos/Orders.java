package dev.artel.examples.photos;

import dev.artel.examples.photos.album.Album;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters of the album's tasks, in JSON in snake case. Files are paths on a disk that all workers share; relative ones
/// begin at the worker's `--root`.
public final class Orders {
    private Orders() {}

    /// Task `resize_image`.
    ///
    /// @param target ends in `.png` or is written as JPEG; made or replaced as a whole
    /// @param maxEdge pixels of the longer edge; 640 by default
    public record Resize(String source, String target, @Nullable Integer maxEdge) {}

    /// Task `describe_image`.
    public record Describe(String source) {}

    /// Task `contact_sheet`: writes `contact-sheet.png` and `index.html`.
    ///
    /// @param folder where to write; pictures are linked relative to it
    /// @param facts about the job, shown at the top
    /// @param photos what the other tasks answered, picture by picture
    /// @param leftOut files for which they failed
    public record MakeAlbum(
            String title,
            String folder,
            List<Album.Fact> facts,
            List<Photo> photos,
            List<Album.LeftOut> leftOut) {}

    /// One picture of an album.
    ///
    /// @param caption made of the file's name by default
    /// @param larger what a click opens; the described file by default
    public record Photo(
            @Nullable String caption,
            @Nullable String larger,
            AlbumResults.Resized resized,
            AlbumResults.Described described) {}
}
