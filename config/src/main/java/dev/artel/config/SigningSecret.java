package dev.artel.config;

import java.time.Instant;
import java.util.Optional;

/// A secret with which calls are signed.
///
/// @param expires exclusive; empty: never
public record SigningSecret(Secret secret, Optional<Instant> expires) {
    /// One that does not end.
    public static SigningSecret unlimited(Secret secret) {
        return new SigningSecret(secret, Optional.empty());
    }

    /// Whether calls are signed with it at `now`.
    public boolean isGood(Instant now) {
        return expires.isEmpty() || now.isBefore(expires.get());
    }

    /// The same, with an end at `end` unless it has an earlier one.
    public SigningSecret until(Instant end) {
        return new SigningSecret(
                secret, Optional.of(expires.filter(its -> its.isBefore(end)).orElse(end)));
    }
}
