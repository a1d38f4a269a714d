package dev.artel.blueprint;

import java.util.LinkedHashSet;
import java.util.List;

/// A kind of question to a person: the choices that they have. One constant is shared by the blueprint that asks and the
/// client that decides.
///
/// @param choices 1 to 20, each different, of 1 to 100 characters and not blank
public record Approval(List<String> choices) {
    /// The choice of [#YES_OR_NO] that agrees.
    public static final String APPROVE = "approve";

    /// The choice of [#YES_OR_NO] that does not.
    public static final String REJECT = "reject";

    /// The choices `approve` and `reject`.
    public static final Approval YES_OR_NO = of(APPROVE, REJECT);

    /// Refuses a question that nobody can answer.
    public Approval {
        choices = List.copyOf(choices);
        if (choices.isEmpty() || choices.size() > 20) {
            throw new IllegalArgumentException(
                    "an approval takes 1 to 20 choices, got " + choices.size());
        }
        if (new LinkedHashSet<>(choices).size() < choices.size()) {
            throw new IllegalArgumentException(
                    "an approval names a choice twice, in " + choices + "; remove one");
        }
        for (var choice : choices) {
            if (choice.isBlank() || choice.length() > 100) {
                throw new IllegalArgumentException(
                        "a choice must have 1 to 100 characters and not be blank, was '"
                                + choice
                                + "'");
            }
        }
    }

    /// A question with these choices.
    public static Approval of(String... choices) {
        return new Approval(List.of(choices));
    }
}
