package dev.artel.examples.photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demo as people run it: a process that starts others.
final class PhotoAlbumDemoIT {
    private static final long TIMEOUT_SECONDS = 180;

    @TempDir private Path folder;

    private record Run(int exitCode, String output) {}

    @BeforeEach
    void twoPhotographsAndATextThatCallsItselfOne() throws IOException {
        var photos = Files.createDirectory(folder.resolve("summer-days"));
        for (var name : List.of("march-cat.jpg", "picos-de-europa.jpg")) {
            Files.copy(Path.of("photos", name), photos.resolve(name));
        }
        Files.writeString(photos.resolve("diary.jpg"), "Dear diary");
        Files.writeString(photos.resolve("shopping.txt"), "Bread");
    }

    @Test
    void theAlbumIsComplete_inTheSecondRunOnTheSameDataToo() throws Exception {
        var first = demo("summer-days");
        var second = demo("summer-days");

        for (var run : List.of(first, second)) {
            assertThat(run.output())
                    .contains(
                            "Killed the worker",
                            "2 photographs",
                            "diary.jpg is no picture",
                            "/#code=");
            assertThat(run.exitCode()).as(run.output()).isZero();
        }
        assertThat(Files.readString(folder.resolve("album/index.html")))
                .contains("Summer days", "Picos de europa", "March cat", "diary.jpg")
                .doesNotContain("shopping");
        assertThat(folder.resolve("album/contact-sheet.png")).isNotEmptyFile();
        assertThat(folder.resolve("album/thumbnails"))
                .isDirectoryContaining("glob:**march-cat.jpg");
        // One that had to be killed may be there a moment longer than the demo.
        assertThat(ProcessHandle.allProcesses().filter(this::isWorkerOfThisTest))
                .allSatisfy(worker ->
                        assertThat(worker.onExit())
                                .succeedsWithin(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void eachWorkerMayHaveAnotherWire() throws Exception {
        var run = demo("summer-days", "--wire", "mixed");

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("over http://", "over ws://", "over zmq://", "2 photographs");
    }

    @Test
    void aMissingFolder_isReportedInOneLine() throws Exception {
        var run = demo("winter-days");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.output())
                .startsWith("artel demo: no folder " + folder.resolve("winter-days"))
                .hasLineCount(1);
    }

    private boolean isWorkerOfThisTest(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(folder.toString());
    }

    private Run demo(String photos, String... more) throws IOException, InterruptedException {
        var output = folder.resolve("output.txt");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(PhotoAlbumDemo.class.getName());
        command.addAll(List.of("--photos", folder.resolve(photos).toString(), "--exit"));
        command.addAll(List.of("--out", folder.resolve("album").toString()));
        command.addAll(List.of(more));
        command.addAll(List.of("--data", folder.resolve("data").toString(), "--port", "0"));
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .as("ended within %d s", TIMEOUT_SECONDS)
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(output));
    }
}
