package dev.artel.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.task.Payload;
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
    default void aValueThatIsGone_isSaidToBeGone() {
        var digest = "0".repeat(64);

        assertThatThrownBy(() -> payloads().resolve(new Payload.Ref(digest, 70_000)))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining(digest);
    }

    private static JsonString textOf(int length) {
        return JsonValue.of("x".repeat(length));
    }
}
