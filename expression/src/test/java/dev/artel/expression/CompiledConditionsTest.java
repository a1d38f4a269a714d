package dev.artel.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompiledConditionsTest {
    private final List<String> compiled = new ArrayList<>();

    private CompiledConditions conditions(int most, long mostCharacters) {
        return new CompiledConditions(
                most,
                mostCharacters,
                text -> {
                    compiled.add(text);
                    return _ -> true;
                });
    }

    /// Trap: jobs bring along cards without end, and what their conditions were compiled to is never forgotten.
    @Test
    void conditionsAreKept_upToTheCharactersOfTheirTexts() {
        var conditions = conditions(100, 10);
        for (var round = 0; round < 2; round++) {
            for (var text : List.of("12345", "123456", "1234", "1")) {
                conditions.of(text);
            }
        }

        assertThat(compiled).containsExactly("12345", "123456", "1234", "1", "123456");
    }

    @Test
    void conditionsAreKept_upToTheirNumber() {
        var conditions = conditions(1, 100);
        conditions.of("a");
        conditions.of("b");
        conditions.of("a");
        conditions.of("b");

        assertThat(compiled).containsExactly("a", "b", "b");
    }
}
