package dev.artel.examples.photos;

import dev.artel.examples.photos.album.Album;
import dev.artel.examples.photos.album.ContactSheet;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Makes album photos and sheet entries of what the other tasks answered.
record Prints(Workplace workplace) {

    Album.Photo photo(Orders.Photo photo) {
        var larger = photo.larger() == null ? photo.described().source() : photo.larger();
        return new Album.Photo(
                caption(photo),
                workplace.file(photo.resized().target()),
                workplace.file(larger),
                photo.described().description(),
                photo.resized().work(),
                photo.described().work());
    }

    ContactSheet.Entry entry(Orders.Photo photo) {
        var described = photo.described();
        var note =
                Stream.of(
                                described.width() + " × " + described.height(),
                                described.camera().model(),
                                described.camera().artist())
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining(" · "));
        return new ContactSheet.Entry(
                workplace.file(photo.resized().target()),
                caption(photo),
                note,
                described.palette());
    }

    /// `picos-de-europa.jpg` as `Picos de europa`.
    private String caption(Orders.Photo photo) {
        if (photo.caption() != null) {
            return photo.caption();
        }
        var name = Path.of(photo.described().source()).getFileName().toString();
        var words = name.replaceFirst("\\.[^.]+$", "").replaceAll("[-_\\s]+", " ").strip();
        return words.isEmpty()
                ? name
                : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
