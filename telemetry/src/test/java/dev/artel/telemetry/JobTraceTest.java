package dev.artel.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.task.JobData;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Which jobs are traced.
final class JobTraceTest {
    private static JobSpec spec(JobOptions options) {
        return new JobSpec(
                new BlueprintRef("b", "1", ""),
                "begin",
                "alice",
                JobData.EMPTY,
                options,
                JobSpec.CURRENT_RULES);
    }

    private static boolean isSampled(int job, JobSpec spec, double ratio) {
        var id = new JobId("job-" + job);
        var isSampled = JobTrace.isSampled(id, spec, ratio);
        assertThat(JobTrace.of(id, spec, ratio).isSampled()).isEqualTo(isSampled);
        return isSampled;
    }

    /// Trap: what is decided before the events of a job are kept differs from what is decided for its spans.
    @Test
    void theRatioOfTheJobs_isSampled_theSameByBothWays() {
        var spec = spec(JobOptions.DEFAULTS);

        assertThat(IntStream.range(0, 2_000).filter(i -> isSampled(i, spec, 0.25)).count())
                .isBetween(400L, 600L);
        assertThat(IntStream.range(0, 200).filter(i -> isSampled(i, spec, 0))).isEmpty();
        assertThat(IntStream.range(0, 200).filter(i -> isSampled(i, spec, 1))).hasSize(200);
    }

    @Test
    void theClientDecides_whereItHasATrace() {
        var trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0";
        var sampled = JobOptions.DEFAULTS.withTrace(Optional.of(new TraceContext(trace + 1, "")));
        var not = JobOptions.DEFAULTS.withTrace(Optional.of(new TraceContext(trace + 0, "")));

        assertThat(isSampled(1, spec(sampled), 0)).isTrue();
        assertThat(isSampled(1, spec(not), 1)).isFalse();
    }
}
