package dev.artel.client;

/// What has become of an approval, as the API reports it in `status`.
public enum ApprovalStatus {
    /// Open: a person can decide.
    OPEN,
    /// A person has decided.
    DECIDED,
    /// No person has decided in time.
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
