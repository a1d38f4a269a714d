package dev.artel.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ForeignTextTest {
    @Test
    void aText_isShownAsItIs_unlessItIsLong() {
        assertThat(ForeignText.shown("größe \uD83D\uDE00")).isEqualTo("größe \uD83D\uDE00");
        assertThat(ForeignText.shown("x".repeat(200))).hasSize(200);
        assertThat(ForeignText.shown("x".repeat(100_000))).hasSize(203).endsWith("x...");
        assertThat(ForeignText.shown("x".repeat(100_000), 7)).isEqualTo("xxxxxxx...");
        assertThat(ForeignText.shown("xx\uD83D\uDE00x", 3)).isEqualTo("xx...");
    }

    /// Trap: a name has the end of a line, and behind it what looks like a line of the orchestrator.
    @Test
    void whatBeginsAnotherLine_orMovesTheCursor_isEscaped() {
        assertThat(ForeignText.shown("a\r\nERROR b\u001B[2Jc\u2028d\u202Ee\uD83D"))
                .isEqualTo("a\\u000d\\u000aERROR b\\u001b[2Jc\\u2028d\\u202ee\\ud83d");
    }
}
