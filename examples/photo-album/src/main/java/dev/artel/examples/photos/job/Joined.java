package dev.artel.examples.photos.job;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskResult;
import dev.artel.kernel.task.TaskResult.Cancelled;
import dev.artel.kernel.task.TaskResult.Failed;
import dev.artel.kernel.task.TaskResult.Succeeded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What became of the pictures of an album.
///
/// @param photos what a page shows, as `contact_sheet` takes it
/// @param isComplete whether nothing was left out that is a picture
/// @param moved how many tasks were done at a later attempt than the first
record Joined(List<JsonValue> photos, List<LeftOut> leftOut, boolean isComplete, long moved) {

    /// A file that stays out of the album, and why.
    record LeftOut(String file, String reason) {}

    /// Two results belong to each picture, in the order of the pictures.
    static Joined of(List<Path> pictures, List<TaskResult> results) {
        var photos = new ArrayList<JsonValue>();
        var leftOut = new ArrayList<LeftOut>();
        var complete = true;
        for (var i = 0; i < pictures.size(); i++) {
            var file = pictures.get(i).getFileName().toString();
            var resized = results.get(2 * i);
            var described = results.get(2 * i + 1);
            if (resized instanceof Succeeded small && described instanceof Succeeded words) {
                photos.add(JsonObject.of("resized", small.data(), "described", words.data()));
            } else {
                var failed = resized instanceof Succeeded ? described : resized;
                leftOut.add(new LeftOut(file, reason(file, failed)));
                complete &= isNoPicture(failed);
            }
        }
        var moved =
                results.stream()
                        .filter(result -> result instanceof Succeeded done && done.attempt() > 1)
                        .count();
        return new Joined(photos, leftOut, complete, moved);
    }

    private static boolean isNoPicture(TaskResult result) {
        return result instanceof Failed(int _, var error)
                && error.kind() == ErrorClass.INVALID_INPUT;
    }

    private static String reason(String file, TaskResult result) {
        return switch (result) {
            case Failed(int _, TaskError error) ->
                    error.message()
                            .replace("cannot read " + file + " as a picture: ", "is no picture: ");
            case Cancelled _ -> "was cancelled";
            case Succeeded _ -> throw new IllegalStateException(file + " was not left out");
        };
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

    JsonArray leftOutJson() {
        return new JsonArray(leftOut.stream().map(Joined::json).toList());
    }

    private static JsonValue json(LeftOut left) {
        return JsonObject.of(
                "file", JsonValue.of(left.file()), "reason", JsonValue.of(left.reason()));
    }

    JsonArray facts(JobId job) {
        var tasks = 2 * (photos.size() + leftOut.size()) + 1;
        return JsonArray.of(
                fact("Job", job.value()),
                fact("Photographs", Integer.toString(photos.size())),
                fact("Tasks", Integer.toString(tasks)),
                fact("Taken up again", Long.toString(moved)));
    }

    private static JsonValue fact(String label, String value) {
        return JsonObject.of("label", JsonValue.of(label), "value", JsonValue.of(value));
    }
}
