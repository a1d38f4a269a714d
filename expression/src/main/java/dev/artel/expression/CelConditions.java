package dev.artel.expression;

import dev.artel.kernel.blueprint.Condition;
import dev.artel.kernel.blueprint.Conditions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Compiles conditions: CEL, or one comparison `context.<area>.<field> <op> <value>`.
///
/// Equal texts are compiled once. Safe for use by many threads.
public final class CelConditions implements Conditions {
    /// More texts than blueprints have; what comes after is compiled each time.
    private static final int MOST_KEPT = 10_000;

    private static final Map<String, Condition> COMPILED = new ConcurrentHashMap<>();

    /// One is as good as another.
    public CelConditions() {}

    @Override
    public Condition compile(String text) {
        var known = COMPILED.get(text);
        if (known != null) {
            return known;
        }
        var condition = compiled(text);
        if (COMPILED.size() < MOST_KEPT) {
            COMPILED.putIfAbsent(text, condition);
        }
        return condition;
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
