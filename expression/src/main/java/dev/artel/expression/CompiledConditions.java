package dev.artel.expression;

import dev.artel.kernel.blueprint.Condition;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// Conditions that were compiled, by their texts: the first ones, bounded by their number and by the characters of their texts. Authors of
/// cards, who may be clients, choose how many there are and how long. Safe for use by many threads.
final class CompiledConditions {
    private final int most;
    private final long mostCharacters;
    private final Function<String, Condition> compiler;
    private final Map<String, Condition> kept = new ConcurrentHashMap<>();
    private final AtomicLong characters = new AtomicLong();

    CompiledConditions(int most, long mostCharacters, Function<String, Condition> compiler) {
        this.most = most;
        this.mostCharacters = mostCharacters;
        this.compiler = compiler;
    }

    /// The condition that `text` is, kept if there is room.
    Condition of(String text) {
        var known = kept.get(text);
        if (known != null) {
            return known;
        }
        var condition = compiler.apply(text);
        if (kept.size() < most) {
            var isRoom = characters.addAndGet(text.length()) <= mostCharacters;
            if (!isRoom || kept.putIfAbsent(text, condition) != null) {
                characters.addAndGet(-text.length());
            }
        }
        return condition;
    }
}
