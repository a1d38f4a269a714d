package dev.artel.server.api.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobEvent.JobEnded;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobState.Unsubmitted;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.task.Payload;
import dev.artel.testkit.store.SampleAppends;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MetricsTest {
    /// Trap: the timer drops a negative duration, and the job is in no figure.
    @Test
    void aJobThatEndsBeforeItsSubmissionByTheClock_tookNoTime() {
        var submission = SampleAppends.PLAIN.submit("j").events();
        var job = (Job) Jobs.evolve(new Unsubmitted(new JobId("j")), submission).after();
        var earlier = job.submitted().minus(Duration.ofHours(1));
        List<JobEvent> end = List.of(new JobEnded(new JobOutcome.Finished(Payload.EMPTY), earlier));

        try (var metrics = new Metrics()) {
            metrics.happened(job, end);

            assertThat(metrics.text().lines().filter(line -> line.contains("job_duration")))
                    .anyMatch(line -> line.contains("_count{") && line.endsWith(" 1"))
                    .anyMatch(line -> line.contains("_sum{") && line.endsWith(" 0.0"));
        }
    }
}
