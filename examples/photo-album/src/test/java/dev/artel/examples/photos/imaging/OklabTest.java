package dev.artel.examples.photos.imaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OklabTest {
    @ParameterizedTest
    @ValueSource(ints = {0x000000, 0xffffff, 0xff0000, 0x00ff00, 0x0000ff, 0x123456, 0xc0ffee})
    void aColourComesBack(int rgb) {
        assertThat(Oklab.of(rgb).rgb()).isEqualTo(rgb);
    }

    @Test
    void redIsWhereItsInventorPutIt() {
        var red = Oklab.of(0xff0000);

        assertThat(red.l()).isCloseTo(0.62796, within(1e-4));
        assertThat(red.a()).isCloseTo(0.22486, within(1e-4));
        assertThat(red.b()).isCloseTo(0.12585, within(1e-4));
    }
}
