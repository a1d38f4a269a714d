package dev.artel.expression;

import dev.artel.kernel.blueprint.Condition;
import dev.artel.kernel.blueprint.Conditions;
import java.util.Optional;

/// Compiles conditions: CEL, or one comparison `context.<area>.<field> <op> <value>`.
///
/// Equal texts are compiled once. Safe for use by many threads.
public final class CelConditions implements Conditions {
    /// More texts than blueprints have; what comes after is compiled each time.
    private static final int MOST_KEPT = 10_000;

    /// Compiled, a condition takes some hundred times the room of its text.
    private static final long MOST_CHARACTERS = 256 << 10;

    private static final CompiledConditions COMPILED =
            new CompiledConditions(MOST_KEPT, MOST_CHARACTERS, CelConditions::compiled);

    /// One is as good as another.
    public CelConditions() {}

    @Override
    public Condition compile(String text) {
        return COMPILED.of(text);
    }

    private static Condition compiled(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("it is blank; write a comparison");
        }
        Optional<Comparison> simple = Comparison.of(text);
        return simple.isPresent()
                ? new CelCondition(text, Cel.program(simple.get().inCel()))
                : new CelCondition(text, Cel.program(text));
    }
}
