package dev.artel.examples.photos.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WorkerProcessesTest {
    @Test
    void leasesAreShort_butNotOnABusyMachine() {
        assertThat(WorkerProcesses.lease(-0.5)).isEqualTo(Duration.ofMillis(2500));
        assertThat(WorkerProcesses.lease(0.3)).isEqualTo(Duration.ofMillis(2500));
        assertThat(WorkerProcesses.lease(2)).isEqualTo(Duration.ofSeconds(5));
        assertThat(WorkerProcesses.lease(40)).isEqualTo(Duration.ofMillis(7500));
    }
}
