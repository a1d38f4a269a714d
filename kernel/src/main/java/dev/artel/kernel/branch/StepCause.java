package dev.artel.kernel.branch;

/// Why a branch entered its state.
public sealed interface StepCause {
    /// The job or the branch begins.
    record Started() implements StepCause {}

    /// A handler returned it, or a wait is over.
    ///
    /// @param from the state before
    record Moved(String from) implements StepCause {}

    /// A task ended.
    ///
    /// @param task its number
    /// @param outcome the word that chose the state
    record TaskEnded(int task, String outcome) implements StepCause {}

    /// A signal came for which the branch waited.
    ///
    /// @param id the sender's
    record SignalTaken(String signal, String id) implements StepCause {}

    /// A person decided.
    ///
    /// @param by see [Approver#text]
    record Decided(String choice, String by) implements StepCause {}

    /// No person or client answered in time.
    ///
    /// @param awaited for what the branch waited, in words
    record Overdue(String awaited) implements StepCause {}

    /// A person has recovered the job.
    ///
    /// @param how see [QuarantineAction#text]
    /// @param by who
    record Resolved(String how, String by) implements StepCause {}

    /// The job was cancelled, and its blueprint handles that.
    ///
    /// @param reason of the cancel
    record Cancelled(String reason) implements StepCause {}

    /// Several tasks were joined, or could not be.
    record TasksJoined(int first, int count) implements StepCause {}

    /// A child ended, or was started.
    ///
    /// @param child its number
    /// @param outcome the word that chose the state
    record ChildEnded(int child, String outcome) implements StepCause {}

    /// Several children were gathered, or could not be.
    record ChildrenJoined(int first, int count) implements StepCause {}

    /// What was done is compensated.
    ///
    /// @param number of what was done, from 0
    record Compensation(int number) implements StepCause {}

    /// Several branches were joined, or could not be.
    record BranchesJoined(int first, int count) implements StepCause {}
}
