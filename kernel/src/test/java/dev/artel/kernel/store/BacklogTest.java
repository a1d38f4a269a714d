package dev.artel.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BacklogTest {
    private static final Optional<Duration> LONG = Optional.of(Duration.ofMinutes(5));

    @Test
    void aReader_isAnObstacleOnlyWhenTheDiskGetsScarce() {
        assertThat(new Backlog(1 << 30, LONG, 1L << 40).obstacle()).isEmpty();
        assertThat(new Backlog(1 << 30, LONG, 100 << 20).obstacle())
                .get()
                .asString()
                .contains("1024 MiB")
                .contains("300 s")
                .contains("100 MiB left");
    }

    @Test
    void aLogThatNobodyHolds_isNone() {
        assertThat(new Backlog(1 << 30, Optional.empty(), 0).obstacle()).isEmpty();
    }
}
