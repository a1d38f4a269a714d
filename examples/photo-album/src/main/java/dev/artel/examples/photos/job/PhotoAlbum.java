package dev.artel.examples.photos.job;

import static dev.artel.examples.photos.PhotoTypes.CONTACT_SHEET;
import static dev.artel.examples.photos.PhotoTypes.DESCRIBE_IMAGE;
import static dev.artel.examples.photos.PhotoTypes.PHOTO_ALBUM;
import static dev.artel.examples.photos.PhotoTypes.RESIZE_IMAGE;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskOptions;
import dev.artel.blueprint.Variable;
import dev.artel.examples.photos.Orders;
import dev.artel.examples.photos.PhotoTypes.Made;
import dev.artel.examples.photos.PhotoTypes.Order;
import dev.artel.examples.photos.job.Ended.Descriptions;
import dev.artel.examples.photos.job.Ended.Pictures;
import dev.artel.examples.photos.job.Ended.Thumbnails;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The blueprint `photo-album`: makes an album of the photographs in a folder. Thumbnails and descriptions are made side by side.
public final class PhotoAlbum {
    private static final int MOST_PICTURES = 50_000;

    private static final Variable<Pictures> PICTURES = Variable.of("pictures", Pictures.class);
    private static final Variable<Thumbnails> RESIZED = Variable.of("resized", Thumbnails.class);
    private static final Variable<Descriptions> DESCRIBED =
            Variable.of("described", Descriptions.class);

    private PhotoAlbum() {}

    /// The definition.
    public static Blueprint blueprint() {
        var b = Blueprint.states(PHOTO_ALBUM);
        var work = b.state("work");
        var resize = b.state("resize");
        var resized = b.state("resized");
        var describe = b.state("describe");
        var described = b.state("described");
        var worked = b.endBranch("worked");
        var join = b.state("join");
        var done = b.finish("done", PhotoAlbum::made);

        b.start("list").set(PICTURES, PhotoAlbum::list).afterCommit().then(work);
        b.in(work).fork(resize, describe).then(join);
        patient(b.in(resize).callAll(RESIZE_IMAGE, PhotoAlbum::resizes)).settled().then(resized);
        b.in(resized)
                .set(RESIZED, step -> Thumbnails.of(step.taskResults(RESIZE_IMAGE)))
                .then(worked);
        patient(b.in(describe).callAll(DESCRIBE_IMAGE, PhotoAlbum::describes))
                .settled()
                .then(described);
        b.in(described)
                .set(DESCRIBED, step -> Descriptions.of(step.taskResults(DESCRIBE_IMAGE)))
                .then(worked);
        patient(b.in(join).call(CONTACT_SHEET, PhotoAlbum::order)).then(done);
        return b.build();
    }

    /// Doing a task of an album again harms nobody: it is taken up soon, and often.
    private static <S extends TaskOptions<S>> S patient(S task) {
        return task.retryDelays(Duration.ofMillis(300), Duration.ofSeconds(3)).maxLost(10);
    }

    private static Pictures list(Step<Order> step) throws IOException {
        var folder = Path.of(step.input().photos());
        if (!Files.isDirectory(folder)) {
            throw new RunFailed("there is no folder " + folder + " to make an album of");
        }
        var pictures = PictureFolder.pictures(folder);
        if (pictures.isEmpty()) {
            throw new RunFailed("there are no pictures in " + folder);
        }
        if (pictures.size() > MOST_PICTURES) {
            throw new RunFailed(
                    folder
                            + " has "
                            + pictures.size()
                            + " pictures, an album at most "
                            + MOST_PICTURES
                            + "; divide it");
        }
        return new Pictures(pictures.stream().map(Path::toString).toList());
    }

    private static List<Orders.Resize> resizes(Step<Order> step) {
        var out = Path.of(step.input().out());
        return pictures(step).stream()
                .map(picture ->
                        new Orders.Resize(
                                picture.toString(),
                                PictureFolder.thumbnail(out, picture).toString(),
                                null))
                .toList();
    }

    private static List<Orders.Describe> describes(Step<Order> step) {
        return pictures(step).stream()
                .map(picture -> new Orders.Describe(picture.toString()))
                .toList();
    }

    private static List<Path> pictures(Step<Order> step) {
        return step.get(PICTURES).orElseThrow().files().stream().map(Path::of).toList();
    }

    private static Joined joined(Step<Order> step) {
        return Joined.of(
                pictures(step),
                step.get(RESIZED).orElseThrow().all(),
                step.get(DESCRIBED).orElseThrow().all());
    }

    private static Orders.MakeAlbum order(Step<Order> step) {
        var joined = joined(step);
        if (joined.photos().isEmpty()) {
            throw new RunFailed(joined.whyEmpty());
        }
        return new Orders.MakeAlbum(
                step.input().title(),
                step.input().out(),
                joined.facts(step.job()),
                joined.photos(),
                joined.leftOut());
    }

    private static Made made(Step<Order> step) {
        var joined = joined(step);
        var album = step.result(CONTACT_SHEET);
        return new Made(
                album.page(),
                album.contactSheet(),
                album.photos(),
                joined.leftOut(),
                joined.isComplete());
    }
}
