package dev.artel.blueprint;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;

/// A kind of question to a person: the choices that they have. One constant is shared by the blueprint that asks and the
/// client that decides.
///
/// ```java
/// enum Way { TRAIN, PLANE }
///
/// static final Approval<Way> WAY = Approval.of(Way.class);
/// ```
///
/// Two are equal if they have the same choices. Immutable.
///
/// @param <C> a choice: a constant of an enum, or a word
public final class Approval<C> {
    /// The choice of [#YES_OR_NO] that agrees.
    public static final Verdict APPROVE = Verdict.APPROVE;

    /// The choice of [#YES_OR_NO] that does not.
    public static final Verdict REJECT = Verdict.REJECT;

    /// The choices `approve` and `reject`.
    public static final Approval<Verdict> YES_OR_NO = of(Verdict.class);

    private static final int MOST = 20;
    private static final int LONGEST = 100;

    private final SequencedMap<String, C> choices;

    private Approval(List<C> choices, Function<C, String> word) {
        if (choices.isEmpty() || choices.size() > MOST) {
            throw new IllegalArgumentException(
                    "an approval takes 1 to " + MOST + " choices, got " + choices.size());
        }
        this.choices = new LinkedHashMap<>();
        for (var choice : choices) {
            var name = word.apply(choice);
            if (name.isBlank() || name.length() > LONGEST) {
                throw new IllegalArgumentException(
                        "a choice must have 1 to "
                                + LONGEST
                                + " characters and not be blank, was '"
                                + name
                                + "'");
            }
            if (this.choices.putIfAbsent(name, choice) != null) {
                throw new IllegalArgumentException(
                        "an approval names a choice twice, in " + choices + "; remove one");
            }
        }
    }

    /// A question whose choices are the constants of `choices`, 1 to 20. Their words are the names of the constants in lower case:
    /// `TRAIN_OR_BUS` is `train_or_bus` in the API.
    public static <C extends Enum<C>> Approval<C> of(Class<C> choices) {
        return new Approval<>(
                List.copyOf(Arrays.asList(choices.getEnumConstants())),
                choice -> choice.name().toLowerCase(Locale.ROOT));
    }

    /// A question with these words as choices: 1 to 20, each different, of 1 to 100 characters and not blank.
    public static Approval<String> of(String... words) {
        return new Approval<>(List.of(words), word -> word);
    }

    /// The choices, in their order.
    public List<C> choices() {
        return List.copyOf(choices.values());
    }

    /// The words of the choices, as the API has them, in their order.
    public List<String> words() {
        return List.copyOf(choices.keySet());
    }

    /// The word of `choice`.
    ///
    /// @throws IllegalArgumentException if it is none of the choices
    public String word(C choice) {
        return choices.entrySet().stream()
                .filter(each -> each.getValue().equals(choice))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "'" + choice + "' is none of the choices " + words()))
                .getKey();
    }

    /// The choice that the API calls `word`.
    public Optional<C> choice(String word) {
        return Optional.ofNullable(choices.get(word));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Approval<?> that && choices.equals(that.choices);
    }

    @Override
    public int hashCode() {
        return choices.hashCode();
    }

    @Override
    public String toString() {
        return words().toString();
    }
}
