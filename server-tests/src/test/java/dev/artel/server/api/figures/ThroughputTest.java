package dev.artel.server.api.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ThroughputTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:02Z");

    private final Throughput throughput = new Throughput(BEGIN);

    private static List<Long> series(JsonObject document, String name) {
        return document.array(name).orElseThrow().values().stream()
                .map(value -> ((JsonNumber) value).asLong())
                .toList();
    }

    @Test
    void stepsAreComplete_andMoveOn_alsoOverAPause() {
        throughput.sample(BEGIN);
        assertThat(throughput.minutes().string("from")).contains("2029-12-31T23:50:00Z");
        assertThat(series(throughput.minutes(), "submitted")).hasSize(120).containsOnly(0L);
        assertThat(series(throughput.hours(), "failed")).hasSize(180).containsOnly(0L);

        throughput.sample(BEGIN.plus(Duration.ofSeconds(5)));
        assertThat(throughput.minutes().string("from")).contains("2029-12-31T23:50:05Z");
        throughput.sample(BEGIN.plus(Duration.ofDays(2)));
        assertThat(throughput.minutes().string("from")).contains("2030-01-02T23:50:00Z");
        throughput.sample(BEGIN);
        assertThat(throughput.minutes().string("from"))
                .as("a clock that was set back")
                .contains("2030-01-02T23:50:00Z");
    }
}
