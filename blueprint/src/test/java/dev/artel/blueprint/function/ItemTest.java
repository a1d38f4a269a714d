package dev.artel.blueprint.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ItemTest {
    /// Trap: the digest of a map is another one, and functions that run over an update no longer know their history.
    @Test
    void theDigestOfMany_isThatOfTheirLines() {
        assertThat(Item.operation("map", "write", 3, Stream.of("write {}", "", "write {\"n\":2}")))
                .isEqualTo(Item.operation("map", "write", "3\nwrite {}\n\nwrite {\"n\":2}"));
        assertThat(Item.operation("map", "", 0, Stream.of()))
                .isEqualTo(Item.operation("map", "", "0\n"));
    }
}
