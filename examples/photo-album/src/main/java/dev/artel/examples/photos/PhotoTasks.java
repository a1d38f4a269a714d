package dev.artel.examples.photos;

import dev.artel.blueprint.TaskType;
import dev.artel.examples.photos.album.Album;
import dev.artel.examples.photos.album.AlbumPage;
import dev.artel.examples.photos.album.ContactSheet;
import dev.artel.examples.photos.imaging.NotAPicture;
import dev.artel.examples.photos.imaging.PictureDescription;
import dev.artel.examples.photos.imaging.Thumbnails;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.Result;
import dev.artel.worker.TaskContext;
import dev.artel.worker.WorkerBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/// Does the tasks of the photo album. Each may be done again, after a crash or by two workers at once: it then writes the same
/// files.
///
/// @param worker who is named in the answers
/// @param slowness how long a task waits before it begins, so that people can watch
record PhotoTasks(String worker, Workplace workplace, Duration slowness) {
    private static final int THUMBNAIL = 640;
    private static final int LARGEST_EDGE = 10_000;
    private static final int PAUSES = 20;

    /// What the album's workers can do.
    enum Skill {
        RESIZE_IMAGE(PhotoTypes.RESIZE_IMAGE),
        DESCRIBE_IMAGE(PhotoTypes.DESCRIBE_IMAGE),
        CONTACT_SHEET(PhotoTypes.CONTACT_SHEET);

        private final String type;

        Skill(TaskType<?, ?> task) {
            type = task.name();
        }

        /// The name of the task type.
        String type() {
            return type;
        }
    }

    /// Teaches a worker a skill.
    WorkerBuilder teach(Skill skill, WorkerBuilder builder) {
        return switch (skill) {
            case RESIZE_IMAGE -> builder.handle(PhotoTypes.RESIZE_IMAGE, this::resize);
            case DESCRIBE_IMAGE -> builder.handle(PhotoTypes.DESCRIBE_IMAGE, this::describe);
            case CONTACT_SHEET -> builder.handle(PhotoTypes.CONTACT_SHEET, this::makeAlbum);
        };
    }

    private Result resize(Orders.Resize order, TaskContext task) throws InterruptedException {
        var maxEdge = order.maxEdge() == null ? THUMBNAIL : order.maxEdge();
        if (maxEdge < 1 || maxEdge > LARGEST_EDGE) {
            throw new InvalidInput("max_edge is from 1 to " + LARGEST_EDGE + ", was " + maxEdge);
        }
        var source = workplace.file(order.source());
        var target = workplace.file(order.target());
        var began = begin(task, "resizing " + source.getFileName());
        var thumbnail = valid(() -> Thumbnails.resize(source, target, maxEdge));
        return Result.successOf(
                new AlbumResults.Resized(
                        order.source(),
                        order.target(),
                        thumbnail.width(),
                        thumbnail.height(),
                        thumbnail.bytes(),
                        worker,
                        task.attempt(),
                        millisSince(began)));
    }

    private Result describe(Orders.Describe order, TaskContext task) throws InterruptedException {
        var source = workplace.file(order.source());
        var began = begin(task, "looking at " + source.getFileName());
        var description = valid(() -> PictureDescription.of(source));
        return Result.successOf(
                AlbumResults.Described.of(
                        order.source(), description, worker, task.attempt(), millisSince(began)));
    }

    private Result makeAlbum(Orders.MakeAlbum order, TaskContext task) throws InterruptedException {
        var folder = workplace.file(order.folder());
        var sheet = folder.resolve("contact-sheet.png");
        var page = folder.resolve("index.html");
        var began = begin(task, "laying out " + order.photos().size() + " photographs");
        var prints = new Prints(workplace);
        var entries = order.photos().stream().map(prints::entry).toList();
        valid(() -> {
            ContactSheet.write(order.title(), entries, sheet);
            return sheet;
        });
        task.progress(0.8, "writing the page");
        var photos = order.photos().stream().map(prints::photo).toList();
        AlbumPage.write(
                new Album(order.title(), order.facts(), photos, order.leftOut(), sheet), page);
        return Result.successOf(
                new AlbumResults.AlbumMade(
                        page.toString(),
                        sheet.toString(),
                        photos.size(),
                        worker,
                        task.attempt(),
                        millisSince(began)));
    }

    private static <T> T valid(Supplier<T> work) {
        try {
            return work.get();
        } catch (NotAPicture none) {
            throw new InvalidInput(Objects.requireNonNull(none.getMessage()), none);
        }
    }

    private long begin(TaskContext task, String doing) throws InterruptedException {
        var began = System.nanoTime();
        if (slowness.isPositive()) {
            for (var pause = 0; pause < PAUSES; pause++) {
                task.progress((double) pause / PAUSES, doing);
                Thread.sleep(slowness.dividedBy(PAUSES));
            }
        }
        task.progress(slowness.isPositive() ? 0.95 : 0, doing);
        return began;
    }

    private static long millisSince(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toMillis();
    }
}
