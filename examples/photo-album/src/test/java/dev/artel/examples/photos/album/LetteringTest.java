package dev.artel.examples.photos.album;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LetteringTest {
    private final Lettering letters = PixelLetters.ofSize(20);

    @Test
    void textThatFits_isKept() {
        assertThat(letters.fitted("abc", letters.width("abc"))).isEqualTo("abc");
    }

    @Test
    void textThatIsTooWide_endsInAnEllipsis() {
        assertThat(letters.fitted("a long caption", letters.width("a long…"))).isEqualTo("a long…");
    }

    @Test
    void noRoomAtAll_isNoText() {
        assertThat(letters.fitted("abc", 3)).isEmpty();
    }

    @Test
    void aCharacterOfTwoHalves_isNotCutInHalf() {
        assertThat(letters.fitted("a\uD83D\uDC31b and more", letters.width("a.."))).isEqualTo("a…");
    }

    @Test
    void accentsAreDropped() {
        assertThat(letters.width("Größe")).isEqualTo(letters.width("GROSSE"));
    }
}
