package dev.artel.examples.photos.job;

import dev.artel.examples.photos.Orders;
import dev.artel.examples.photos.album.Album;
import dev.artel.examples.photos.job.Ended.Description;
import dev.artel.examples.photos.job.Ended.Thumbnail;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What became of the pictures of an album.
///
/// @param photos what a page shows
/// @param isComplete whether nothing was left out that is a picture
/// @param moved how many tasks were done at a later attempt than the first
record Joined(
        List<Orders.Photo> photos, List<Album.LeftOut> leftOut, boolean isComplete, long moved) {

    /// A thumbnail and a description belong to each picture, in the order of the pictures.
    static Joined of(
            List<Path> pictures, List<Thumbnail> thumbnails, List<Description> descriptions) {
        var photos = new ArrayList<Orders.Photo>();
        var leftOut = new ArrayList<Album.LeftOut>();
        var complete = true;
        var moved = 0L;
        for (var i = 0; i < pictures.size(); i++) {
            var file = pictures.get(i).getFileName().toString();
            var resized = thumbnails.get(i).made();
            var described = descriptions.get(i).made();
            moved += resized.filter(done -> done.attempt() > 1).isPresent() ? 1 : 0;
            moved += described.filter(done -> done.attempt() > 1).isPresent() ? 1 : 0;
            if (resized.isPresent() && described.isPresent()) {
                photos.add(new Orders.Photo(null, null, resized.get(), described.get()));
            } else {
                var failure =
                        thumbnails.get(i).failure().or(descriptions.get(i)::failure).orElseThrow();
                leftOut.add(new Album.LeftOut(file, reason(file, failure.reason())));
                complete &= failure.isNoPicture();
            }
        }
        return new Joined(photos, leftOut, complete, moved);
    }

    private static String reason(String file, String message) {
        return message.replace("cannot read " + file + " as a picture: ", "is no picture: ");
    }

    String whyEmpty() {
        var first = leftOut.getFirst();
        return "none of "
                + leftOut.size()
                + " files can be shown; "
                + first.file()
                + " "
                + first.reason();
    }

    List<Album.Fact> facts(String job) {
        var tasks = 2 * (photos.size() + leftOut.size()) + 1;
        return List.of(
                new Album.Fact("Job", job),
                new Album.Fact("Photographs", Integer.toString(photos.size())),
                new Album.Fact("Tasks", Integer.toString(tasks)),
                new Album.Fact("Taken up again", Long.toString(moved)));
    }
}
