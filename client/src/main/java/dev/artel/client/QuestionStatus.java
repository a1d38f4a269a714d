package dev.artel.client;

/// What has become of a question of a worker, as the API says in its `status`.
public enum QuestionStatus {
    /// Somebody can answer.
    OPEN,
    /// Somebody has answered.
    ANSWERED,
    /// A word that this client does not know; [QuestionView#statusWord] has it.
    UNKNOWN;

    /// The status that the API calls `word`.
    static QuestionStatus of(String word) {
        return Words.constant(QuestionStatus.class, word, UNKNOWN);
    }
}
