package dev.artel.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.budget.Spending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PricesFileTest {
    @TempDir private Path folder;

    private PricesFile.Reading read(String text) throws IOException {
        Files.writeString(folder.resolve(PricesFile.NAME), text);
        return PricesFile.read(Optional.of(folder));
    }

    @Test
    void pricesAreRead_byTaskType() throws IOException {
        var reading =
                read(
                        """
                        [summarize]
                        cost_usd = "0.25"
                        tokens = 20000
                        [fetch]
                        calls = 3
                        """);

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.prices())
                .isEqualTo(
                        Map.of(
                                "summarize",
                                new Spending(250_000_000, 20_000, 0, 0),
                                "fetch",
                                new Spending(0, 0, 0, 3)));
    }

    @Test
    void whatIsNoPrice_isAProblem() throws IOException {
        var reading = read("[summarize]\ncost_usd = \"cheap\"\ntokens = -1\n");

        assertThat(reading.problems())
                .hasSize(2)
                .anyMatch(it -> it.contains("money is a decimal number"))
                .anyMatch(it -> it.contains("must be a whole number from 0"));
    }

    @Test
    void withoutAFile_thereAreNone() {
        assertThat(PricesFile.read(Optional.of(folder)).prices()).isEmpty();
    }
}
