package dev.artel.card.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What references come to.
final class ExpansionTest {
    private static final String LARGE = "x".repeat(900_000);
    private static final JsonObject OBJECT =
            JsonObject.builder()
                    .put("text", "a \"b\"\n\u0001")
                    .put("list", JsonArray.of(JsonNumber.of(1), JsonBoolean.TRUE, JsonNull.NULL))
                    .put("none", JsonObject.EMPTY)
                    .build();
    private static final Map<String, JsonValue> VALUES =
            Map.of("t", new JsonString(LARGE), "o", OBJECT);
    private static final TemplateScope SCOPE = name -> Optional.ofNullable(VALUES.get(name));

    private static Template text(String text) {
        return Template.ofText(text, false);
    }

    /// Trap: the whole text is made, larger than memory, and what has no place for it is shortened then.
    @Test
    void ofAText_noMoreIsMadeThanHasRoom() {
        var template = text("see ${t}".repeat(40_000));

        assertThat(template.textIn(SCOPE, 4_000)).hasSize(4_000).startsWith("see xxx");
        assertThatThrownBy(() -> template.in(SCOPE))
                .isInstanceOf(TooLargeExpansion.class)
                .hasMessageContaining("texts of more than " + Expansion.MOST_CHARACTERS);
    }

    @Test
    void textsOfOneValue_areCountedTogether() {
        var times = Expansion.MOST_CHARACTERS / LARGE.length() + 1;
        var items = new Template.Items(Collections.nCopies(times, text("- ${t}")));

        assertThatThrownBy(() -> items.in(SCOPE)).isInstanceOf(TooLargeExpansion.class);
        assertThat(text("- ${t}").in(SCOPE)).isEqualTo(new JsonString("- " + LARGE));
    }

    /// Trap: a value that is there once stands a hundred thousand times in what is written.
    @Test
    void aValueThatIsRepeated_isCounted_andOneOfAnySizeIsNot() {
        var times = (int) (Expansion.MOST_REPEATED / LARGE.length()) + 3;
        var repeated = new Template.Items(Collections.nCopies(times, text("${t}")));
        var huge = new JsonString("x".repeat((int) Expansion.MOST_REPEATED + 1));

        assertThatThrownBy(() -> repeated.in(SCOPE))
                .isInstanceOf(TooLargeExpansion.class)
                .hasMessageContaining("repeat values of more than " + Expansion.MOST_REPEATED);
        assertThat(text("${huge}").in(_ -> Optional.of(huge))).isSameAs(huge);
    }

    @Test
    void aValueInAText_isJson() {
        assertThat(text("it is ${o}").in(SCOPE)).isEqualTo(new JsonString("it is " + OBJECT));
        assertThat(text("it is ${o}").textIn(SCOPE, 1_000)).isEqualTo("it is " + OBJECT);
        assertThat(text("${o}").textIn(SCOPE, 1_000)).isEqualTo(OBJECT.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 9, 10, 11, 12, 20, 33})
    void theBeginningOfAValue_isThatOfItsJson(int most) {
        assertThat(Template.json(OBJECT, most)).isEqualTo(OBJECT.toString().substring(0, most));
    }
}
