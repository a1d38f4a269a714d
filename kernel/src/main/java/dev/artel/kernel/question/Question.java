package dev.artel.kernel.question;

import java.util.List;

/// What a worker wants to know before it goes on with an attempt.
///
/// @param id the worker's name for it, of 1 to [#LONGEST_ID] characters; the same of a later attempt at the task is the same
///     question
/// @param text for people, of 1 to [#LONGEST_TEXT] characters
/// @param choices what may be answered; none: anything
public record Question(String id, String text, List<String> choices) {
    /// How many characters an id may have.
    public static final int LONGEST_ID = 200;

    /// How many characters a question may have.
    public static final int LONGEST_TEXT = 4_000;

    /// How many choices there may be.
    public static final int MOST_CHOICES = 50;

    /// How many characters a choice may have.
    public static final int LONGEST_CHOICE = 200;

    /// How many characters an answer may have.
    public static final int LONGEST_ANSWER = 16_000;

    /// How many questions of a task are answered.
    public static final int MOST_OF_A_TASK = 50;

    /// How many characters the questions of a task and their answers may have together; one without its answer counts as if
    /// that were the longest.
    public static final int MOST_CHARACTERS_OF_A_TASK = 200_000;

    /// The code of the failure of an attempt whose question was not answered in time.
    public static final String UNANSWERED = "QUESTION_UNANSWERED";

    /// Copies `choices`.
    public Question {
        choices = List.copyOf(choices);
    }

    /// How many it has in all.
    public int characters() {
        return id.length() + text.length() + choices.stream().mapToInt(String::length).sum();
    }

    /// How many its answer may have.
    public int longestAnswer() {
        return choices.isEmpty()
                ? LONGEST_ANSWER
                : choices.stream().mapToInt(String::length).max().orElseThrow();
    }

    /// Whether `answer` is one.
    public boolean takes(String answer) {
        return choices.isEmpty() || choices.contains(answer);
    }
}
