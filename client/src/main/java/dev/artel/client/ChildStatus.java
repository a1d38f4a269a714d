package dev.artel.client;

/// Where a child stands, as its parent knows it and the API reports it in `status`.
public enum ChildStatus {
    /// Its turn among many children has not come.
    PLANNED,
    /// Its turn never comes.
    WITHDRAWN,
    /// It has been asked for and has not begun.
    STARTING,
    /// It goes on.
    RUNNING,
    /// It lives by itself.
    DETACHED,
    /// It was asked to end.
    CANCELLING,
    /// It could not begin.
    REFUSED,
    /// It has ended, well.
    FINISHED,
    /// It has ended, badly.
    FAILED,
    /// It was ended.
    CANCELLED,
    /// It waits for a person, and its parent has gone on as after a failure.
    QUARANTINED,
    /// A word that this client does not know; [ChildView#statusWord] has it.
    UNKNOWN;

    /// The status that the API calls `word`.
    static ChildStatus of(String word) {
        return Words.constant(ChildStatus.class, word, UNKNOWN);
    }
}
