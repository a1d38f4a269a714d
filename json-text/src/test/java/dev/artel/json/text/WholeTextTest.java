package dev.artel.json.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class WholeTextTest {
    private static String written(List<String> pieces) {
        var text = new WholeText();
        for (var piece : pieces) {
            if (piece.length() == 1) {
                text.write(piece.charAt(0));
            } else {
                text.write(("<" + piece + ">").getBytes(US_ASCII), 1, piece.length());
            }
        }
        return new String(text.whole(), US_ASCII);
    }

    @Test
    void whatIsWritten_isThere_inOnePieceOrMany() {
        for (var pieces :
                List.of(
                        List.<String>of(),
                        List.of("one"),
                        List.of("one", "two"),
                        List.of("one", "two", "three"),
                        List.of("a"),
                        List.of("a", "one"),
                        List.of("one", "a"),
                        List.of("one", "a", "two", "b"))) {
            assertThat(written(pieces)).isEqualTo(String.join("", pieces));
        }
    }

    @Test
    void aPieceThatIsWritten_isCopied() {
        var text = new WholeText();
        var buffer = "one".getBytes(US_ASCII);
        text.write(buffer, 0, 3);
        buffer[0] = 'X';

        assertThat(text.whole()).asString(US_ASCII).isEqualTo("one");
    }
}
