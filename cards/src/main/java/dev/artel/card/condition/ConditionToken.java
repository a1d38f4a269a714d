package dev.artel.card.condition;

import dev.artel.card.template.ValuePath;

/// A part of a condition.
sealed interface ConditionToken {
    /// A sign such as `&&` or `(`.
    record Sign(String text, int at) implements ConditionToken {}

    /// A reference to a value.
    record Value(ValuePath path, int at) implements ConditionToken {}

    /// A text in quotes.
    record Quoted(String text, int at) implements ConditionToken {}

    /// A number, as it is written.
    record Numeral(String text, int at) implements ConditionToken {}

    /// A word without quotes.
    record Word(String text, int at) implements ConditionToken {}

    /// The end of the condition.
    record End(int at) implements ConditionToken {}

    /// Where it begins in the condition, from 0.
    int at();
}
