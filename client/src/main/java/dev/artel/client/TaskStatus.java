package dev.artel.client;

/// Where a task stands, as the API reports it in `status`.
public enum TaskStatus {
    /// Its turn in its fan-out has not come.
    PLANNED,
    /// It waits for a worker.
    QUEUED,
    /// A worker has it.
    LEASED,
    /// Its worker waits for the answer to a question, without a slot.
    PARKED,
    /// Its worker is gone, and its question still waits for an answer.
    UNANSWERED,
    /// It was done, with whatever word its worker reported.
    SUCCEEDED,
    /// It must not be done twice, and whether it was done is unknown: a person decides.
    IN_DOUBT,
    /// It failed for good.
    FAILED,
    /// It was no longer wanted.
    CANCELLED,
    /// A word that this client does not know; [TaskView#statusWord] has it.
    UNKNOWN;

    /// The status that the API calls `word`.
    static TaskStatus of(String word) {
        return Words.constant(TaskStatus.class, word, UNKNOWN);
    }

    /// The word of the API, to ask for it.
    ///
    /// @throws IllegalArgumentException if it is [#UNKNOWN]
    String word() {
        return Words.word(this, UNKNOWN);
    }
}
