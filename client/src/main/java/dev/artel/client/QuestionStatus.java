package dev.artel.client;

/// What has become of a question of a worker, as the API reports it in `status`.
public enum QuestionStatus {
    /// Open: a person can answer.
    OPEN,
    /// A person has answered.
    ANSWERED,
    /// A word that this client does not know; [QuestionView#statusWord] has it.
    UNKNOWN;

    /// The status that the API calls `word`.
    static QuestionStatus of(String word) {
        return Words.constant(QuestionStatus.class, word, UNKNOWN);
    }
}
