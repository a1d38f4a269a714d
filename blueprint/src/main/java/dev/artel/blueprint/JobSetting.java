package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action.RunBlueprint;
import java.util.function.UnaryOperator;

/// One option of a job that another job starts, made by a method of [StartOptions] or [ChildOptions]. Immutable.
public final class JobSetting {
    private final UnaryOperator<RunBlueprint> change;

    JobSetting(UnaryOperator<RunBlueprint> change) {
        this.change = change;
    }

    RunBlueprint of(RunBlueprint run) {
        return change.apply(run);
    }
}
