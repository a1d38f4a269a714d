package dev.artel.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.task.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every [PayloadStore] does. A test class of a store implements [#payloads] and nothing else.
public interface PayloadStoreContract {
    /// The store under test: empty at the start of each test, and the same one throughout it.
    PayloadStore payloads();

    @Test
    default void aSmallValue_staysInline() {
        var value = JsonObject.of("a", JsonValue.of(1));

        var kept = payloads().keep(value);

        assertThat(kept).isEqualTo(Payload.of(value));
        assertThat(payloads().resolve(kept)).isEqualTo(value);
    }

    @Test
    default void aLargeValue_isKept_andReadBack() {
        var value = JsonObject.of("text", JsonValue.of("\u00e4\ud83d\ude00".repeat(20_000)));

        var kept = payloads().keep(value);

        assertThat(kept).isInstanceOf(Payload.Ref.class);
        assertThat(payloads().resolve(kept)).isEqualTo(value);
    }

    @Test
    default void theLimit_isTheLengthOfTheText() {
        var quotes = 2;
        var longest = textOf(Payload.INLINE_LIMIT - quotes - 1);
        var tooLong = textOf(Payload.INLINE_LIMIT - quotes);

        assertThat(payloads().keep(longest)).isInstanceOf(Payload.Inline.class);
        assertThat(payloads().keep(tooLong))
                .isInstanceOfSatisfying(
                        Payload.Ref.class,
                        ref -> assertThat(ref.bytes()).isEqualTo(Payload.INLINE_LIMIT));
    }

    @Test
    default void theSameValue_isTheSamePayload() {
        var once = payloads().keep(textOf(100_000));
        var again = payloads().keep(textOf(100_000));

        assertThat(again).isEqualTo(once);
        assertThat(payloads().resolve(again)).isEqualTo(textOf(100_000));
    }

    @Test
    default void theDigest_isThatOfTheText() {
        assertThat(payloads().keep(textOf(65_534)))
                .isEqualTo(
                        new Payload.Ref(
                                "92241a24e27390491bc165dadfd9b4db4ede1235d9a56d877f0d0c63071e1dd1",
                                65_536));
    }

    @Test
    default void aValueThatIsPut_isKeptApart_howeverSmall() {
        var value = JsonObject.of("a", JsonValue.of(1));

        var kept = payloads().put(value);

        assertThat(kept.bytes()).isEqualTo(payloads().bytes(value)).isEqualTo(7);
        assertThat(payloads().resolve(kept)).isEqualTo(value);
    }

    /// Trap: a string, a number or white space at the end of a member is taken with what follows it.
    @Test
    default void anObjectThatIsSplit_keepsItsShape_andItsValue() {
        var parts = 0;
        for (var seed = 0; seed < 100; seed++) {
            var random = new SplittableRandom(seed);
            var object = JsonObject.builder();
            for (var i = random.nextInt(12); i >= 0; i--) {
                object.put("m\u00e4\"," + i, Randoms.value(random, 60_000));
            }
            var value = object.build();

            var split = payloads().split(payloads().put(value));

            assertThat(payloads().resolve(split)).as("-Dseed=" + seed).isEqualTo(value);
            assertThat(names(split)).as("-Dseed=" + seed).containsExactlyElementsOf(value.names());
            assertThat(payloads().bytes(inline(split))).isLessThan(Payload.INLINE_LIMIT);
            parts += split instanceof Payload.Members ? 1 : 0;
        }
        assertThat(parts).as("values that were large enough").isGreaterThan(2);
    }

    /// Trap: an object of small members alone comes into memory whole, though it has a place elsewhere.
    @Test
    default void anObjectOfSmallMembers_staysWhole_whereTooMuchWouldStay() {
        var small = JsonObject.builder();
        for (var i = 0; i < 200; i++) {
            small.put("n" + i, JsonValue.of(i));
        }
        var whole = payloads().put(small.build());
        var withALargeOne =
                payloads()
                        .put(
                                JsonObject.of(
                                        "large",
                                        JsonValue.of("x".repeat(5_000)),
                                        "small",
                                        JsonValue.of(1)));

        assertThat(payloads().split(whole, 1_024)).isEqualTo(whole);
        assertThat(payloads().split(whole, 64_000)).isEqualTo(Payload.of(small.build()));
        assertThat(payloads().split(withALargeOne, 1_024))
                .isInstanceOfSatisfying(
                        Payload.Members.class,
                        its ->
                                assertThat(its.members().get("large"))
                                        .isInstanceOf(Payload.Ref.class));
    }

    private static List<String> names(Payload payload) {
        return switch (payload) {
            case Payload.Inline(JsonObject object) -> List.copyOf(object.names());
            case Payload.Members(var members) -> List.copyOf(members.keySet());
            case Payload.Inline _, Payload.Ref _, Payload.Slice _ -> List.of();
        };
    }

    /// What stays in an event.
    private static JsonValue inline(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> value;
            case Payload.Ref _, Payload.Slice _ -> JsonNull.NULL;
            case Payload.Members(var members) -> {
                var object = JsonObject.builder();
                members.forEach((name, member) -> object.put(name, inline(member)));
                yield object.build();
            }
        };
    }

    @Test
    default void aValueThatIsNoObject_isNotSplit() {
        var array = payloads().put(new JsonArray(List.of(textOf(100_000))));

        assertThat(payloads().split(array)).isEqualTo(array);
    }

    @Test
    default void anArray_isReadElementByElement() {
        var values =
                IntStream.range(0, 5_000)
                        .mapToObj(i -> (JsonValue) JsonObject.of("n", JsonValue.of(i)))
                        .toList();
        var late = payloads().late(payloads().put(new JsonArray(values)));

        try (var elements = late.elements()) {
            assertThat(elements).containsExactlyElementsOf(values);
        }
        try (var elements = late.elements()) {
            assertThat(elements.skip(4_998).toList()).isEqualTo(values.subList(4_998, 5_000));
        }
        assertThat(late.read()).isEqualTo(new JsonArray(values));
        try (var text = payloads().open(payloads().put(new JsonArray(values)))) {
            assertThat(text.read(new byte[2], 0, 2)).isEqualTo(2);
        }
        assertThat(late.bytes()).isEqualTo(payloads().bytes(late.read()));
    }

    @Test
    default void theTextOfWhatIsKept_isThatOfItsValue() {
        var value = JsonObject.of("text", textOf(100_000));
        var slice = payloads().keepTogether(List.of(textOf(3_000), value)).getLast();

        assertThat(payloads().text(payloads().put(value))).isEqualTo(JsonText.write(value));
        assertThat(payloads().text(slice)).isEqualTo(JsonText.write(value));
        assertThatThrownBy(() -> payloads().text(new Payload.Ref("0".repeat(64), 70_000)))
                .isInstanceOf(StoreCorrupt.class);
    }

    @Test
    default void whatIsNoArray_hasNoElements() {
        var late = payloads().late(payloads().put(textOf(100_000)));

        assertThatThrownBy(late::elements)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no array");
    }

    @Test
    default void valuesThatAreKeptTogether_areReadOneByOne() {
        var values = new ArrayList<JsonValue>();
        for (var i = 0; i < 3_000; i++) {
            values.add(JsonObject.of("n", JsonValue.of(i), "text", textOf(4_000)));
        }
        values.add(values.getFirst());
        values.add(JsonNull.NULL);

        var kept = payloads().keepTogether(values);

        assertThat(kept).hasSameSizeAs(values);
        for (var i : List.of(0, 1, 1_999, 2_999, 3_000, 3_001)) {
            assertThat(payloads().resolve(kept.get(i))).isEqualTo(values.get(i));
            assertThat(kept.get(i).bytes()).isEqualTo((int) payloads().bytes(values.get(i)));
        }
        assertThat(Payload.areSame(kept.get(3_000), kept.getFirst())).isTrue();
        assertThat(Payload.areSame(kept.get(1), kept.getFirst())).isFalse();
        assertThat(payloads().keepTogether(List.of())).isEmpty();
    }

    @Test
    default void aSliceOfAValueThatIsGone_isReportedAsGone() {
        var digest = "0".repeat(64);

        assertThatThrownBy(() -> payloads().resolve(new Payload.Slice(digest, 1, 10, digest)))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining(digest);
    }

    @Test
    default void aValueThatIsGone_isReportedAsGone() {
        var digest = "0".repeat(64);

        assertThatThrownBy(() -> payloads().resolve(new Payload.Ref(digest, 70_000)))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining(digest);
    }

    private static JsonString textOf(int length) {
        return JsonValue.of("x".repeat(length));
    }
}
