package dev.artel.examples.photos.album;

import dev.artel.examples.photos.album.Album.Photo;
import dev.artel.examples.photos.album.Album.Work;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The workers of an album in the order of their names; each has a colour of its own.
record AlbumWorkers(List<String> workers, List<Photo> photos) {
    private static final int COLOURS = 6;

    static AlbumWorkers of(List<Photo> photos) {
        var workers =
                photos.stream()
                        .flatMap(photo -> Stream.of(photo.resized(), photo.described()))
                        .map(Work::worker)
                        .distinct()
                        .sorted()
                        .toList();
        return new AlbumWorkers(workers, photos);
    }

    /// The worker's name behind a dot of its colour.
    String badge(String worker) {
        return "<span class=\"worker w%d\">%s</span>"
                .formatted(workers.indexOf(worker) % COLOURS, Html.text(worker));
    }

    String html() {
        if (workers.isEmpty()) {
            return "";
        }
        return workers.stream()
                .map(worker ->
                        "<li>%s resized %d, described %d</li>\n"
                                .formatted(
                                        badge(worker),
                                        count(worker, Photo::resized),
                                        count(worker, Photo::described)))
                .collect(
                        Collectors.joining(
                                "", "<ul class=\"crew\" aria-label=\"Workers\">\n", "</ul>\n"));
    }

    private long count(String worker, Function<Photo, Work> work) {
        return photos.stream().filter(photo -> work.apply(photo).worker().equals(worker)).count();
    }
}
