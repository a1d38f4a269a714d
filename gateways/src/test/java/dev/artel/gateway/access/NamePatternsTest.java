package dev.artel.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class NamePatternsTest {
    @Test
    void namesAreAllowedInFull_orByHowTheyBegin() {
        var patterns = NamePatterns.of("resize, photo_*,,");

        assertThat(patterns.include("resize")).isTrue();
        assertThat(patterns.include("resize2")).isFalse();
        assertThat(patterns.include("photo_")).isTrue();
        assertThat(patterns.include("photo_crop")).isTrue();
        assertThat(patterns.include("a_photo_crop")).isFalse();
        assertThat(patterns.nameInFull("resize")).isTrue();
        assertThat(patterns.nameInFull("photo_crop")).isFalse();
        assertThat(NamePatterns.ALL.include("anything")).isTrue();
        assertThat(NamePatterns.ALL.nameInFull("anything")).isFalse();
        assertThat(patterns).hasToString("resize, photo_*");
    }

    @Test
    void aStarElsewhere_orNoNameAtAll_isRefused_withTheEntry() {
        assertThatThrownBy(() -> NamePatterns.of("a, *_b"))
                .hasMessageContaining("'*_b'")
                .hasMessageContaining("photo_*");
        assertThatThrownBy(() -> NamePatterns.of(" , ")).hasMessageContaining("at least one name");
    }
}
