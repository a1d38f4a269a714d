package dev.artel.worker.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The comparison of tokens.
final class SameSecretTest {
    @Test
    void sc01_equalTexts_areTheSame() {
        assertThat(Authenticator.sameSecret("token-1", "token-1")).isTrue();
    }

    @Test
    void sc02_textsOfOneLength_thatDiffer_areNot() {
        assertThat(Authenticator.sameSecret("token-1", "token-2")).isFalse();
    }

    @Test
    void sc03_textsOfDifferentLengths_areNot_inBothOrders() {
        assertThat(Authenticator.sameSecret("token", "token-1")).isFalse();
        assertThat(Authenticator.sameSecret("token-1", "token")).isFalse();
    }

    @Test
    void sc04_textsBeyondAscii_areComparedAsTheyAre() {
        assertThat(Authenticator.sameSecret("clé-ключ", "clé-ключ")).isTrue();
        assertThat(Authenticator.sameSecret("clé", "cle")).isFalse();
    }
}
