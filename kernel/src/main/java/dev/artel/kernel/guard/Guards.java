package dev.artel.kernel.guard;

import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TimeLimits;
import java.time.Duration;

/// What keeps a job from going on forever, as its blueprint sets it; recorded when the job is submitted. A job that enters more
/// states or has more events waits for a person, who may let it go on; what is counted begins anew then.
///
/// @param transitions how many states it may enter
/// @param handlerRetry how often a handler that fails is run again in one visit of its state, unless the state sets that
/// itself; tasks have their own
/// @param handlerTime how long a run of a handler may take, unless its state sets another; then it has failed
/// @param history how many events it may have
/// @param treeSteps how many states it and the descendants that are waited for may enter together, from the first of these
/// on; a child goes by what its parent allots to it, and one that lives by itself by its own blueprint
/// @param treeDepth how many generations may descend from it; those of a tree go by its root
/// @param compensationTimeout how long compensation may take, when the job fails or is cancelled
public record Guards(
        int transitions,
        RetryPolicy handlerRetry,
        Duration handlerTime,
        int history,
        int treeSteps,
        int treeDepth,
        Duration compensationTimeout) {
    /// The most tasks that one run of a job may have had: each is kept until the run is over.
    public static final int MOST_TASKS = 500_000;

    /// The most children that one run of a job may have had.
    public static final int MOST_CHILDREN = 100_000;

    /// The most names that the data of a job may have, and so may its initial data: all are in memory, and each step copies
    /// them. The members of a value below a name are not counted.
    public static final int MOST_NAMES = 10_000;

    /// How many bytes of the heap the data of a job may take, and so may its initial data, without the values that are kept apart
    /// (estimated). A value whose text has less than 64 KiB stays, however much memory it takes, so that this holds for many names only.
    public static final long MOST_MEMORY = 64L << 20;

    /// Ten thousand transitions, four runs of a handler, ten minutes for each, a million events, trees of a thousand
    /// steps and ten generations, and an hour to compensate what was done.
    public static final Guards DEFAULTS =
            new Guards(
                    10_000,
                    RetryPolicy.DEFAULTS,
                    Duration.ofMinutes(10),
                    1_000_000,
                    1_000,
                    10,
                    Duration.ofHours(1));

    /// Refuses what lets nothing happen.
    public Guards {
        atLeastOne("transitions", transitions);
        atLeastOne("history", history);
        atLeastOne("tree steps", treeSteps);
        if (treeDepth < 0) {
            throw new IllegalArgumentException("tree depth must not be negative, was " + treeDepth);
        }
        isTime("handler time", handlerTime);
        isTime("compensation time", compensationTimeout);
    }

    /// These with another number of states that a job may enter.
    public Guards withTransitions(int most) {
        return new Guards(
                most,
                handlerRetry,
                handlerTime,
                history,
                treeSteps,
                treeDepth,
                compensationTimeout);
    }

    /// These with other retries of handlers.
    public Guards withHandlerRetry(RetryPolicy retry) {
        return new Guards(
                transitions,
                retry,
                handlerTime,
                history,
                treeSteps,
                treeDepth,
                compensationTimeout);
    }

    /// These with another time for each run of a handler.
    public Guards withHandlerTime(Duration most) {
        return new Guards(
                transitions,
                handlerRetry,
                most,
                history,
                treeSteps,
                treeDepth,
                compensationTimeout);
    }

    /// These with another number of events that a job may have.
    public Guards withHistory(int most) {
        return new Guards(
                transitions,
                handlerRetry,
                handlerTime,
                most,
                treeSteps,
                treeDepth,
                compensationTimeout);
    }

    /// These with another number of steps of a tree.
    public Guards withTreeSteps(int most) {
        return new Guards(
                transitions,
                handlerRetry,
                handlerTime,
                history,
                most,
                treeDepth,
                compensationTimeout);
    }

    /// These with another depth of a tree; 0: no children.
    public Guards withTreeDepth(int most) {
        return new Guards(
                transitions,
                handlerRetry,
                handlerTime,
                history,
                treeSteps,
                most,
                compensationTimeout);
    }

    /// These with another time for compensation.
    public Guards withCompensationTimeout(Duration most) {
        return new Guards(
                transitions, handlerRetry, handlerTime, history, treeSteps, treeDepth, most);
    }

    private static void isTime(String what, Duration value) {
        if (!value.isPositive() || value.compareTo(TimeLimits.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " must be positive and at most 36500 days, was " + value);
        }
    }

    private static void atLeastOne(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, was " + value);
        }
    }
}
