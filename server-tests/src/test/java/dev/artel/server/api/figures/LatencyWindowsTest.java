package dev.artel.server.api.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class LatencyWindowsTest {
    private final LatencyWindows windows = new LatencyWindows(2);

    private LatencyWindows.Percentiles of(String name) {
        return Objects.requireNonNull(windows.all().get(name), name);
    }

    @Test
    void percentiles_areThoseOfAllThatWasRecorded() {
        for (var millis = 1; millis <= 1000; millis++) {
            windows.record("paint", Duration.ofMillis(millis));
        }

        var found = of("paint");

        assertThat(found.count()).isEqualTo(1000);
        assertThat(found.p50()).isBetween(495L, 505L);
        assertThat(found.p95()).isBetween(940L, 960L);
        assertThat(found.p99()).isBetween(980L, 1000L);
    }

    @Test
    void whatIsOlderThanFiveMinutes_isGone() {
        windows.record("paint", Duration.ofMillis(10));
        for (var minute = 0; minute < 5; minute++) {
            windows.turn();
        }
        assertThat(windows.all()).containsKey("paint");

        windows.turn();

        assertThat(windows.all()).isEmpty();
    }

    @Test
    void namesWithoutRoom_areCountedTogether_untilOthersAreIdle() {
        windows.record("a", Duration.ofMillis(1));
        windows.record("b", Duration.ofMillis(1));
        windows.record("c", Duration.ofMillis(1));
        windows.record("d", Duration.ofMillis(1));
        assertThat(windows.all().keySet()).containsExactly("a", "b", LatencyWindows.OTHER);
        assertThat(of(LatencyWindows.OTHER).count()).isEqualTo(2);

        for (var minute = 0; minute < 6; minute++) {
            windows.turn();
        }
        windows.record("c", Duration.ofMillis(1));

        assertThat(windows.all().keySet()).containsExactly("c");
    }

    @Test
    void whatTakesTooLongOrNoTime_isCounted() {
        windows.record("paint", Duration.ofDays(1000));
        windows.record("paint", Duration.ofSeconds(-1));

        assertThat(of("paint").count()).isEqualTo(2);
    }
}
