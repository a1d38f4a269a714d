package dev.artel.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RedactionTest {
    private static final String SECRET = "a-secret-of-a-service";
    private static final Redaction REDACTION = Redaction.of(List.of(SECRET));

    static Stream<JsonValue> large() {
        return Stream.of(
                new JsonString("a".repeat(20_000)),
                JsonObject.of("b".repeat(20_000), new JsonString(SECRET)),
                new JsonArray(Collections.nCopies(20_000, JsonArray.EMPTY)),
                new JsonArray(Collections.nCopies(10_000, new JsonString("c"))));
    }

    /// Trap: a service answers with a megabyte that takes seconds to search, on a thread that carries the requests of all.
    @ParameterizedTest
    @MethodSource("large")
    void aLargeValue_isSearchedInTheBackground_whereItCanBeStopped(JsonValue value) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> REDACTION.value(value))
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("the task was stopped");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aLargeValue_isReturnedWithoutTheSecret() {
        var large = "a".repeat(50_000);

        assertThat(REDACTION.value(JsonArray.ofStrings(List.of(large, "[" + SECRET + "]"))))
                .isEqualTo(JsonArray.ofStrings(List.of(large, "[***]")));
    }
}
