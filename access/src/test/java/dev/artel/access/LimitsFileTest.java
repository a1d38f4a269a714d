package dev.artel.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LimitsFileTest {
    @TempDir private Path folder;

    private LimitsFile.Reading read(String text) throws IOException {
        Files.writeString(folder.resolve(LimitsFile.NAME), text);
        return LimitsFile.read(Optional.of(folder));
    }

    @Test
    void limitsAreTables_namedByTheirKeys() throws IOException {
        var reading =
                read(
                        """
                        ["type:render"]
                        concurrent = 20
                        ["tenant:*"]
                        concurrent = 3
                        rate = 100
                        per = "1m"
                        [mail]
                        rate = 10
                        per = "PT1S"
                        burst = 30
                        """);

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.limits())
                .containsExactly(
                        SharedLimit.concurrent("type:render", 20),
                        SharedLimit.concurrent("tenant:*", 3)
                                .withRate(Rate.of(100, Duration.ofMinutes(1))),
                        SharedLimit.rate("mail", new Rate(10, Duration.ofSeconds(1), 30)));
    }

    @Test
    void withoutAFile_thereAreNone() {
        assertThat(LimitsFile.read(Optional.of(folder)).limits()).isEmpty();
        assertThat(LimitsFile.read(Optional.empty()).limits()).isEmpty();
    }

    @Test
    void everythingThatIsWrong_isReportedTogether() throws IOException {
        var reading =
                read(
                        """
                        [nothing]
                        [zero]
                        concurrent = 0
                        [half]
                        rate = 5
                        [when]
                        rate = 5
                        per = "soon"
                        [bursting]
                        burst = 5
                        [long]
                        rate = 5
                        per = "40d"
                        [odd]
                        concurrent = 1
                        concurent = 2
                        """);

        assertThat(reading.problems())
                .containsExactly(
                        "limits.toml:1: nothing limits nothing; give concurrent, or rate and per",
                        "limits.toml:3: zero.concurrent must be a whole number from 1 to 1000000, was 0",
                        "limits.toml:4: half needs both rate and per, such as rate = 10 and per = \"1s\"",
                        "limits.toml:8: when.per must be a time such as 1s, 5m or 1h, was 'soon'",
                        "limits.toml:10: bursting.burst sets how many of a rate may come at once; give"
                                + " rate and per, too",
                        "limits.toml:11: long: a rate must be per a time from PT0.001S to P1D, was PT960H");
        assertThat(reading.warnings())
                .singleElement()
                .asString()
                .startsWith("limits.toml:16: odd.concurent ");
    }

    /// Trap: TOML knows numbers that nothing else here knows, and the message names the file alone.
    @Test
    void aValueThatCannotBeUsedAtAll_isReportedWithItsLine() throws IOException {
        assertThat(read("[a]\nconcurrent = 1\n[b]\nconcurrent = nan\n").problems())
                .singleElement()
                .asString()
                .startsWith("limits.toml:4: b.concurrent has a value that cannot be used here");
    }
}
