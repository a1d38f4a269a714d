package dev.artel.examples.photos.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.TaskResult;
import dev.artel.examples.photos.AlbumResults;
import dev.artel.examples.photos.album.Album.LeftOut;
import dev.artel.examples.photos.job.Ended.Descriptions;
import dev.artel.examples.photos.job.Ended.Thumbnails;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JoinedTest {
    private static final List<Path> TWO = List.of(Path.of("/p/cat.jpg"), Path.of("/p/dog.jpg"));

    private static Joined joined(
            List<TaskResult<AlbumResults.Resized>> resized,
            List<TaskResult<AlbumResults.Described>> described) {
        return Joined.of(TWO, Thumbnails.of(resized).all(), Descriptions.of(described).all());
    }

    @Test
    void aFileThatIsNoPicture_isLeftOutOnce_andTheAlbumIsComplete() {
        var wrong = "cannot read dog.jpg as a picture: it is empty";

        var joined =
                joined(
                        List.of(resized(0, 1), failed(1, TaskResult.Kind.INVALID_INPUT, wrong)),
                        List.of(described(0, 2), failed(1, TaskResult.Kind.INVALID_INPUT, wrong)));

        assertThat(joined.photos()).hasSize(1);
        assertThat(joined.leftOut())
                .containsExactly(new LeftOut("dog.jpg", "is no picture: it is empty"));
        assertThat(joined.isComplete()).isTrue();
        assertThat(joined.moved()).isEqualTo(1);
    }

    @Test
    void aPictureThatCouldNotBeRead_makesTheAlbumIncomplete() {
        var joined =
                joined(
                        List.of(resized(0, 1), resized(1, 1)),
                        List.of(
                                failed(0, TaskResult.Kind.TRANSIENT, "disk on fire"),
                                described(1, 1)));

        assertThat(joined.leftOut()).containsExactly(new LeftOut("cat.jpg", "disk on fire"));
        assertThat(joined.isComplete()).isFalse();
    }

    @Test
    void whereThereIsNoPhotograph_theFirstReasonIsNamed() {
        var joined =
                joined(
                        List.of(new TaskResult.Cancelled<>(0), resized(1, 1)),
                        List.of(described(0, 1), new TaskResult.Cancelled<>(1)));

        assertThat(joined.photos()).isEmpty();
        assertThat(joined.whyEmpty())
                .isEqualTo("none of 2 files can be shown; cat.jpg was cancelled");
    }

    private static TaskResult<AlbumResults.Resized> resized(int index, int attempt) {
        return new TaskResult.Succeeded<>(
                index,
                "success",
                new AlbumResults.Resized("a", "b", 1, 1, 1, "ada", attempt, 1),
                "ada",
                attempt);
    }

    private static TaskResult<AlbumResults.Described> described(int index, int attempt) {
        var camera = new AlbumResults.Camera(null, null, null, null, null, null, null, null);
        return new TaskResult.Succeeded<>(
                index,
                "success",
                new AlbumResults.Described(
                        "a", "grey", "png", 1, 1, 1, 1, 1, List.of(), camera, "ada", attempt, 1),
                "ada",
                attempt);
    }

    private static <R> TaskResult<R> failed(int index, TaskResult.Kind kind, String message) {
        return new TaskResult.Failed<>(index, kind, "CODE", message);
    }
}
