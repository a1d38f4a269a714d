package dev.artel.examples.photos.album;

import dev.artel.examples.photos.album.Album.Fact;
import dev.artel.examples.photos.album.Album.LeftOut;
import dev.artel.examples.photos.imaging.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;

/// An album as one page that a browser opens from disk: its style is inside, pictures are linked relative to the page.
public final class AlbumPage {
    private AlbumPage() {}

    /// Writes the page. Readers see the old page or the whole new one.
    ///
    /// @throws java.io.UncheckedIOException if it cannot be written
    public static void write(Album album, Path html) {
        WholeFile.write(html, file -> Files.writeString(file, page(album, Links.from(html))));
    }

    private static String page(Album album, Links links) throws IOException {
        var crew = AlbumWorkers.of(album.photos());
        return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>
        <header>
        <p class="kicker">Artel photo album</p>
        <h1>%s</h1>
        <dl class="facts">
        %s</dl>
        %s</header>
        <main>
        %s%s%s</main>
        <footer><p>Made by a durable job: every picture was resized and described by whichever worker was free, and handed to
        another when a worker died.</p></footer>
        </body>
        </html>
        """
                .formatted(
                        Html.text(album.title()),
                        style(),
                        Html.text(album.title()),
                        album.facts().stream().map(AlbumPage::fact).collect(Collectors.joining()),
                        crew.html(),
                        photos(album, links, crew),
                        leftOut(album),
                        contactSheet(album, links));
    }

    private static String photos(Album album, Links links, AlbumWorkers crew) {
        return album.photos().stream()
                .map(photo -> PhotoCard.html(photo, links, crew))
                .collect(
                        Collectors.joining(
                                "",
                                "<section class=\"photos\" aria-label=\"Photographs\">\n",
                                "</section>\n"));
    }

    private static String fact(Fact fact) {
        return "<div><dt>%s</dt><dd>%s</dd></div>\n"
                .formatted(Html.text(fact.label()), Html.text(fact.value()));
    }

    private static String leftOut(Album album) {
        if (album.leftOut().isEmpty()) {
            return "";
        }
        return album.leftOut().stream()
                .map(AlbumPage::leftOutLine)
                .collect(
                        Collectors.joining(
                                "",
                                "<section class=\"left-out\">\n<h2>Left out</h2>\n<ul>\n",
                                "</ul>\n</section>\n"));
    }

    private static String leftOutLine(LeftOut file) {
        return "<li><b>%s</b> %s</li>\n"
                .formatted(Html.text(file.file()), Html.text(file.reason()));
    }

    private static String contactSheet(Album album, Links links) {
        if (album.contactSheet() == null) {
            return "";
        }
        var href = links.to(album.contactSheet());
        return """
        <section class="sheet">
        <h2>Contact sheet</h2>
        <a href="%s"><img src="%s" alt="All photographs of this album on one sheet" loading="lazy"></a>
        </section>
        """
                .formatted(href, href);
    }

    private static String style() throws IOException {
        try (var css =
                Objects.requireNonNull(
                        AlbumPage.class.getResourceAsStream("album.css"), "album.css")) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
