package dev.artel.json.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MalformedJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[",
                "]",
                "{",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "[1,]",
                "[1 2]",
                "{a:1}",
                "{'a':1}",
                "'a'",
                "nul",
                "NaN",
                "Infinity",
                "+1",
                "01",
                "1.",
                ".5",
                "1e",
                "- 1",
                "0x1",
                "\"a",
                "\"\\x\"",
                "\"\n\"",
                "1 2",
                "{} {}",
                "[]]",
                "// c\n1",
                "/* c */ 1",
                "1e99999999999",
                "\"\\ud83d\"",
                "\"\\ude00\\ud83d\"",
                "{\"\\ud83d\":1}",
                "\uFEFF1"
            })
    void textThatIsNotOneValue_isRefused(String text) {
        assertThatExceptionOfType(MalformedJson.class).isThrownBy(() -> JsonText.read(text));
        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> JsonText.read(text.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({
        "22ff22, 2", // no such byte
        "22c3, 2", // cut short
        "22c0af22, 2", // overlong
        "22eda08022, 2", // a surrogate
        "22f490808022, 2", // above the last character
    })
    void bytesThatAreNotUtf8_areRefusedWithTheirPlace(String hex, int column) {
        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> JsonText.read(HexFormat.of().parseHex(hex)))
                .withMessage(
                        "malformed JSON at line 1, column %d: found bytes that are not UTF-8",
                        column)
                .satisfies(refusal -> assertThat(refusal.column()).isEqualTo(column));
    }

    @Test
    void theEncodingIsNotGuessed() {
        var text = "[1]".getBytes(StandardCharsets.UTF_16LE);

        assertThatExceptionOfType(MalformedJson.class).isThrownBy(() -> JsonText.read(text));
    }

    @Test
    void aMemberGivenTwice_isRefusedByName() {
        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> JsonText.read("{\"a\":1,\n \"b\":{\"c\":1,\"c\":2}}"))
                .withMessage(
                        "malformed JSON at line 2, column 13: found the member \"c\" twice in one object");
    }

    @Test
    void theMessageSaysWhereAndWhat() {
        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> JsonText.read("{\n  \"a\": tru\n}"))
                .withMessageStartingWith("malformed JSON at line 2, column ")
                .withMessageEndingWith("found what is no JSON")
                .satisfies(refusal -> assertThat(refusal.line()).isEqualTo(2));
        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> JsonText.read("[] x"))
                .withMessageContaining("column 4");
    }

    @Test
    void theMessageIsBounded_whateverTheTextIs() {
        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> JsonText.read("x".repeat(100_000)))
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void nestingIsBounded() {
        assertThat(JsonText.read("[".repeat(100) + "]".repeat(100))).isNotNull();
        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> JsonText.read("[".repeat(101) + "]".repeat(101)))
                .withMessageContaining("100");
    }

    @Test
    void theLengthOfNumbersIsBounded() {
        assertThat(JsonText.read("1".repeat(900))).isNotNull();
        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> JsonText.read("1".repeat(1001)))
                .withMessageContaining("1000");
    }

    @Test
    void everyCutOfAText_isRefused() {
        var text = "{\"a\":[1,\"\u00e9\",{\"b\":null}]}".getBytes(UTF_8);

        for (var length = 0; length < text.length; length++) {
            var cut = Arrays.copyOf(text, length);
            assertThatExceptionOfType(MalformedJson.class).isThrownBy(() -> JsonText.read(cut));
        }
    }
}
