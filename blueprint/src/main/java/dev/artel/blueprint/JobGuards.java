package dev.artel.blueprint;

import dev.artel.kernel.guard.Guards;
import java.time.Duration;

/// What keeps the jobs of a blueprint from going on forever: `guards(it -> it.withTransitions(500))`. Each method gives guards with
/// another limit, and refuses one that lets nothing happen by an [IllegalArgumentException]; [GuardLimits] has the defaults. Immutable.
public final class JobGuards {
    private final Guards guards;

    JobGuards(Guards guards) {
        this.guards = guards;
    }

    Guards kernel() {
        return guards;
    }

    /// How many states a job may enter.
    ///
    /// @param most at least 1
    public JobGuards withTransitions(int most) {
        return new JobGuards(guards.withTransitions(most));
    }

    /// How often a handler that fails runs in one visit of its state, the first time included, unless its state sets another number.
    ///
    /// @param most at least 1
    public JobGuards withHandlerAttempts(int most) {
        return new JobGuards(guards.withHandlerRetry(guards.handlerRetry().withMaxAttempts(most)));
    }

    /// Runs a handler that fails again after `first`, and after twice as long each further time, at most after `longest`.
    public JobGuards withHandlerRetryDelays(Duration first, Duration longest) {
        return new JobGuards(
                guards.withHandlerRetry(guards.handlerRetry().withDelays(first, longest)));
    }

    /// How long a run of a handler may take, unless its state sets another number.
    public JobGuards withHandlerTime(Duration most) {
        return new JobGuards(guards.withHandlerTime(most));
    }

    /// How many events a job may have.
    ///
    /// @param most at least 1
    public JobGuards withHistory(int most) {
        return new JobGuards(guards.withHistory(most));
    }

    /// How many states a job and its descendants may enter together.
    ///
    /// @param most at least 1
    public JobGuards withTreeSteps(int most) {
        return new JobGuards(guards.withTreeSteps(most));
    }

    /// How many generations may descend from a job; 0: no children.
    public JobGuards withTreeDepth(int most) {
        return new JobGuards(guards.withTreeDepth(most));
    }

    /// How long compensation may take.
    public JobGuards withCompensationTimeout(Duration most) {
        return new JobGuards(guards.withCompensationTimeout(most));
    }

    @Override
    public String toString() {
        return guards.toString();
    }
}
