package dev.artel.expression;

import dev.artel.kernel.blueprint.Condition;
import dev.artel.kernel.blueprint.Conditions;
import java.util.Optional;

/// Compiles conditions: CEL, or one comparison `context.<area>.<field> <op> <value>`.
///
/// Equal texts are compiled once, as long as there is room for them. Safe for use by many threads.
public final class CelConditions implements Conditions {
    /// More texts than blueprints have.
    private static final int MOST_KEPT = 10_000;

    private static final long MOST_BYTES =
            Math.min(24L << 20, Runtime.getRuntime().maxMemory() / 64);

    private static final CompiledConditions COMPILED =
            new CompiledConditions(MOST_KEPT, MOST_BYTES, CelConditions::compiled);

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
