package dev.artel.json.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTextTest {
    @Test
    void everyKindOfValueIsRead() {
        var value = JsonText.read("{\"a\":[1,-2.50,\"x\",true,false,null,{}]}");

        assertThat(value)
                .isEqualTo(
                        JsonObject.of(
                                "a",
                                JsonArray.of(
                                        JsonNumber.of(1),
                                        new JsonNumber(new BigDecimal("-2.50")),
                                        new JsonString("x"),
                                        JsonBoolean.TRUE,
                                        JsonBoolean.FALSE,
                                        JsonNull.NULL,
                                        JsonObject.EMPTY)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":[1,{}]}", "7", " \"x\\u00e4\" ", "[[],{},\"\u00fc\"]"})
    void aTextThatIsOneValue_passes(String text) {
        JsonText.check(new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{\"a\":1",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "[1,]",
                "nope",
                "\ufeff1"
            })
    void aTextThatIsNotOneValue_isMalformed(String text) {
        var stream = new ByteArrayInputStream(text.getBytes(UTF_8));

        assertThatThrownBy(() -> JsonText.check(stream)).isInstanceOf(MalformedJson.class);
    }

    @Test
    void aTextThatIsNotUtf8_orTooDeep_isMalformed() {
        var latin = new ByteArrayInputStream(new byte[] {'"', (byte) 0xfc, '"'});
        var deep = "[".repeat(101) + "]".repeat(101);

        assertThatThrownBy(() -> JsonText.check(latin)).hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> JsonText.check(new ByteArrayInputStream(deep.getBytes(UTF_8))))
                .isInstanceOf(MalformedJson.class);
    }

    @Test
    void membersKeepTheirOrder() {
        var value = (JsonObject) JsonText.read("{\"z\":1,\"a\":2,\"m\":3}");

        assertThat(value.names()).containsExactly("z", "a", "m");
        assertThat(text(value)).isEqualTo("{\"z\":1,\"a\":2,\"m\":3}");
    }

    @Test
    void integersThatFit_areLongs_andOthersAreExactDecimals() {
        assertThat(JsonText.read("9223372036854775807")).isEqualTo(JsonNumber.of(Long.MAX_VALUE));
        assertThat(JsonText.read("-9223372036854775808")).isEqualTo(JsonNumber.of(Long.MIN_VALUE));
        assertThat(JsonText.read("9223372036854775808"))
                .isEqualTo(new JsonNumber(new BigDecimal("9223372036854775808")));
        assertThat(JsonText.read("1.0")).isEqualTo(new JsonNumber(new BigDecimal("1.0")));
        assertThat(JsonText.read("1e400")).isEqualTo(new JsonNumber(new BigDecimal("1e400")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "0.1",
                "1E+3",
                "123456789012345678901234567890",
                "\"\"",
                "\"\\\"\\\\\\n\\t\\u0001\"",
                "\"Zürich 東京 \uD83D\uDE00\"",
                "[]",
                "[[],[[]]]",
                "{\"\":{}}",
                "null"
            })
    void whatIsWrittenIsReadBackEqual_andAlike(String text) {
        var value = JsonText.read(text);

        assertThat(text(value)).isEqualTo(text);
        assertThat(JsonText.readWritten(JsonText.write(value))).isEqualTo(value);
        assertThat(JsonText.read(text.getBytes(UTF_8))).isEqualTo(value);
    }

    @Test
    void aLongTextInManyAlphabetsIsReadBackEqual() {
        var value = new JsonString("Zürich 東京 \uD83D\uDE00 ".repeat(10_000));

        assertThat(JsonText.read(JsonText.write(value))).isEqualTo(value);
    }

    @Test
    void aValueIsReadAtTheParsersToken_andNoFurther() throws IOException {
        try (var parser = JsonText.parser("[{\"a\":1},2]".getBytes(UTF_8))) {
            parser.nextToken();
            parser.nextToken();

            assertThat(JsonText.read(parser)).isEqualTo(JsonObject.of("a", JsonNumber.of(1)));
            parser.nextToken();
            assertThat(JsonText.read(parser)).isEqualTo(JsonNumber.of(2));
        }
    }

    @Test
    void aValueIsWrittenAmongOthers() throws IOException {
        var target = new ByteArrayOutputStream();
        try (var generator = JsonText.generator(target)) {
            generator.writeStartArray();
            JsonText.writeTo(JsonObject.EMPTY, generator);
            JsonText.writeTo(JsonNumber.of(7), generator);
            generator.writeEndArray();
        }

        assertThat(target.toString(UTF_8)).isEqualTo("[{},7]");
    }

    @Test
    void whatCameFromOutsideAtFullDepth_canBeWrappedWrittenAndReadBack() {
        var wrapped = JsonObject.of("payload", JsonText.read(nested(JsonText.MAX_DEPTH)));

        assertThat(JsonText.readWritten(JsonText.write(wrapped))).isEqualTo(wrapped);
    }

    @Test
    void aStringWithHalfOfASurrogatePair_isNotWritten() {
        assertThatThrownBy(() -> JsonText.write(new JsonString("\uD83D")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("surrogate");
    }

    @Test
    void aValueNestedTooDeeply_isNotWritten() {
        JsonValue value = JsonArray.EMPTY;
        for (var depth = 1; depth <= JsonText.MAX_WRITTEN_DEPTH; depth++) {
            value = JsonArray.of(value);
        }
        var tooDeep = value;

        assertThatThrownBy(() -> JsonText.write(tooDeep))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1000");
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    private static String text(JsonValue value) {
        return new String(JsonText.write(value), UTF_8);
    }

    /// Trap: a number of a text that is taken has more characters once it is written, and what was stored can never be read.
    @Test
    void whateverNumberIsRead_isWrittenSoThatItCanBeReadAgain() {
        var digits = "7".repeat(JsonNumber.MOST_DIGITS);
        for (var number :
                List.of(
                        digits,
                        "-" + digits + "e9",
                        "-0." + digits,
                        digits.charAt(0) + "." + digits.substring(1) + "E-999999999",
                        digits + "e99",
                        "1e2147483647")) {
            var value = JsonText.read(number.getBytes(UTF_8));
            var written = JsonText.write(value);

            assertThat(JsonText.read(written)).as(number).isEqualTo(value);
            assertThat(JsonText.readWritten(written)).isEqualTo(value);
        }
    }

    @Test
    void aNumberWithMoreDigits_isRefused_whereverItIsMade() {
        var digits = "7".repeat(JsonNumber.MOST_DIGITS + 1);

        for (var number : List.of(digits, "0." + digits, digits + "e9")) {
            assertThatExceptionOfType(MalformedJson.class)
                    .as(number)
                    .isThrownBy(() -> JsonText.read(number.getBytes(UTF_8)))
                    .withMessageContaining("900 digits");
        }
        assertThatExceptionOfType(NumberFormatException.class)
                .isThrownBy(() -> new JsonNumber(new BigInteger("f".repeat(900), 16)))
                .withMessageContaining("900 digits");
    }
}
