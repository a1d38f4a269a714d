package dev.artel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Binding;
import dev.artel.json.bind.Mismatch;
import dev.artel.json.bind.Unfit;
import dev.artel.json.bind.Writing;
import dev.artel.json.text.JsonText;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BindingTest {
    enum Mode {
        FAST,
        EXACT
    }

    record Point(int x, int y) {
        Point {
            if (x < 0) {
                throw new IllegalArgumentException("x is at least 0");
            }
        }
    }

    record Everything(
            String name,
            int maxWidth,
            long size,
            double ratio,
            boolean isOn,
            Mode mode,
            BigDecimal price,
            Instant at,
            Duration pause,
            Point origin,
            List<Point> points,
            Map<String, Integer> counts,
            Optional<String> note,
            @Nullable String nick,
            JsonValue raw) {}

    private static Object bind(Class<?> type, String json) {
        return Binding.of(type).bind(JsonText.read(json.replace('\'', '"')), "params");
    }

    @Test
    void aRecordIsBoundByTheNamesOfItsComponents_alsoInSnakeCase() {
        var bound =
                bind(
                        Everything.class,
                        """
                        {'name':'n','max_width':640,'size':9999999999,'ratio':0.5,'isOn':true,'mode':'fast',
                         'price':1.10,'at':'2030-01-31T12:00:00Z','pause':'PT5S','origin':{'x':1,'y':2.0},
                         'points':[{'x':3,'y':4}],'counts':{'a':1},'note':'hi','nick':'nn','raw':{'z':1},
                         'unknown':[]}\
                        """);

        assertThat(bound)
                .isEqualTo(
                        new Everything(
                                "n",
                                640,
                                9_999_999_999L,
                                0.5,
                                true,
                                Mode.FAST,
                                new BigDecimal("1.10"),
                                Instant.parse("2030-01-31T12:00:00Z"),
                                Duration.ofSeconds(5),
                                new Point(1, 2),
                                List.of(new Point(3, 4)),
                                Map.of("a", 1),
                                Optional.of("hi"),
                                "nn",
                                JsonObject.of("z", JsonNumber.of(1))));
    }

    @Test
    void whatMayBeAbsent_isEmptyOrNull() {
        record Lenient(
                List<String> list,
                Map<String, String> map,
                Optional<String> perhaps,
                @Nullable String nullable) {}

        assertThat(bind(Lenient.class, "{'list':null}"))
                .isEqualTo(new Lenient(List.of(), Map.of(), Optional.empty(), null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'y':1}             | params.x: expected a whole number of 32 bits, found nothing",
                "{'x':'1','y':1}     | params.x: expected a whole number of 32 bits, found JSON string",
                "{'x':1.5,'y':1}     | params.x: expected a whole number of 32 bits, found JSON number",
                "{'x':1,'y':3000000000} | params.y: expected a whole number of 32 bits, found JSON number",
                "{'x':-1,'y':1}      | params: x is at least 0",
                "[1,2]               | params: expected an object, found JSON array",
            })
    void whatDoesNotFit_isRefusedByPath(String json, String message) {
        assertThatExceptionOfType(Unfit.class)
                .isThrownBy(() -> bind(Point.class, json))
                .withMessage(message);
    }

    @Test
    void everythingThatDoesNotFit_isReportedAtOnce() {
        record Line(Point from, Point to, Mode mode) {}

        assertThatExceptionOfType(Unfit.class)
                .isThrownBy(() -> bind(Line.class, "{'from':{'x':'a'},'to':7,'mode':'slow'}"))
                .satisfies(unfit ->
                        assertThat(unfit.mismatches())
                                .extracting(Mismatch::path)
                                .containsExactly(
                                        "params.from.x",
                                        "params.from.y",
                                        "params.to",
                                        "params.mode"));
    }

    @Test
    void aStrictBinding_refusesMembersThatNobodyKnows() {
        var strict = Binding.strict(Point.class);
        var value = JsonText.read("{\"x\":1,\"y\":2,\"z\":3}");

        assertThat(strict.mismatches(value, "$"))
                .hasToString("[$.z: is not known; there are [x, y]]");
        assertThat(Binding.of(Point.class).mismatches(value, "$")).isEmpty();
    }

    @Test
    void aRecordThatContainsItself_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Binding.of(Tree.class))
                .withMessageContaining("Tree contains itself");
    }

    record Tree(List<Tree> branches) {}

    @Test
    void theSchema_saysWhatFits() {
        record Order(String customerName, int amount, Mode mode, Optional<Instant> due) {}

        assertThat(Binding.strict(Order.class).schema())
                .hasToString(
                        "{\"type\":\"object\",\"title\":\"Order\",\"properties\":{"
                                + "\"customer_name\":{\"type\":\"string\"},"
                                + "\"amount\":{\"type\":\"integer\",\"minimum\":-2147483648,\"maximum\":2147483647},"
                                + "\"mode\":{\"type\":\"string\",\"enum\":[\"FAST\",\"EXACT\"]},"
                                + "\"due\":{\"type\":\"string\",\"format\":\"date-time\"}},"
                                + "\"required\":[\"customer_name\",\"amount\",\"mode\"],"
                                + "\"additionalProperties\":false}");
    }

    @Test
    void aPathLeadsIntoListsAndMaps() {
        record Nested(Map<String, List<Point>> shapes) {}

        assertThatExceptionOfType(Unfit.class)
                .isThrownBy(() -> bind(Nested.class, "{'shapes':{'a':[{'x':1,'y':2},7]}}"))
                .withMessage("params.shapes.a[1]: expected an object, found JSON number");
    }

    @Test
    void aTypeThatNothingCanBeBoundTo_isRefusedAtOnce() {
        record Odd(Thread thread) {}

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Binding.of(Odd.class))
                .withMessageContaining("java.lang.Thread");
    }

    @Test
    void whatIsWrittenIsBoundAgain() {
        var point = new Point(1, 2);

        assertThat(bind(Point.class, Writing.json(point).toString())).isEqualTo(point);
    }

    record Lines(List<Point> lines, Map<String, Point> byName) {}

    /// Trap: a value of a megabyte has 700,000 things that do not fit, each of which takes 250 bytes and is written three times.
    @Test
    void ofAValueThatDoesNotFitInManyPlaces_theFirstHundredAreReported_andThatThereAreMore() {
        var lines = "[" + "{},".repeat(100_000) + "{}]";

        var found =
                Binding.of(Lines.class)
                        .mismatches(JsonText.read("{\"lines\":" + lines + "}"), "initial_data");

        assertThat(found)
                .hasSize(101)
                .startsWith(
                        new Mismatch(
                                "initial_data.lines[0].x",
                                "expected a whole number of 32 bits, found nothing"))
                .endsWith(
                        new Mismatch(
                                "initial_data.lines[50].x",
                                "does not fit either; of all that does not, the first 100 are reported"));
    }

    /// Trap: each of a hundred paths repeats a name of a megabyte.
    @Test
    void aNameThatAValueChooses_isShortenedInPaths_andSoIsWhatAnAuthorsCodeRepeats() {
        var name = "n".repeat(100_000);

        var found =
                Binding.strict(Lines.class)
                        .mismatches(
                                JsonText.read(
                                        "{\"by_name\":{\"" + name + "\":{}},\"" + name + "\":1}"),
                                "params");

        var shown = "n".repeat(200) + "... (100000 characters)";
        assertThat(found)
                .extracting(Mismatch::path)
                .containsExactly(
                        "params.by_name." + shown + ".x",
                        "params.by_name." + shown + ".y",
                        "params." + shown);
    }
}
