package dev.artel.expression;

import dev.artel.kernel.blueprint.Condition;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Function;

/// Conditions that were compiled, by their texts: those that were asked for last, bounded by their number and by about how many bytes they take.
/// Authors of cards, who may be clients, choose how many there are and how long. Safe for use by many threads.
final class CompiledConditions {
    /// Of each, and of each character of its text, in bytes; as measured, a little less.
    private static final int EACH = 1_000;

    private static final int CHARACTER = 100;

    private final int most;
    private final long mostBytes;
    private final Function<String, Condition> compiler;

    /// The one that was asked for last is the last; under the lock of this.
    private final SequencedMap<String, Condition> kept = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    CompiledConditions(int most, long mostBytes, Function<String, Condition> compiler) {
        this.most = most;
        this.mostBytes = mostBytes;
        this.compiler = compiler;
    }

    /// The condition that `text` is.
    Condition of(String text) {
        synchronized (this) {
            var known = kept.get(text);
            if (known != null) {
                return known;
            }
        }
        var condition = compiler.apply(text);
        keep(text, condition);
        return condition;
    }

    private synchronized void keep(String text, Condition condition) {
        if (bytes(text) > mostBytes || kept.putIfAbsent(text, condition) != null) {
            return;
        }
        bytes += bytes(text);
        while (kept.size() > most || bytes > mostBytes) {
            bytes -= bytes(kept.pollFirstEntry().getKey());
        }
    }

    /// About how many bytes the condition that `text` is takes.
    static long bytes(String text) {
        return EACH + (long) CHARACTER * text.length();
    }
}
