package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.StepCause;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.TaskResult;
import java.util.ArrayList;
import java.util.List;

/// Shows a job to a handler.
final class StepView {
    private final LargeValues largeValues;

    StepView(LargeValues largeValues) {
        this.largeValues = largeValues;
    }

    Step of(Job job, Effect.RunStep step) {
        return new Step(
                job.id(),
                step.state(),
                step.attempt(),
                step.strand(),
                job.spec().client(),
                job.spec().options().labels(),
                largeValues.resolve(job.spec().initialData()),
                largeValues.resolve(job.data()),
                results(job, step.cause()));
    }

    private List<TaskResult> results(Job job, StepCause cause) {
        return switch (cause) {
            case StepCause.TaskEnded(int task, var _) -> results(job, task, 1);
            case StepCause.TasksGathered(int first, int count) -> results(job, first, count);
            case StepCause.Started _, StepCause.Moved _, StepCause.BranchesGathered _ -> List.of();
        };
    }

    private List<TaskResult> results(Job job, int first, int count) {
        var results = new ArrayList<TaskResult>();
        for (var i = 0; i < count; i++) {
            results.add(result(i, job.tasks().get(first + i)));
        }
        return results;
    }

    private TaskResult result(int index, Task task) {
        return switch (task.state()) {
            case Task.Succeeded(var _, var worker, int attempt, var status, var data) ->
                    new TaskResult.Succeeded(
                            index, status, largeValues.resolve(data), worker.value(), attempt);
            case Task.Failed(var error) -> new TaskResult.Failed(index, error);
            case Task.Cancelled _, Task.Planned _, Task.Open _ -> new TaskResult.Cancelled(index);
        };
    }
}
