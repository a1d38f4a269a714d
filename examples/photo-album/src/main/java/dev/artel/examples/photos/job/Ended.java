package dev.artel.examples.photos.job;

import dev.artel.blueprint.TaskResult;
import dev.artel.examples.photos.AlbumResults;
import java.util.List;
import java.util.Optional;

/// What the job keeps of its tasks while it goes on: one entry for each picture, in their order.
final class Ended {
    /// The files of the folder.
    record Pictures(List<String> files) {}

    /// Why a task has brought nothing.
    ///
    /// @param isNoPicture whether the file is none, so that nothing is missing without it
    record Failure(String reason, boolean isNoPicture) {}

    /// Exactly one of both.
    record Thumbnail(Optional<AlbumResults.Resized> made, Optional<Failure> failure) {}

    record Thumbnails(List<Thumbnail> all) {
        static Thumbnails of(List<TaskResult<AlbumResults.Resized>> results) {
            return new Thumbnails(
                    results.stream()
                            .map(result -> new Thumbnail(value(result), failure(result)))
                            .toList());
        }
    }

    /// Exactly one of both.
    record Description(Optional<AlbumResults.Described> made, Optional<Failure> failure) {}

    record Descriptions(List<Description> all) {
        static Descriptions of(List<TaskResult<AlbumResults.Described>> results) {
            return new Descriptions(
                    results.stream()
                            .map(result -> new Description(value(result), failure(result)))
                            .toList());
        }
    }

    private Ended() {}

    private static <R> Optional<R> value(TaskResult<R> result) {
        return result instanceof TaskResult.Succeeded<R> done
                ? Optional.of(done.value())
                : Optional.empty();
    }

    private static Optional<Failure> failure(TaskResult<?> result) {
        return switch (result) {
            case TaskResult.Succeeded<?> _ -> Optional.empty();
            case TaskResult.Failed<?> failed ->
                    Optional.of(
                            new Failure(
                                    failed.message(),
                                    failed.kind() == TaskResult.Kind.INVALID_INPUT));
            case TaskResult.Cancelled<?> _ -> Optional.of(new Failure("was cancelled", false));
        };
    }
}
