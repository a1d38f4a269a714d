package dev.artel.kernel.task;

import dev.artel.kernel.placement.Demand;
import java.util.List;

/// What decides where and when a task may run: all of it but what its worker is given, which may be large.
///
/// @param blueprint the name by which the tasks of its job's definition are limited, see
///     [dev.artel.kernel.job.BlueprintRef#group]
/// @param limits those that it names itself
public record TaskOutline(String blueprint, String type, Demand demand, List<SharedLimit> limits) {
    /// Copies `limits`.
    public TaskOutline {
        limits = List.copyOf(limits);
    }

    /// That of `spec`, a task of a job of `blueprint`.
    public static TaskOutline of(String blueprint, TaskSpec spec) {
        return new TaskOutline(
                blueprint, spec.type(), spec.demand().withoutSecrets(), spec.sharedLimits());
    }
}
