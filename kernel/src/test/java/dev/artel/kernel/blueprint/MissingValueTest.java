package dev.artel.kernel.blueprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MissingValueTest {
    @Test
    void theNearestName_isTheOneWithTheFewestOtherLetters() {
        assertThat(MissingValue.nearest("prize", new LinkedHashSet<>(List.of("size", "price"))))
                .contains("price");
        assertThat(MissingValue.nearest("price", new LinkedHashSet<>(List.of("walk")))).isEmpty();
    }

    /// Trap: names of others are compared for minutes: each with each, letter by letter.
    @Test
    void longNames_andThoseBehindTheFirstThousand_areNotCompared() {
        var names =
                IntStream.range(0, 1_000)
                        .mapToObj(i -> "name" + i)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        names.add("price");

        assertThat(MissingValue.nearest("prize", names)).isEmpty();
        assertThat(
                        MissingValue.nearest(
                                "x".repeat(101), new LinkedHashSet<>(List.of("x".repeat(100)))))
                .isEmpty();
        assertThat(
                        MissingValue.nearest(
                                "x".repeat(100), new LinkedHashSet<>(List.of("x".repeat(101)))))
                .isEmpty();
    }
}
