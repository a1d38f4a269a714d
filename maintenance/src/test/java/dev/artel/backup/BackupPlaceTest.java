package dev.artel.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.artel.config.BackupSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BackupPlaceTest {
    private static final int LENGTH = 64 << 20;
    private static final long MEMORY = 8 << 20;

    @TempDir private Path folder;
    private BackupPlace place;

    @BeforeEach
    void open() {
        var target = BackupSettings.Target.of(folder.resolve("copy").toString());
        place = BackupPlace.open(BackupSettings.DEFAULTS.withTo(target));
    }

    @AfterEach
    void close() {
        place.close();
    }

    /// Trap: a jar, or whatever somebody puts into the data folder, is in memory as a whole.
    @Test
    void aLargeFile_isCopiedPieceByPiece_andRestoredSo() throws IOException {
        var file = folder.resolve("large.jar");
        try (var large = new RandomAccessFile(file.toFile(), "rw")) {
            large.setLength(LENGTH);
        }
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadAllocatedBytes();

        var digest = place.keep(file, LENGTH);
        place.copy(digest, folder.resolve("restored.jar"));

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MEMORY);
        assertThat(Files.mismatch(file, folder.resolve("restored.jar"))).isEqualTo(-1);
    }

    @Test
    void ofAFileThatGrows_theBeginningIsKept() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "first and more");

        assertThat(place.read(place.keep(file, 5))).asString().isEqualTo("first");
    }

    @Test
    void aFileThatIsShorterThanBefore_isRefused_andNothingIsKept() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "short");

        assertThatThrownBy(() -> place.keep(file, 6))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 6 bytes");
        assertThat(place.objects().list("", 10)).isEmpty();
    }
}
