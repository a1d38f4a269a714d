package dev.artel.kernel.task;

/// What a worker reports about its attempt.
public sealed interface TaskReport {
    /// The attempt did its work.
    ///
    /// @param status the word that chooses the next state; `success` where the worker gives none
    /// @param data what it found or made
    record Succeeded(String status, Payload data) implements TaskReport {
        /// The status of a worker that gives none.
        public static final String SUCCESS = "success";

        /// The most characters of a status.
        public static final int LONGEST_STATUS = 200;
    }

    /// The attempt failed.
    record Failed(TaskError error) implements TaskReport {}

    /// The worker gave the attempt up as cancelled, asked or not.
    record Cancelled() implements TaskReport {}
}
