package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RunningJobsTest {
    private static final long LARGE = RunningJobs.NEGLIGIBLE;

    private final RunningJobs<String> jobs = new RunningJobs<>(8 * LARGE);

    /// Trap: sixty-four handlers of one client wait for something, each with a job of 12 MB.
    @Test
    void aClient_hasHalfOfWhatOthersLeave_andOneJobHoweverLarge() {
        assertThat(jobs.begin("eve", 3 * LARGE, "a")).isPresent();
        assertThat(jobs.begin("eve", LARGE, "b")).isPresent();

        assertThat(jobs.begin("eve", LARGE, "c")).isEmpty();

        assertThat(jobs.begin("eve", LARGE - 1, "small")).isPresent();
        assertThat(jobs.begin("bob", 2 * LARGE, "d")).isPresent();
        assertThat(jobs.begin("bob", LARGE, "e")).isEmpty();
        assertThat(jobs.begin("carl", 100 * LARGE, "f")).isPresent();
        assertThat(jobs.waiting()).isEqualTo(2);
        assertThat(jobs.next()).isEmpty();
    }

    @Test
    void whatWaits_beginsWhenThereIsRoom() {
        var first = jobs.begin("eve", 4 * LARGE, "a").orElseThrow();
        assertThat(jobs.begin("eve", 4 * LARGE, "b")).isEmpty();
        assertThat(jobs.begin("eve", LARGE, "c")).isEmpty();

        first.run();

        assertThat(jobs.next()).containsExactly("b");
        assertThat(jobs.begin("eve", 4 * LARGE, "b")).isPresent();
        assertThat(jobs.next()).isEmpty();
        assertThat(jobs.waiting()).isEqualTo(1);
    }
}
