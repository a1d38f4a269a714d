package dev.artel.examples.photos;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.TaskType;
import dev.artel.examples.photos.album.Album;
import java.util.List;

/// What the blueprint, its workers and its clients call things, and what these carry.
public final class PhotoTypes {
    /// What a client submits.
    ///
    /// @param photos the folder of the photographs
    /// @param out the folder of the album
    public record Order(String title, String photos, String out) {}

    /// What became of it.
    ///
    /// @param photos how many photographs the page shows
    /// @param leftOut the files that are not among them
    /// @param complete whether nothing was left out that is a picture
    public record Made(
            String page,
            String contactSheet,
            int photos,
            List<Album.LeftOut> leftOut,
            boolean complete) {}

    /// An album of the photographs in a folder.
    public static final BlueprintType<Order, Made> PHOTO_ALBUM =
            BlueprintType.of("photo-album", Order.class, Made.class);

    /// Writes a thumbnail.
    public static final TaskType<Orders.Resize, AlbumResults.Resized> RESIZE_IMAGE =
            TaskType.of("resize_image", Orders.Resize.class, AlbumResults.Resized.class);

    /// Looks at a picture.
    public static final TaskType<Orders.Describe, AlbumResults.Described> DESCRIBE_IMAGE =
            TaskType.of("describe_image", Orders.Describe.class, AlbumResults.Described.class);

    /// Lays out the sheet and the page.
    public static final TaskType<Orders.MakeAlbum, AlbumResults.AlbumMade> CONTACT_SHEET =
            TaskType.of("contact_sheet", Orders.MakeAlbum.class, AlbumResults.AlbumMade.class);

    private PhotoTypes() {}
}
