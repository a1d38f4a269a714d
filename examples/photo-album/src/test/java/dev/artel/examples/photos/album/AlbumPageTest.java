package dev.artel.examples.photos.album;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.examples.photos.album.Album.Fact;
import dev.artel.examples.photos.album.Album.LeftOut;
import dev.artel.examples.photos.album.Album.Photo;
import dev.artel.examples.photos.album.Album.Work;
import dev.artel.examples.photos.imaging.Exif;
import dev.artel.examples.photos.imaging.PictureDescription;
import dev.artel.examples.photos.imaging.Swatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AlbumPageTest {
    private static final Work FIRST = new Work("photo-1", 1, Duration.ofMillis(120));

    @TempDir private Path folder;

    @Test
    void thePageShowsWhoDidWhat_andWhichAttemptItTook() throws IOException {
        var again = new Work("photo-2", 2, Duration.ofMillis(340));

        var page = written(album(photo("A cat", Exif.NONE, FIRST, again)));

        assertThat(page)
                .contains("<h2>A cat</h2>", "photo-1</span> attempt 1 · 120\u00a0ms")
                .contains("photo-2</span> <b class=\"again\">attempt 2</b> · 340\u00a0ms")
                .contains("<dt>Job</dt><dd>job-7</dd>")
                .contains("notes.txt</b> it is a text");
    }

    @Test
    void linksAreRelativeToThePage_andEncoded() throws IOException {
        var page = written(album(photo("A cat", Exif.NONE, FIRST, FIRST)));

        assertThat(page)
                .contains("src=\"./thumbs/a%20%23cat.jpg\"", "href=\"./../photos/a%20%23cat.jpg\"")
                .contains("href=\"./contact-sheet.png\"")
                .doesNotContain(folder.toString());
    }

    @Test
    void namesAndExifOfStrangers_areTextNotMarkup() throws IOException {
        var exif =
                new Exif(
                        "<b>cam",
                        null,
                        null,
                        null,
                        null,
                        null,
                        "<script>alert(1)</script>",
                        "\"x\"");
        var worker = new Work("<i>w</i>", 1, Duration.ZERO);

        var page = written(album(photo("<img src=x onerror='y'>", exif, worker, worker)));

        assertThat(page)
                .doesNotContain("<script", "<img src=x", "<i>w", "<b>cam")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;, &quot;x&quot;");
    }

    @Test
    void whatTheCameraDidNotWrite_isNotShown() throws IOException {
        var page = written(album(photo("A cat", Exif.NONE, FIRST, FIRST)));

        assertThat(page).doesNotContain("class=\"camera\"", "class=\"credit\"", "null");
    }

    @Test
    void thePageNeedsNothingElse_butItsPictures() throws IOException {
        var page = written(album(photo("A cat", Exif.NONE, FIRST, FIRST)));

        assertThat(page)
                .contains("<style>\n:root")
                .doesNotContain("<link", "<script", "http:", "https:", "@import");
    }

    @Test
    void anAlbumOfNothing_isAPage() throws IOException {
        var page = written(new Album("Nothing", List.of(), List.of(), List.of(), null));

        assertThat(page).contains("<h1>Nothing</h1>").doesNotContain("Left out", "Contact sheet");
    }

    private String written(Album album) throws IOException {
        var html = folder.resolve("out/index.html");
        AlbumPage.write(album, html);
        return Files.readString(html);
    }

    private Album album(Photo photo) {
        return new Album(
                "An album",
                List.of(new Fact("Job", "job-7")),
                List.of(photo),
                List.of(new LeftOut("notes.txt", "it is a text")),
                folder.resolve("out/contact-sheet.png"));
    }

    private Photo photo(String caption, Exif exif, Work resized, Work described) {
        var palette = List.of(new Swatch("#112233", 0.7), new Swatch("#ffeedd", 0.3));
        var description =
                new PictureDescription("JPEG", 1200, 800, 130_000, exif, palette, 420, 0.5);
        var thumbnail = folder.resolve("out/thumbs/a #cat.jpg");
        return new Photo(
                caption,
                thumbnail,
                folder.resolve("photos/a #cat.jpg"),
                description,
                resized,
                described);
    }
}
