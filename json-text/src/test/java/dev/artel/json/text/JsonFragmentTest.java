package dev.artel.json.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import java.util.Collections;
import org.junit.jupiter.api.Test;

final class JsonFragmentTest {
    private static JsonFragment fragment(String text) {
        return new JsonFragment(text.getBytes(UTF_8));
    }

    /// Trap: a worker puts a value in many lines, and each of its lines ends an event of a stream.
    @Test
    void aTextOfManyLines_isWrittenInOne() {
        var text = "{\n  \"a\": [1,\r\n 2],\n  \"b\": \"x\\ny\"\n}";
        var document = JsonObject.builder().put("value", fragment(text)).build();

        var written = new String(JsonText.write(document), UTF_8);

        assertThat(written).doesNotContain("\n", "\r");
        assertThat(JsonText.read(written)).isEqualTo(JsonObject.of("value", JsonText.read(text)));
    }

    @Test
    void aFragment_isWrittenAsItIs_amongItsNeighbours() {
        var inner = JsonObject.builder().put("only", fragment("[1, 2]")).build();
        var object =
                JsonObject.builder()
                        .put("first", fragment("{\"a\" : \"\u00fc\"}"))
                        .put("second", JsonNumber.of(2))
                        .put("third", fragment("1.50"))
                        .put("last", JsonArray.of(inner, inner))
                        .build();

        assertThat(new String(JsonText.write(object), UTF_8))
                .isEqualTo(
                        "{\"first\":{\"a\" : \"\u00fc\"},\"second\":2,\"third\":1.50,"
                                + "\"last\":[{\"only\":[1, 2]},{\"only\":[1, 2]}]}");
        assertThat(JsonText.length(object)).isEqualTo(JsonText.write(object).length);
    }

    @Test
    void aLargeFragment_standsBetweenWhatWasWrittenBeforeAndBehindIt() {
        var large = JsonText.write(JsonArray.ofStrings(Collections.nCopies(9_999, "x")));
        var object = JsonObject.builder();
        for (var i = 0; i < 9_999; i++) {
            object.put("before" + i, i);
        }
        var value = object.put("large", new JsonFragment(large)).put("behind", true).build();

        var read = (JsonObject) JsonText.readWritten(JsonText.write(value));

        assertThat(read.names()).containsExactlyElementsOf(value.names());
        assertThat(read.get("large")).contains(JsonText.readWritten(large));
        assertThat(value.get("large")).contains(JsonText.readWritten(large));
    }

    @Test
    void theElementsOfAFragment_comeOneByOne() {
        try (var elements = fragment("[1,2,3]").elements()) {
            assertThat(elements).hasSize(3).contains(JsonNumber.of(3));
        }
    }
}
