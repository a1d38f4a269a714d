package dev.artel.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompiledConditionsTest {
    private final List<String> compiled = new ArrayList<>();

    private CompiledConditions conditions(int most, long mostBytes) {
        return new CompiledConditions(
                most,
                mostBytes,
                text -> {
                    compiled.add(text);
                    return _ -> true;
                });
    }

    /// Trap: jobs bring along cards without end, and what their conditions were compiled to is never forgotten.
    @Test
    void conditionsAreKept_upToTheirBytes_andThoseAskedForLastStay() {
        var conditions = conditions(100, CompiledConditions.bytes("1") * 2);
        for (var text : List.of("a", "b", "a", "c", "a", "b")) {
            conditions.of(text);
        }

        assertThat(compiled).containsExactly("a", "b", "c", "b");
    }

    /// Trap: one that is larger than all the room takes that of all others.
    @Test
    void aConditionThatIsLargerThanTheRoom_isNotKept_andTheOthersStay() {
        var conditions = conditions(100, CompiledConditions.bytes("1") * 2);
        for (var text : List.of("a", "x".repeat(1_000), "x".repeat(1_000), "a")) {
            conditions.of(text);
        }

        assertThat(compiled).containsExactly("a", "x".repeat(1_000), "x".repeat(1_000));
    }

    @Test
    void conditionsAreKept_upToTheirNumber() {
        var conditions = conditions(1, 1_000_000);
        for (var text : List.of("a", "a", "b", "a")) {
            conditions.of(text);
        }

        assertThat(compiled).containsExactly("a", "b", "a");
    }
}
