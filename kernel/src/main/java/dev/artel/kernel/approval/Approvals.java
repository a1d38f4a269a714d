package dev.artel.kernel.approval;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What became of the approvals of a job that are over.
///
/// @param past oldest first; the newest [#MOST_REMEMBERED]
public record Approvals(List<Past> past) {
    /// How many are remembered, so that a decision that comes too late is refused with the reason.
    public static final int MOST_REMEMBERED = 100;

    /// None.
    public static final Approvals NONE = new Approvals(List.of());

    /// Copies `past`.
    public Approvals {
        past = List.copyOf(past);
    }

    /// An approval that is over.
    ///
    /// @param number see [Effect.AwaitApproval]
    public record Past(
            long number, int branch, Optional<String> tokenDigest, End end, Instant at) {}

    /// How an approval ended.
    public sealed interface End {}

    /// A person decided.
    ///
    /// @param by see [Approver#text]
    public record Decided(String choice, String by) implements End {}

    /// No person decided in time.
    public record Expired() implements End {}

    /// It was no longer wanted.
    public record Withdrawn() implements End {}

    public Approvals with(Past one) {
        var more = new ArrayList<>(past);
        more.add(one);
        return new Approvals(more.subList(Math.max(0, more.size() - MOST_REMEMBERED), more.size()));
    }
}
