package dev.artel.kernel.child;

import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.task.JobData;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// What a job asks for when it starts another.
///
/// @param blueprint its name
/// @param version of the blueprint; empty: the newest
/// @param initialData what the child begins with
/// @param labels for finding it
/// @param deadline when it fails if it has not ended
/// @param mode what becomes of it and of its parent
/// @param as the name of its result in the parent's data
/// @param budget what it may spend, if its blueprint does not allow less; of a child that is waited for a part of its parent's
/// budget; empty: as its blueprint says
public record ChildSpec(
        String blueprint,
        Optional<String> version,
        JobData initialData,
        SequencedMap<String, String> labels,
        Optional<Instant> deadline,
        ChildMode mode,
        String as,
        Optional<Budget> budget) {
    /// A child to which its parent grants no budget.
    public ChildSpec(
            String blueprint,
            Optional<String> version,
            JobData initialData,
            SequencedMap<String, String> labels,
            Optional<Instant> deadline,
            ChildMode mode,
            String as) {
        this(blueprint, version, initialData, labels, deadline, mode, as, Optional.empty());
    }

    /// Copies `labels`.
    public ChildSpec {
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// This with other initial data.
    public ChildSpec withInitialData(JobData other) {
        return new ChildSpec(blueprint, version, other, labels, deadline, mode, as, budget);
    }

    /// How much of the budget of its parent it is granted.
    public Spending granted() {
        return mode.isAwaited() && budget.isPresent()
                ? budget.get().limits().finite()
                : Spending.NONE;
    }
}
