package dev.artel.kernel.budget;

/// What becomes of a job when the next task does not fit into its budget.
public enum OnExhausted {
    /// It fails, and compensates what it did.
    STOP("stop"),
    /// It hands out no more tasks and waits for a person, who grants more or cancels it.
    REQUEST_EXTENSION("request_extension");

    private final String word;

    OnExhausted(String word) {
        this.word = word;
    }

    /// The word in events and documents.
    public String word() {
        return word;
    }

    /// What `word` means; `escalate` is another word for [#REQUEST_EXTENSION].
    ///
    /// @throws IllegalArgumentException if it means nothing
    public static OnExhausted of(String word) {
        return switch (word) {
            case "stop" -> STOP;
            case "request_extension", "escalate" -> REQUEST_EXTENSION;
            default ->
                    throw new IllegalArgumentException(
                            "on_exhausted is stop, request_extension or escalate, was '"
                                    + word
                                    + "'");
        };
    }
}
