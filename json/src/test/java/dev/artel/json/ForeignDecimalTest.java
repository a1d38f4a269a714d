package dev.artel.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ForeignDecimalTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0.25",
                "1e30",
                "9.99e30",
                "1e-30",
                "4.440892098500626e-16",
                "1234567890123456789012345678901234567890e-10",
                "000000000000000000000000000000000000000000000000000000001"
            })
    void numbersWithinTheBounds_areThemselves(String text) {
        assertThat(ForeignDecimal.of(text)).isEqualByComparingTo(new BigDecimal(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e-640000000",
                "1e999999999",
                "-1e2147483647",
                "1e31",
                "9.9e-31",
                "12345678901234567890123456789012345678901",
                "1e99999999999",
                "ten",
                "",
                "NaN",
                "0x10"
            })
    void others_areRefused(String text) {
        assertThatThrownBy(() -> ForeignDecimal.of(text)).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void aTextOfAMillionDigits_isNotRead() {
        var text = "1".repeat(1_000_000);

        assertThatThrownBy(() -> ForeignDecimal.of(text))
                .hasMessage("has 1000000 characters; a number has at most 40 digits");
    }

    @Test
    void aZeroOfAnyPower_isZero() {
        assertThat(ForeignDecimal.of("0e-999999999").setScale(9)).isEqualByComparingTo("0");
        assertThat(ForeignDecimal.of(new JsonNumber(new BigDecimal("0e999999999"))))
                .isEqualTo(BigDecimal.ZERO);
    }

    @Test
    void aNumber_isWrittenWithoutItsPower_withTheZerosThatItHas() {
        assertThat(ForeignDecimal.plain(new BigDecimal("1e-9"))).isEqualTo("0.000000001");
        assertThat(ForeignDecimal.plain(new BigDecimal("0.00"))).isEqualTo("0.00");
        assertThat(ForeignDecimal.plain(new BigDecimal("2.50"))).isEqualTo("2.50");
        assertThat(ForeignDecimal.plain(new BigDecimal("0e-999999999"))).isEqualTo("0");
        var large = new BigDecimal("1e999999999");
        assertThatThrownBy(() -> ForeignDecimal.plain(large))
                .isInstanceOf(NumberFormatException.class);
    }

    @Test
    void numbersOfJson_haveTheSameBounds() {
        assertThat(ForeignDecimal.of(JsonNumber.of(Long.MIN_VALUE)))
                .isEqualTo(BigDecimal.valueOf(Long.MIN_VALUE));
        assertThat(ForeignDecimal.of(JsonNumber.of(0.25))).isEqualTo("0.25");
        var large = new JsonNumber(new BigDecimal("1e-640000000"));
        assertThatThrownBy(() -> ForeignDecimal.of(large))
                .hasMessage("is about 1e-640000000; numbers are between 1e-30 and 1e31");
    }
}
