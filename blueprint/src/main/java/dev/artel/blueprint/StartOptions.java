package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action.RunBlueprint;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// What may be set for a job that another job starts, in all styles, whether that waits for it or not.
///
/// @param <S> what has the options, and returns itself with one more
public sealed interface StartOptions<S> permits ChildOptions, StartJob {
    /// Changes whatever may be set for it.
    S options(UnaryOperator<RunBlueprint> change);

    /// Runs this version of the blueprint; the newest by default.
    default S version(String wanted) {
        return options(run -> run.withVersion(wanted));
    }

    /// Labels it.
    default S label(String key, String value) {
        return options(run -> run.withLabel(key, value));
    }

    /// Fails it when it has not ended after this time.
    default S within(Duration time) {
        return options(run -> run.within(time));
    }

    /// Lets it and its descendants enter so many states together.
    default S steps(int most) {
        return options(run -> run.withSteps(most));
    }
}
