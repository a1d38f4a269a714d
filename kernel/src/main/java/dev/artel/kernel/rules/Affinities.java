package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.PersistentVector;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.task.TaskSpec;
import java.util.List;
import java.util.Optional;

/// Notes the worker of an earlier task when a task is opened that wants to run there.
final class Affinities {
    private final PersistentVector<Task> tasks;

    Affinities(PersistentVector<Task> tasks) {
        this.tasks = tasks;
    }

    /// Why the first of `specs` that cannot run where it must cannot; empty if all can.
    Optional<String> impossible(List<TaskSpec> specs) {
        for (var spec : specs) {
            var affinity = spec.demand().preferences().affinity();
            if (affinity.isPresent()
                    && affinity.get().required()
                    && settled(affinity.get()).worker().isEmpty()) {
                return Optional.of(
                        "a task of type "
                                + spec.type()
                                + " must run where "
                                + (affinity.get().task() == Affinity.LATEST
                                        ? "an earlier task ran, and no task of the job has a worker"
                                        : "task "
                                                + affinity.get().task()
                                                + " ran, and that has no worker"));
            }
        }
        return Optional.empty();
    }

    List<TaskSpec> settle(List<TaskSpec> specs) {
        return specs.stream().anyMatch(Affinities::isOpen)
                ? specs.stream().map(this::settle).toList()
                : specs;
    }

    private static boolean isOpen(TaskSpec spec) {
        return spec.demand().preferences().affinity().isPresent();
    }

    TaskSpec settle(TaskSpec spec) {
        return spec.demand()
                .preferences()
                .affinity()
                .map(affinity -> spec.demanding(demand -> demand.with(settled(affinity))))
                .orElse(spec);
    }

    private Affinity settled(Affinity affinity) {
        if (affinity.task() != Affinity.LATEST) {
            return workerOf(affinity.task())
                    .map(worker -> affinity.to(affinity.task(), worker))
                    .orElse(new Affinity(affinity.task(), affinity.required(), Optional.empty()));
        }
        for (var task = tasks.size() - 1; task >= 0; task--) {
            var worker = workerOf(task);
            if (worker.isPresent()) {
                return affinity.to(task, worker.get());
            }
        }
        return new Affinity(Affinity.LATEST, affinity.required(), Optional.empty());
    }

    private Optional<WorkerId> workerOf(int task) {
        return task < tasks.size() ? tasks.get(task).worker() : Optional.empty();
    }
}
