package dev.artel.kernel.job;

/// Why a strand entered its state.
public sealed interface StepCause {
    /// The job or the branch begins.
    record Started() implements StepCause {}

    /// A handler said so, or a wait is over.
    ///
    /// @param from the state before
    record Moved(String from) implements StepCause {}

    /// A task ended.
    ///
    /// @param task its number
    /// @param outcome the word that chose the state
    record TaskEnded(int task, String outcome) implements StepCause {}

    /// A signal came for which the strand waited.
    ///
    /// @param id the sender's
    record SignalTaken(String signal, String id) implements StepCause {}

    /// Somebody decided.
    ///
    /// @param by see [Approver#text]
    record Decided(String choice, String by) implements StepCause {}

    /// Nobody came in time.
    ///
    /// @param awaited for what the strand waited, in words
    record Overdue(String awaited) implements StepCause {}

    /// A person has mended the job.
    ///
    /// @param how see [Mending#text]
    /// @param by who
    record Mended(String how, String by) implements StepCause {}

    /// Several tasks were joined, or could not be.
    record TasksGathered(int first, int count) implements StepCause {}

    /// A child ended, or was started.
    ///
    /// @param child its number
    /// @param outcome the word that chose the state
    record ChildEnded(int child, String outcome) implements StepCause {}

    /// Several children were gathered, or could not be.
    record ChildrenGathered(int first, int count) implements StepCause {}

    /// What was done is undone.
    ///
    /// @param number of what was done, from 0
    record Undoing(int number) implements StepCause {}

    /// Several branches were joined, or could not be.
    record BranchesGathered(int first, int count) implements StepCause {}
}
