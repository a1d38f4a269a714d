package dev.artel.blueprint;

import java.util.Optional;

/// The end of a branch, as a handler of an annotated class returns it; a state in which branches end well needs no handler, see
/// [BlueprintDefinition#branchEnds]. Immutable.
///
/// @param failure why it ends badly; empty: it ends well
public record BranchEnd(Optional<String> failure) {
    /// The branch ends well.
    public static BranchEnd succeeded() {
        return new BranchEnd(Optional.empty());
    }

    /// The branch ends badly: it counts as failed where it is joined.
    public static BranchEnd failed(String reason) {
        return new BranchEnd(Optional.of(reason));
    }
}
