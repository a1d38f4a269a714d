package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import java.util.Collection;
import java.util.List;

/// How the packages of this module that make definitions of the kernel get at what authors write. Not for authors.
public final class KernelBridge {
    private KernelBridge() {}

    /// What a handler of an annotated class sees of `step`.
    ///
    /// @param joining the states that join what lists of calls have run
    public static <I> Step<I> step(
            dev.artel.kernel.blueprint.Step step, ValueType<I> input, Collection<String> joining) {
        return new Step<>(step, input, Joins.in(joining));
    }

    /// `action`, of tasks or of children, which `state` compensates.
    public static Action compensated(Action action, String state) {
        return Done.compensated(action, state);
    }

    /// How the tasks ended that the state of `step` joins or compensates.
    public static List<dev.artel.kernel.task.TaskResult> tasks(
            dev.artel.kernel.blueprint.Step step) {
        return Done.tasks(step);
    }

    /// How the children ended that the state of `step` joins or compensates.
    public static List<dev.artel.kernel.blueprint.ChildResult> children(
            dev.artel.kernel.blueprint.Step step) {
        return Done.children(step);
    }

    /// As [Step#failures].
    public static List<Failure> failures(dev.artel.kernel.blueprint.Step step) {
        return Failure.of(step);
    }
}
