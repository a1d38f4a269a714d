package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.junit.jupiter.api.Test;

final class DeadLetterLogTest {
    private final DeadLetterLog log = new DeadLetterLog("mindbus.main.dlq");

    /// Trap: an account of the broker publishes what cannot be read as fast as it can, and the log fills the disk.
    @Test
    void veryManyDeadLetters_haveSomeLinesAMinute() {
        try (var lines = new LoggedLines(BusQueues.class)) {
            for (var i = 0; i < 1_000; i++) {
                log.add("a message on the bus is refused", "evt.\nnode", "not good");
                log.add("evt.node", new IllegalStateException("a bug"));
            }

            // Gateways of other tests may have lines of other kinds.
            assertThat(lines.texts())
                    .filteredOn(line -> line.contains("evt."))
                    .hasSize(DeadLetterLog.MOST)
                    .first(STRING)
                    .contains("evt.\\u000anode")
                    .doesNotContain("\n");
        }
    }
}
