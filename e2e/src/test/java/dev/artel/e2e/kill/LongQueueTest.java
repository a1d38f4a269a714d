package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What waits takes less memory than it has parameters.
@Tag("long")
@Timeout(Await.HUNG)
final class LongQueueTest {
    @TempDir Path folder;

    /// Trap: 100,000 tasks that wait with 2 KB each, 200 MB together, or what their jobs join, fill the memory.
    @Test
    void aHundredThousandTasksWithTwoKilobytesEach_fitIntoASmallHeap_andSoDoTheirJoins()
            throws Exception {
        var log = folder.resolve("queue.log");
        try (var process =
                Jvm.start(
                        "256m",
                        System.getProperty("java.class.path"),
                        LongQueue.class,
                        Map.of(),
                        log,
                        List.of(folder.toString()))) {
            assertThat(process.awaitEnd()).as(() -> readable(log)).isZero();
        }

        assertThat(Files.readAllLines(log))
                .contains("queued " + LongQueue.JOBS * LongQueue.TASKS_OF_A_JOB)
                .filteredOn(line -> line.startsWith("finished "))
                .hasSize(LongQueue.JOBS);
    }

    private static String readable(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException gone) {
            return "the log cannot be read: " + gone;
        }
    }
}
