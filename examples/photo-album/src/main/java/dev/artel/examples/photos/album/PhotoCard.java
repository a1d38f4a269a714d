package dev.artel.examples.photos.album;

import dev.artel.examples.photos.album.Album.Photo;
import dev.artel.examples.photos.album.Album.Work;
import dev.artel.examples.photos.imaging.Exif;
import dev.artel.examples.photos.imaging.PictureDescription;
import dev.artel.examples.photos.imaging.Swatch;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One photograph of the page, with everything that is known about it.
final class PhotoCard {
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH);

    private PhotoCard() {}

    static String html(Photo photo, Links links, AlbumWorkers crew) {
        var description = photo.description();
        var ground =
                description.palette().isEmpty()
                        ? "#808080"
                        : description.palette().getFirst().hex();
        return """
        <article>
        <a class="picture" href="%s" style="background:%s"><img src="%s" alt="%s" loading="lazy"></a>
        <div class="palette" role="img" aria-label="%s">%s</div>
        <h2>%s</h2>
        <p>%s</p>
        %s<p class="measures">%s</p>
        <dl class="work">
        <dt>resized</dt><dd>%s</dd>
        <dt>described</dt><dd>%s</dd>
        </dl>
        %s</article>
        """
                .formatted(
                        links.to(photo.larger()),
                        ground,
                        links.to(photo.thumbnail()),
                        Html.text(photo.caption()),
                        colours(description),
                        description.palette().stream()
                                .map(PhotoCard::swatch)
                                .collect(Collectors.joining()),
                        Html.text(photo.caption()),
                        Html.text(description.sentence()),
                        camera(description.exif()),
                        Html.text(measures(description)),
                        work(photo.resized(), crew),
                        work(photo.described(), crew),
                        credit(description.exif()));
    }

    private static String colours(PictureDescription description) {
        return description.palette().stream()
                .map(swatch -> swatch.hex() + " " + percent(swatch))
                .collect(Collectors.joining(", ", "Colours: ", ""));
    }

    private static String swatch(Swatch swatch) {
        return "<i style=\"background:%s;flex-grow:%d\" title=\"%s %s\"></i>"
                .formatted(
                        swatch.hex(),
                        Math.max(1, Math.round(swatch.share() * 100)),
                        swatch.hex(),
                        percent(swatch));
    }

    private static String percent(Swatch swatch) {
        return Math.round(swatch.share() * 100) + "%";
    }

    private static String measures(PictureDescription description) {
        return String.format(
                Locale.ROOT,
                "%d × %d %s · %d KB · brightness %d%% · sharpness %d",
                description.width(),
                description.height(),
                description.format(),
                Math.max(1, Math.round(description.bytes() / 1000.0)),
                Math.round(description.brightness() * 100),
                Math.round(description.sharpness()));
    }

    private static String camera(Exif exif) {
        var taken = exif.takenAt();
        var iso = exif.iso();
        var known =
                Stream.of(
                                exif.camera(),
                                exif.focalLength(),
                                exif.aperture(),
                                exif.exposure(),
                                iso == null ? null : "ISO " + iso,
                                taken == null ? null : DAY.format(taken))
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining(" · "));
        return known.isEmpty() ? "" : "<p class=\"camera\">" + Html.text(known) + "</p>\n";
    }

    private static String credit(Exif exif) {
        var known =
                Stream.of(exif.artist(), exif.copyright())
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining(", "));
        return known.isEmpty() ? "" : "<p class=\"credit\">Photo: " + Html.text(known) + "</p>\n";
    }

    private static String work(Work work, AlbumWorkers crew) {
        var attempt = "attempt " + work.attempt();
        var marked = work.attempt() > 1 ? "<b class=\"again\">" + attempt + "</b>" : attempt;
        return "%s %s · %d\u00a0ms"
                .formatted(crew.badge(work.worker()), marked, work.took().toMillis());
    }
}
