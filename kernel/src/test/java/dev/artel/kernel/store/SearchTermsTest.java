package dev.artel.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SearchTermsTest {
    private static final List<String> TEXTS =
            List.of(
                    "",
                    "db",
                    "Connection to db-7 timed out",
                    "ISTANBUL \u0130stanbul istanbul",
                    "\u00c4rger mit Stra\u00dfe, 2 \u212a",
                    "\ud801\udc00\ud801\udc01 a\ud801\udc00",
                    "a,b;c  d");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "db",
                "DB 7",
                "timed out nothing",
                "\u0130stanbul",
                "istanbul",
                "\u00e4rger",
                "k",
                "\ud801\udc28\ud801\udc29",
                "a d",
                "--"
            })
    void wordsAreFound_whereTheyAreAmongAllWordsOfTheText(String asked) {
        var words = SearchTerms.of(asked);

        for (var text : TEXTS) {
            assertThat(SearchTerms.areIn(words, text))
                    .as("%s in %s", words, text)
                    .isEqualTo(SearchTerms.of(text).containsAll(words));
        }
    }

    @Test
    void aWordThatIsLongerInLowerCase_isFound() {
        var words = SearchTerms.of("\u0130");

        assertThat(words.getFirst()).hasSize(2);
        assertThat(SearchTerms.areIn(words, "to \u0130.")).isTrue();
    }
}
