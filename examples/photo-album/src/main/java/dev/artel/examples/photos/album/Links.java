package dev.artel.examples.photos.album;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/// Links from a page in `directory` to files, so that the folder can be moved as a whole.
record Links(Path directory) {

    /// Links from the page `html`.
    static Links from(Path html) {
        return new Links(html.toAbsolutePath().normalize().resolveSibling(""));
    }

    /// `./thumbnails/a%20b.jpg`, safe inside a quoted attribute.
    String to(Path file) {
        var relative = directory.relativize(file.toAbsolutePath().normalize());
        var path = relative.toString().replace('\\', '/');
        try {
            return Html.text(new URI(null, null, "./" + path, null).toASCIIString());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("cannot link to " + file, impossible);
        }
    }
}
