package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobRow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RecentJobsTest {
    private static RecentJob job(String id, String error) {
        return new RecentJob(
                1,
                1,
                new JobRow(
                        new JobId(id),
                        "film",
                        "acme",
                        "failed",
                        "failed",
                        true,
                        0,
                        new LinkedHashMap<>(),
                        Instant.EPOCH,
                        Instant.EPOCH,
                        Optional.of(error)));
    }

    /// Trap: ten thousand jobs are remembered whatever each of them takes.
    @Test
    void jobsBeyondTheRoom_areForgotten_theEldestFirst() {
        var jobs = new RecentJobs(20_000);
        for (var i = 0; i < 100; i++) {
            jobs.change("j" + i, null, job("j" + i, "x".repeat(1_000)));
        }
        jobs.commit();

        assertThat(jobs.size()).isEqualTo(7);
        assertThat(jobs.find("j99")).isNotNull();
        assertThat(jobs.find("j92")).isNull();

        jobs.forget("j99");
        jobs.remember("j1", job("j1", "short"));
        assertThat(jobs.size()).isEqualTo(7);
    }

    @Test
    void aJobThatIsLargerThanTheRoom_isRememberedAlone() {
        var jobs = new RecentJobs(1_000);
        jobs.remember("j1", job("j1", "short"));
        jobs.remember("j2", job("j2", "x".repeat(1_000)));

        assertThat(jobs.size()).isOne();
        assertThat(jobs.find("j2")).isNotNull();
    }
}
