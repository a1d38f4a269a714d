package dev.artel.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Objects of few members, of many, and of those between, against the map of the JDK.
final class JsonObjectTest {
    private static SequencedMap<String, JsonValue> map(int size) {
        var map = new LinkedHashMap<String, JsonValue>();
        IntStream.range(0, size).forEach(i -> map.put("name-" + i, JsonNumber.of(i)));
        return map;
    }

    private static JsonObject built(SequencedMap<String, JsonValue> map) {
        var object = JsonObject.builder();
        map.forEach(object::put);
        return object.build();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9, 15, 16, 17, 40})
    void members_areThoseOfTheMap_inItsOrder(int size) {
        var map = map(size);
        for (var object :
                List.of(new JsonObject(map), built(map), JsonObject.EMPTY.merge(built(map)))) {
            assertThat(object.size()).isEqualTo(size);
            assertThat(object.isEmpty()).isEqualTo(size == 0);
            assertThat(object.members()).isEqualTo(map).hasSameHashCodeAs(map);
            assertThat(map).isEqualTo(object.members());
            assertThat(object.names()).containsExactlyElementsOf(map.keySet());
            assertThat(object.members().values()).containsExactlyElementsOf(map.values());
            assertThat(object.members().entrySet()).containsExactlyElementsOf(map.entrySet());
            assertThat(List.copyOf(object.members().reversed().keySet()))
                    .isEqualTo(List.copyOf(map.reversed().keySet()));
            assertThat(object).isEqualTo(built(map)).hasSameHashCodeAs(built(map));
            map.forEach((name, value) -> assertThat(object.get(name)).contains(value));
            assertThat(object.get("other")).isEmpty();
            assertThat(object.has("other")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 17})
    void aMemberThatIsSetAgain_keepsItsPlace(int size) {
        var map = map(size);
        map.put("name-0", JsonBoolean.TRUE);

        assertThat(built(map(size)).with("name-0", JsonBoolean.TRUE).members().sequencedEntrySet())
                .containsExactlyElementsOf(map.entrySet());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17})
    void putNew_leavesWhatIsThere(int size) {
        var object = JsonObject.builder().putAll(built(map(size)));

        assertThat(object.putNew("name-0", JsonBoolean.TRUE)).isFalse();
        assertThat(object.putNew("new", JsonBoolean.TRUE)).isTrue();
        assertThat(object.putNew("new", JsonBoolean.FALSE)).isFalse();
        var expected = map(size);
        expected.put("new", JsonBoolean.TRUE);
        assertThat(object.build().members()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17})
    void anObjectThatIsBuilt_isNotChangedByItsBuilder(int size) {
        var builder = JsonObject.builder().putAll(built(map(size)));
        var object = builder.build();

        builder.put("name-0", JsonBoolean.TRUE).put("more", JsonBoolean.TRUE);

        assertThat(object.members()).isEqualTo(map(size));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16, 17})
    void members_areNotChanged(int size) {
        var members = built(map(size)).members();

        assertThatThrownBy(() -> members.put("x", JsonNull.NULL))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> members.putFirst("x", JsonNull.NULL))
                .isInstanceOf(UnsupportedOperationException.class);
        if (size > 0) {
            assertThatThrownBy(members::pollFirstEntry)
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(members::clear).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> members.keySet().remove("name-0"))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> members.firstEntry().setValue(JsonNull.NULL))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
        assertThat(members).isEqualTo(map(size));
    }

    @Test
    void theMapThatItWasMadeOf_mayChange() {
        var map = map(2);
        var object = new JsonObject(map);

        map.clear();

        assertThat(object.members()).isEqualTo(map(2));
    }

    @Test
    @SuppressWarnings("NullAway") // what is not allowed
    void nothingIsNull() {
        var object = JsonObject.builder();
        assertThatNullPointerException().isThrownBy(() -> object.put("a", (JsonValue) null));
        assertThatNullPointerException().isThrownBy(() -> object.put(null, JsonNull.NULL));
        var map = new LinkedHashMap<String, JsonValue>();
        map.put("a", null);
        assertThatNullPointerException().isThrownBy(() -> new JsonObject(map)).withMessage("a");
    }

    @Test
    void names_endWithTheLast() {
        var names = built(map(1)).names().iterator();
        names.next();

        assertThatThrownBy(names::next).isInstanceOf(NoSuchElementException.class);
    }
}
