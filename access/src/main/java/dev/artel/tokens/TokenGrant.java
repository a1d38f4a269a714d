package dev.artel.tokens;

import java.time.Instant;
import java.util.Optional;

/// A token, and until when it is good.
///
/// @param expires exclusive; empty: it does not expire
public record TokenGrant(TokenDigest digest, Optional<Instant> expires) {
    /// A token that does not expire.
    public static TokenGrant unlimited(TokenDigest digest) {
        return new TokenGrant(digest, Optional.empty());
    }

    /// Whether it is good at `now`.
    public boolean isGood(Instant now) {
        return expires.isEmpty() || now.isBefore(expires.get());
    }

    /// The same token, good no longer than until `end`.
    TokenGrant until(Instant end) {
        return expires.isPresent() && expires.get().isBefore(end)
                ? this
                : new TokenGrant(digest, Optional.of(end));
    }
}
