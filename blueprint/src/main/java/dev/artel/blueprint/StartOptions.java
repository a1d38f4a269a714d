package dev.artel.blueprint;

import java.time.Duration;
import java.util.function.UnaryOperator;

/// What may be set for a job that another job starts, in all styles, whether that waits for it or not.
///
/// @param <S> what has the options, and returns itself with one more
public sealed interface StartOptions<S> permits ChildOptions, StartJob {
    /// This job, with `setting`.
    S with(JobSetting setting);

    /// Runs this version of the blueprint; the newest by default.
    default S version(String wanted) {
        return with(new JobSetting(run -> run.withVersion(wanted)));
    }

    /// Labels it.
    default S label(String key, String value) {
        return with(new JobSetting(run -> run.withLabel(key, value)));
    }

    /// Fails it when it has not ended after this time.
    default S within(Duration time) {
        return with(new JobSetting(run -> run.within(time)));
    }

    /// Lets it and its descendants enter so many states together.
    default S steps(int most) {
        return with(new JobSetting(run -> run.withSteps(most)));
    }

    /// Lets it and its descendants spend so much: `budget(it -> it.withUsd("1.00"))`. Where this job has a budget and waits for it, that is
    /// taken from it; without this it gets a share of what is left.
    default S budget(UnaryOperator<JobBudget> limits) {
        var most = limits.apply(JobBudget.NONE).kernel();
        return with(new JobSetting(run -> run.withBudget(most)));
    }
}
