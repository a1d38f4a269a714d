package dev.artel.maintenance;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenFilesTest {
    @TempDir private Path folder;

    @Test
    void aProcessThatHasAFileOpen_isNamed() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "there is no /proc");
        var file = Files.createFile(folder.resolve("artel.db")).toRealPath();
        var holder = new ProcessBuilder("tail", "-f", file.toString()).start();
        try {
            await().untilAsserted(() ->
                    assertThat(OpenFiles.holders(file, ""))
                            .containsExactly("tail (" + holder.pid() + ")"));
            assertThat(OpenFiles.holders(file, Long.toString(holder.pid()))).isEmpty();
        } finally {
            holder.destroy();
            holder.waitFor();
        }
        assertThat(OpenFiles.holders(file, "")).isEmpty();
    }
}
