package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GatesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String KEY = "api";
    private static final int FEW = 100;

    private final Gates gates = new Gates();

    private List<Gates.Pass> pass(int tasks) {
        var rate = Rate.of(tasks, Duration.ofSeconds(1));
        return gates.named(List.of(SharedLimit.rate(KEY, rate)));
    }

    /// Trap: a blueprint computes the rate of a key that is never idle, and each one that it ever named stays in memory.
    @Test
    void ratesThatNobodyUsesAnyMore_areForgotten_alsoWhileTheirKeyIsInUse() {
        gates.at(NOW);
        gates.join(pass(1));

        for (var i = 1; i <= 10_000; i++) {
            gates.at(NOW.plusSeconds(i));
            assertThat(gates.closed(pass(i))).isNull();
        }

        assertThat(gates.rates(KEY)).isLessThan(FEW);
    }
}
