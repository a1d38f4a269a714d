package dev.artel.server.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeathsTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "1999-12-31T23:59:59Z",
                "2000-02-29T12:34:56Z",
                "2026-11-22T19:05:07Z",
                "2100-03-01T00:00:01Z"
            })
    void aLine_hasTheTime_theJobAndWhatHappened(String at) throws Exception {
        var deaths = Deaths.in(folder);

        deaths.add(
                new JobId("poison"),
                Instant.parse(at).getEpochSecond(),
                "artel-coordinator",
                ": x");
        deaths.force();

        assertThat(Files.readAllLines(folder.resolve("deaths.txt")))
                .containsExactly(at + " poison artel-coordinator: x");
    }

    /// Trap: a message of several lines, or of many, makes a file that nobody reads, and jobs that nobody set aside.
    @Test
    void whateverAnErrorSays_isOneLineOfALimitedLength() throws Exception {
        Deaths.in(folder).add(new JobId("poison"), 0, "a\nb\r\u0000c\u2603", "x".repeat(100_000));

        assertThat(Files.readAllLines(folder.resolve("deaths.txt")))
                .singleElement()
                .asString()
                .startsWith("1970-01-01T00:00:00Z poison a b  c?xxx")
                .hasSizeLessThan(1_000);
    }
}
