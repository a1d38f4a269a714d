package dev.artel.redis;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskResult;
import dev.artel.kernel.task.TaskSpec;

/// The blueprint of jobs that are one task of Redis: its result is that of the job, and when all its attempts have failed so has the job,
/// which waits for nobody.
public final class RedisTaskBlueprint {
    /// Its name.
    public static final String NAME = "redis_task";

    /// The member of the job's result that has the task's.
    static final String RESULT = "value";

    /// The first one and three retries, as in the contract: of failures, and of losses with a worker.
    private static final int ATTEMPTS = 4;

    private RedisTaskBlueprint() {}

    /// To be registered with an orchestrator. A job of it fails where its task is of a type that `rights` does not have, whichever client has
    /// submitted it.
    public static Blueprint blueprint(RedisTaskRights rights) {
        return Blueprint.named(NAME)
                .start("work", step -> work(step, rights))
                .leadingTo("done", "failed")
                .state("done", step -> Action.finish(step.data()))
                .state("failed", step -> Action.fail(reason(step)))
                .build();
    }

    private static Action work(Step step, RedisTaskRights rights) {
        var type = step.initialData().string("type").orElse("");
        var problem = rights.problemOfType(type);
        if (problem.isPresent()) {
            return Action.fail("INVALID_INPUT: " + problem.get());
        }
        var params = step.initialData().object("params").orElse(JsonObject.EMPTY);
        var task = TaskSpec.of(type, params).withResultAs(RESULT);
        var limits =
                new TaskLimits(
                        task.limits().retry().withMaxAttempts(ATTEMPTS),
                        ATTEMPTS,
                        task.limits().dispatchDeadline(),
                        task.limits().executionTimeout());
        return Action.dispatch(
                task.withLimits(limits),
                Outcomes.on("success", "done").and(Outcomes.FAILED, "failed"));
    }

    /// The kind of the failure, and its message.
    private static String reason(Step step) {
        return step.results().stream()
                .filter(TaskResult.Failed.class::isInstance)
                .map(failed -> ((TaskResult.Failed) failed).error())
                .map(error -> error.kind() + ": " + error.message())
                .findFirst()
                .orElse("the task was cancelled");
    }
}
