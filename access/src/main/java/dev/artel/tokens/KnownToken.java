package dev.artel.tokens;

/// A token that somebody may use or might have used, as operators see it.
///
/// @param grant with its revocation, if it was revoked
/// @param source the file or the setting that has it
/// @param isRevoked whether a person has set its end
public record KnownToken(TokenHolder holder, TokenGrant grant, String source, boolean isRevoked) {
    /// What people call it by.
    public String id() {
        return grant.digest().id();
    }
}
