package dev.artel.blueprint;

import java.util.List;

/// Branches of the job, as a handler of an annotated class asks for them: `ForkCall.of(FLIGHT, HOTEL)`. [StateHandler#branches] names all
/// states in which they may begin, [StateHandler#leadsTo] the one that joins them as [StateHandler#policy] demands. A branch ends in one
/// of [BlueprintDefinition#branchEnds], or by a [BranchEnd]. Immutable.
///
/// @param starts the state in which each branch begins; at least one
public record ForkCall(List<String> starts) {
    /// Copies `starts`.
    public ForkCall {
        starts = List.copyOf(starts);
        if (starts.isEmpty()) {
            throw new IllegalArgumentException(
                    "a fork starts no branch; name the state in which each begins");
        }
    }

    /// A branch in each of `starts`.
    public static ForkCall of(String... starts) {
        return new ForkCall(List.of(starts));
    }
}
