package dev.artel.kernel.branch;

import dev.artel.kernel.approval.Approval;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.timer.Timer;
import java.util.Optional;

/// One line of execution of a job.
///
/// @param id from 0, dense; 0 is there from the start
/// @param parent the branch that forked it; itself for branch 0
/// @param state the blueprint's state in which it is
/// @param doing what it is about there
/// @param moves how many states it went through without waiting for anything, up to this one
/// @param stateTrail the last states through which it went
/// @param taken the signal because of which it is in its state, until the step of that state is done
public record Branch(
        int id,
        int parent,
        String state,
        Doing doing,
        int moves,
        StateTrail stateTrail,
        Optional<Signals.Received> taken) {
    /// More states than this in a row are a loop that never ends.
    public static final int MOST_MOVES = 1000;

    /// A branch that has entered no state.
    public static Branch fresh(int id, int parent, String state, Doing doing) {
        return new Branch(id, parent, state, doing, 0, StateTrail.NONE, Optional.empty());
    }

    public Branch with(Doing next) {
        return new Branch(id, parent, state, next, moves, stateTrail, taken);
    }

    /// This branch in another state, the step of which is none because of a signal.
    public Branch in(String nextState, Doing next) {
        return new Branch(id, parent, nextState, next, moves, stateTrail, Optional.empty());
    }

    /// This branch in another state, for which it went through `count` states without waiting.
    ///
    /// @param because see [#taken]
    public Branch entering(
            String nextState, Doing next, int count, Optional<Signals.Received> because) {
        return new Branch(id, parent, nextState, next, count, stateTrail.then(nextState), because);
    }

    public Branch withoutSignal() {
        return new Branch(id, parent, state, doing, moves, stateTrail, Optional.empty());
    }

    public Branch withoutTrail() {
        return new Branch(id, parent, state, doing, moves, StateTrail.NONE, taken);
    }

    /// What a branch is about.
    public sealed interface Doing {}

    /// Its handler is to be run.
    ///
    /// @param run the effect that asks for it
    /// @param cause why the state was entered
    /// @param failures how often the handler failed in this visit
    public record Stepping(EffectId run, StepCause cause, int failures) implements Doing {}

    /// Its handler failed and is run again later.
    public record BackingOff(Timer timer, StepCause cause, int failures) implements Doing {}

    /// Waits for one task.
    public record AwaitingTask(int task, Outcomes on) implements Doing {}

    /// Waits for several tasks, of which a limited number is open at once.
    public record AwaitingTasks(JoinState tasks) implements Doing {}

    /// Waits for the branches that it forked.
    public record AwaitingBranches(JoinState branches) implements Doing {}

    /// Waits for another job: for its end, or for its beginning if its end is not waited for.
    ///
    /// @param child its number
    public record AwaitingChild(int child, Outcomes on) implements Doing {}

    /// Waits for several jobs, of which a limited number lives at once.
    public record AwaitingChildren(JoinState children) implements Doing {}

    /// Waits for time to pass.
    public record Waiting(Timer timer, String next) implements Doing {}

    /// Waits for a signal.
    ///
    /// @param effect the one that asks for it; of several branches the one whose is the oldest gets it
    /// @param deadline when that is over
    /// @param otherwise the state that follows then
    public record AwaitingSignal(
            EffectId effect,
            String signal,
            String next,
            Optional<Timer> deadline,
            Optional<String> otherwise)
            implements Doing {}

    /// Waits for a person to decide.
    ///
    /// @param effect the one that asks for one
    /// @param deadline when that is over
    public record AwaitingApproval(EffectId effect, Approval approval, Optional<Timer> deadline)
            implements Doing {}

    /// Has ended by itself, for better or worse.
    ///
    /// @param hopeless whether nothing that a person does could recover its failure
    public record Over(boolean succeeded, boolean hopeless) implements Doing {}

    /// Was no longer wanted.
    public record Stopped() implements Doing {}

    /// What it is about, in the words of the client API for the status of a job.
    public String status() {
        return switch (doing) {
            case Stepping(var _, StepCause.Started _, int failures) when failures == 0 -> "pending";
            case Stepping _, Over _, Stopped _ -> "running";
            case BackingOff _ -> "awaiting_retry";
            case AwaitingTask _ -> "waiting_for_worker";
            case AwaitingTasks _, AwaitingBranches _ -> "waiting_for_parallel_tasks";
            case AwaitingChild _, AwaitingChildren _ -> "waiting_for_sub_job";
            case Waiting _ -> "waiting";
            case AwaitingSignal _ -> "waiting_for_signal";
            case AwaitingApproval _ -> "waiting_for_human";
        };
    }

    /// Whether the branch does nothing any more.
    public boolean isOver() {
        return doing instanceof Over || doing instanceof Stopped;
    }
}
