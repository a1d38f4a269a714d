package dev.artel.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SuggestionsTest {
    @Test
    void whatIsLikeAKnownName_isSuggested() {
        assertThat(Suggestions.like("overlab", List.of("overlap", "zone")))
                .isEqualTo("; did you mean overlap?");
        assertThat(Suggestions.like("colour", List.of("overlap", "zone"))).isEmpty();
    }

    /// Trap: the zone of a schedule is a text of 250 KB, and is compared with six hundred names, letter by letter.
    @Test
    void aLongText_isLikeNone() {
        var long100 = "x".repeat(100);

        assertThat(Suggestions.like(long100, List.of(long100))).isNotEmpty();
        assertThat(Suggestions.like(long100 + "x", List.of(long100))).isEmpty();
    }
}
