package dev.artel.kernel.blueprint;

import java.util.ServiceLoader;

/// Makes conditions of text. An implementation is found as a service, when the first condition is compiled; Artel's
/// own is the module `artel-expression`.
public interface Conditions {
    /// The condition that `text` expresses.
    ///
    /// @throws IllegalArgumentException if it is no condition; the message has all that is wrong
    Condition compile(String text);

    /// The implementation that is installed.
    ///
    /// @throws IllegalArgumentException if there is none
    static Conditions installed() {
        return ServiceLoader.load(Conditions.class, Conditions.class.getClassLoader())
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "nothing here compiles conditions; add artel-expression"));
    }
}
