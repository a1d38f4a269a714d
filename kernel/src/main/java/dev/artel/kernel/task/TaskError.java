package dev.artel.kernel.task;

import dev.artel.kernel.job.ReasonText;

/// What went wrong with an attempt or a task.
///
/// @param kind decides what happens next
/// @param code the worker's or the orchestrator's code, for people and programs; its first [#LONGEST_CODE] characters
/// @param message for people; bounded ([ReasonText])
public record TaskError(ErrorClass kind, String code, String message) {
    /// The most characters of a code.
    public static final int LONGEST_CODE = 200;

    /// Cuts texts that are too long.
    public TaskError {
        code = code.length() > LONGEST_CODE ? code.substring(0, LONGEST_CODE) : code;
        message = ReasonText.bounded(message);
    }
}
