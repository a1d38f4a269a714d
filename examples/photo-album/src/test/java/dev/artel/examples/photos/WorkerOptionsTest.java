package dev.artel.examples.photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.examples.photos.PhotoTasks.Skill;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerOptionsTest {
    private static final Map<String, String> TOKEN = Map.of("ARTEL_WORKER_TOKEN", "secret");

    @TempDir private Path folder;

    @Test
    void whatIsNotSet_hasASensibleDefault() {
        var options =
                WorkerOptions.of(
                        List.of("--orchestrator", "http://localhost:8080", "--name", "p"), TOKEN);

        assertThat(options.orchestrator()).isEqualTo(URI.create("http://localhost:8080"));
        assertThat(options.skills()).containsExactly(Skill.values());
        assertThat(options.slowness()).isZero();
        assertThat(options.token()).isEqualTo("secret");
    }

    @Test
    void everythingCanBeSet() throws IOException {
        var file = Files.writeString(folder.resolve("token"), "from-file\n");

        var options =
                WorkerOptions.of(
                        List.of(
                                "--orchestrator",
                                "https://artel.example",
                                "--name",
                                "p",
                                "--token-file",
                                file.toString(),
                                "--skills",
                                "resize_image, contact_sheet",
                                "--root",
                                folder.toString(),
                                "--concurrency",
                                "3",
                                "--lease-ms",
                                "2000",
                                "--slow-ms",
                                "700"),
                        TOKEN);

        assertThat(options.token()).isEqualTo("from-file");
        assertThat(options.skills()).containsExactly(Skill.RESIZE_IMAGE, Skill.CONTACT_SHEET);
        assertThat(options.concurrency()).isEqualTo(3);
        assertThat(options.lease()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.slowness()).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void allThatIsWrong_isReportedAtOnce() {
        var arguments =
                List.of(
                        "--orchestrator",
                        "localhost",
                        "--skills",
                        "paint",
                        "--slow-ms",
                        "soon",
                        "--colour",
                        "red",
                        "--name");

        assertThatThrownBy(() -> WorkerOptions.of(arguments, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "--name needs a value",
                        "unknown option --colour",
                        "--orchestrator is a URL like http://localhost:8080, was localhost",
                        "no token; give --token-file or set ARTEL_WORKER_TOKEN",
                        "there is no skill 'paint'",
                        "--slow-ms is a whole number from 0 to 600000, was soon");
    }

    @Test
    void theTokenIsNotShown() {
        var options =
                WorkerOptions.of(
                        List.of("--orchestrator", "http://localhost:8080", "--name", "p"), TOKEN);

        assertThat(options.toString()).doesNotContain("secret");
    }
}
