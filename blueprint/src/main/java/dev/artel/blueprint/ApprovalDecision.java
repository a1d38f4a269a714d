package dev.artel.blueprint;

import java.time.Instant;
import java.util.Optional;

/// What somebody has decided about an approval.
///
/// @param decision the choice
/// @param by who: `client shop`, or `token (Ada)` for somebody who had nothing but the token
/// @param at when
/// @param comment what they wanted to say about it
public record ApprovalDecision(String decision, String by, Instant at, Optional<String> comment) {
    /// Whether it is the choice [Approval#APPROVE].
    public boolean isApproved() {
        return decision.equals(Approval.APPROVE);
    }
}
