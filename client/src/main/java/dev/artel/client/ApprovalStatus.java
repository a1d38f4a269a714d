package dev.artel.client;

/// What has become of an approval, as the API says in its `status`.
public enum ApprovalStatus {
    /// Somebody can decide.
    OPEN,
    /// Somebody has decided.
    DECIDED,
    /// Nobody has decided in time.
    EXPIRED,
    /// It is no longer wanted.
    WITHDRAWN,
    /// A word that this client does not know; [ApprovalView#statusWord] has it.
    UNKNOWN;

    /// The status that the API calls `word`.
    static ApprovalStatus of(String word) {
        return Words.constant(ApprovalStatus.class, word, UNKNOWN);
    }
}
