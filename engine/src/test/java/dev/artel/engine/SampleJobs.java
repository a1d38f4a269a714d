package dev.artel.engine;

import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.task.JobData;
import java.time.Instant;

/// A plain job for the tests of the engine.
public final class SampleJobs {
    /// What its client wants.
    public static final JobSpec SPEC =
            new JobSpec(
                    new BlueprintRef("b", "1", "graph"),
                    "start",
                    "client",
                    JobData.EMPTY,
                    JobOptions.DEFAULTS,
                    JobSpec.CURRENT_RULES);

    private SampleJobs() {}

    /// The job as it was submitted.
    public static Job submitted(String id, Instant at) {
        return after(new JobState.Unsubmitted(new JobId(id)), new JobCommand.Submit(SPEC, at));
    }

    /// The job after a command, which must be accepted.
    public static Job after(JobState state, JobCommand command) {
        if (Jobs.decide(state, command) instanceof Decision.Accepted accepted
                && accepted.after() instanceof Job job) {
            return job;
        }
        throw new AssertionError(command + " was not accepted");
    }
}
