package dev.artel.kernel.child;

import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.task.Payload;
import java.util.Optional;

/// What a child reports to its parent.
///
/// @param outcome [Outcomes#FINISHED], [Outcomes#FAILED], [Outcomes#CANCELLED] or [#QUARANTINED]
/// @param data its outcome, result and error as one object
/// @param steps how many states it and its descendants have entered
/// @param reason why it did not finish
/// @param spent what it and its descendants have spent, if it has a budget
public record ChildReport(
        String outcome, Payload data, int steps, Optional<String> reason, Spending spent) {
    /// A report of a child without a budget.
    public ChildReport(String outcome, Payload data, int steps, Optional<String> reason) {
        this(outcome, data, steps, reason, Spending.NONE);
    }

    /// The outcome of a child that waits for a person, where its parent does not.
    public static final String QUARANTINED = "quarantined";
}
