package dev.artel.engine.core;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.List;

/// Small jobs, offers and workers for the tests of the cores.
final class Samples {
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final WorkerId WORKER = new WorkerId("w");
    static final TaskSpec TASK = TaskSpec.of("work", JsonObject.EMPTY);
    static final WorkerProfile PROFILE = WorkerProfile.of(WORKER, List.of("work"), 2);

    private Samples() {}

    static JobId job(String name) {
        return new JobId(name);
    }

    static JobsInput.Begun submit(String job, long requestId) {
        return new JobsInput.Begun(
                job(job), new JobCommand.Submit(SampleJobs.SPEC, NOW), requestId);
    }

    /// The answer to a step: dispatch one task.
    static JobsInput.Given dispatch(String job, EffectId step) {
        var action =
                Action.dispatch(
                        TaskSpec.of("work", JsonObject.EMPTY), Outcomes.on("success", "next"));
        return new JobsInput.Given(
                job(job),
                new JobCommand.CompleteStep(step, action, List.of(), NOW),
                JobsInput.Given.NO_REPLY);
    }

    static Effect.Offer offer(int task, double priority, Instant opened) {
        return offer(TASK, task, priority, opened);
    }

    /// An offer of another type.
    static Effect.Offer offer(String type, int task, Instant opened) {
        return offer(TaskSpec.of(type, JsonObject.EMPTY), task, 0, opened);
    }

    private static Effect.Offer offer(TaskSpec spec, int task, double priority, Instant opened) {
        return new Effect.Offer(
                new EffectId(1, task),
                task,
                1,
                TaskOutline.of("blueprint", spec),
                priority,
                "client",
                opened,
                opened,
                List.of());
    }
}
