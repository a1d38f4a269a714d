package dev.artel.kernel.child;

import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.Payload;

/// A job that this one has started, or is about to.
///
/// @param number from 0, dense within the parent
/// @param id its name, which follows from the parent's and `start`
/// @param branch who asked for it
/// @param start the effect that starts it
/// @param spec what was asked for
/// @param steps how many states it and its descendants may enter, taken from those of the parent if that waits for it
/// @param state what is known of it
public record Child(
        int number, JobId id, int branch, EffectId start, ChildSpec spec, int steps, State state) {

    /// What is known of a child.
    public sealed interface State {}

    /// It is one of many, and its turn has not come.
    public record Planned() implements State {}

    /// It was no longer wanted before its turn came.
    public record Withdrawn() implements State {}

    /// It is to be started.
    public record Asked() implements State {}

    /// It is to be started, and to be stopped then: it cannot be known that it has not begun.
    public record Unwanted() implements State {}

    /// It lives, and its end is waited for.
    ///
    /// @param await the effect that it holds
    public record Running(EffectId await) implements State {}

    /// It lives by itself.
    public record Free() implements State {}

    /// Its parent no longer wants it, and has to send it the command to stop.
    ///
    /// @param stop the effect that does so
    public record Stopping(EffectId stop) implements State {}

    /// It knows that it is no longer wanted.
    public record Stopped() implements State {}

    /// It could not be started.
    public record Refused(String reason) implements State {}

    /// It has reported its end.
    ///
    /// @param used how many states it and its descendants have entered
    /// @param result what it reported, of one of many, of one that did not finish, and of one that a state compensates with it; that of
    ///     any other one is in its parent's data alone
    public record Ended(String outcome, int used, Payload result) implements State {}

    public Child with(State next) {
        return new Child(number, id, branch, start, spec, steps, next);
    }

    /// Whether the parent still asks something for it to be done.
    public boolean isPending() {
        return switch (state) {
            case Asked _, Unwanted _, Stopping _ -> true;
            case Planned _, Withdrawn _, Running _, Free _, Stopped _, Refused _, Ended _ -> false;
        };
    }

    /// Whether a parent that is being cancelled may still hear of its end.
    public boolean isLeaving() {
        return switch (state) {
            case Unwanted _, Stopping _, Stopped _ -> true;
            case Planned _, Withdrawn _, Asked _, Running _, Free _, Refused _, Ended _ -> false;
        };
    }

    /// Whether its parent may still hear that it has finished.
    public boolean mayFinish() {
        return switch (state) {
            case Asked _, Unwanted _, Running _, Stopping _, Stopped _ -> true;
            case Planned _, Withdrawn _, Free _, Refused _, Ended _ -> false;
        };
    }

    /// How many states it has entered with its descendants, as its parent knows.
    int used() {
        return spec.mode().isAwaited() && state instanceof Ended(var _, int used, var _) ? used : 0;
    }

    /// How much of its parent's budget is at its disposal.
    public Spending granted() {
        return switch (state) {
            case Refused _, Withdrawn _, Ended _ -> Spending.NONE;
            case Planned _, Asked _, Unwanted _, Running _, Free _, Stopping _, Stopped _ ->
                    spec.granted();
        };
    }

    /// How many steps of the parent's are not at its own disposal.
    public int lent() {
        if (!spec.mode().isAwaited()) {
            return 0;
        }
        return switch (state) {
            case Refused _, Withdrawn _ -> 0;
            case Ended(var _, int used, var _) -> used;
            case Planned _, Asked _, Unwanted _, Running _, Free _, Stopping _, Stopped _ -> steps;
        };
    }
}
