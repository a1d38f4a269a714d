package dev.artel.examples.photos.job;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The blueprint `photo-album`: makes an album of the photographs in a folder.
///
/// Initial data: `photos`, the folder; `out`, the folder of the album; `title`. The result has `page`, `contact_sheet`,
/// the number of `photos`, the files that were `left_out`, and whether the album is `complete`: nothing was left out
/// that is a picture.
public final class PhotoAlbum {
    /// The name under which jobs are submitted.
    public static final String NAME = "photo-album";

    /// Doing a task of an album again harms nobody: it is taken up soon, and often.
    private static final TaskLimits LIMITS =
            new TaskLimits(
                    RetryPolicy.DEFAULTS.withDelays(Duration.ofMillis(300), Duration.ofSeconds(3)),
                    10,
                    Optional.empty(),
                    Duration.ofMinutes(5));

    private PhotoAlbum() {}

    /// The definition.
    public static Blueprint blueprint() {
        return Blueprint.named(NAME)
                .start("list", PhotoAlbum::list)
                .leadingTo("join")
                .state("join", PhotoAlbum::join)
                .leadingTo("finish")
                .state("finish", PhotoAlbum::finish)
                .build();
    }

    /// Two tasks for each picture: the first and second of its place.
    private static Action list(Step step) throws IOException {
        var folder = Path.of(step.text("photos"));
        if (!Files.isDirectory(folder)) {
            return Action.fail("there is no folder " + folder + " to make an album of");
        }
        var pictures = PictureFolder.pictures(folder);
        if (pictures.isEmpty()) {
            return Action.fail("there are no pictures in " + folder);
        }
        if (pictures.size() > Action.DispatchParallel.MAX_TASKS / 2) {
            return Action.fail(
                    folder
                            + " has "
                            + pictures.size()
                            + " pictures, an album at most "
                            + Action.DispatchParallel.MAX_TASKS / 2
                            + "; divide it");
        }
        var out = Path.of(step.text("out"));
        var tasks = new ArrayList<TaskSpec>();
        for (var picture : pictures) {
            tasks.add(resize(picture, PictureFolder.thumbnail(out, picture)));
            tasks.add(describe(picture));
        }
        var names = pictures.stream().map(Path::toString).toList();
        return Action.dispatchParallel(tasks, "join")
                .withPolicy(JoinPolicy.SETTLED)
                .with(JsonObject.of("pictures", JsonArray.ofStrings(names)));
    }

    private static TaskSpec resize(Path picture, Path thumbnail) {
        return TaskSpec.of(
                        "resize_image",
                        JsonObject.of(
                                "source",
                                JsonValue.of(picture.toString()),
                                "target",
                                JsonValue.of(thumbnail.toString())))
                .withLimits(LIMITS);
    }

    private static TaskSpec describe(Path picture) {
        return TaskSpec.of(
                        "describe_image", JsonObject.of("source", JsonValue.of(picture.toString())))
                .withLimits(LIMITS);
    }

    private static Action join(Step step) {
        var joined = Joined.of(pictures(step), step.results());
        if (joined.photos().isEmpty()) {
            return Action.fail(joined.whyEmpty());
        }
        var order =
                TaskSpec.of(
                        "contact_sheet",
                        JsonObject.builder()
                                .put("title", step.text("title"))
                                .put("folder", step.text("out"))
                                .put("facts", joined.facts(step.job()))
                                .put("photos", new JsonArray(joined.photos()))
                                .put("left_out", joined.leftOutJson())
                                .build());
        return Action.dispatch(order.withLimits(LIMITS), Outcomes.on("success", "finish"))
                .with(
                        JsonObject.of(
                                "left_out",
                                joined.leftOutJson(),
                                "complete",
                                JsonValue.of(joined.isComplete())));
    }

    private static List<Path> pictures(Step step) {
        return step.data().array("pictures").orElse(JsonArray.EMPTY).stream()
                .map(value -> Path.of(((JsonString) value).value()))
                .toList();
    }

    private static Action finish(Step step) {
        return Action.finish(
                JsonObject.builder()
                        .put("page", step.text("page"))
                        .put("contact_sheet", step.text("contact_sheet"))
                        .put("photos", step.data().number("photos").orElse(JsonNumber.of(0)))
                        .put("left_out", step.data().array("left_out").orElse(JsonArray.EMPTY))
                        .put("complete", step.value("complete").orElse(JsonValue.of(false)))
                        .build());
    }
}
