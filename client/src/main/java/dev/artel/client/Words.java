package dev.artel.client;

import java.util.Arrays;
import java.util.Locale;

/// The words that the API has for the constants of an enum: their names in lower case. A newer orchestrator may have words that this
/// client does not know.
final class Words {
    private Words() {}

    /// The constant whose word is `word`.
    ///
    /// @param unknown what a word is that is none of them; its own is none either
    static <E extends Enum<E>> E constant(Class<E> type, String word, E unknown) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant != unknown && lower(constant).equals(word))
                .findFirst()
                .orElse(unknown);
    }

    /// The word for `constant`, to ask for it.
    ///
    /// @throws IllegalArgumentException if it is `unknown`
    static <E extends Enum<E>> String word(E constant, E unknown) {
        if (constant == unknown) {
            throw new IllegalArgumentException(
                    constant.getDeclaringClass().getSimpleName()
                            + "."
                            + constant
                            + " stands for words that this client does not know, and cannot be asked for");
        }
        return lower(constant);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
