package dev.artel.examples.photos.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.examples.photos.job.Joined.LeftOut;
import dev.artel.json.JsonObject;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskResult;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JoinedTest {
    private static final List<Path> TWO = List.of(Path.of("/p/cat.jpg"), Path.of("/p/dog.jpg"));

    @Test
    void aFileThatIsNoPicture_isLeftOutOnce_andTheAlbumIsComplete() {
        var wrong = "cannot read dog.jpg as a picture: it is empty";

        var joined =
                Joined.of(
                        TWO,
                        List.of(
                                done(0, 1),
                                done(1, 2),
                                failed(2, ErrorClass.INVALID_INPUT, wrong),
                                failed(3, ErrorClass.INVALID_INPUT, wrong)));

        assertThat(joined.photos()).hasSize(1);
        assertThat(joined.leftOut())
                .containsExactly(new LeftOut("dog.jpg", "is no picture: it is empty"));
        assertThat(joined.isComplete()).isTrue();
        assertThat(joined.moved()).isEqualTo(1);
    }

    @Test
    void aPictureThatCouldNotBeRead_makesTheAlbumIncomplete() {
        var joined =
                Joined.of(
                        TWO,
                        List.of(
                                done(0, 1),
                                failed(1, ErrorClass.TRANSIENT, "disk on fire"),
                                done(2, 1),
                                done(3, 1)));

        assertThat(joined.leftOut()).containsExactly(new LeftOut("cat.jpg", "disk on fire"));
        assertThat(joined.isComplete()).isFalse();
    }

    private static TaskResult done(int index, int attempt) {
        return new TaskResult.Succeeded(index, "success", JsonObject.EMPTY, "ada", attempt);
    }

    private static TaskResult failed(int index, ErrorClass kind, String message) {
        return new TaskResult.Failed(index, new TaskError(kind, "CODE", message));
    }
}
