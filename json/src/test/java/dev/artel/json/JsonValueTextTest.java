package dev.artel.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

final class JsonValueTextTest {
    /// Digests of requests are made of it, and are kept with their jobs.
    @Test
    void theTextOfAValue_staysAsItIs() {
        var value =
                JsonObject.builder()
                        .put("text", "\u00fc \"quoted\" \\ \n\r\t \u0001 /")
                        .put(
                                "list",
                                JsonArray.of(
                                        JsonNumber.of(1),
                                        new JsonNumber(new BigDecimal("1E+400")),
                                        JsonNull.NULL,
                                        JsonBoolean.TRUE,
                                        JsonArray.EMPTY,
                                        JsonObject.EMPTY))
                        .put("a\"b", JsonObject.of("x", JsonNumber.of(2), "y", JsonNumber.of(3)))
                        .build();

        assertThat(value)
                .hasToString(
                        "{\"text\":\"\u00fc \\\"quoted\\\" \\\\ \\n\\r\\t \\u0001 /\","
                                + "\"list\":[1,1E+400,null,true,[],{}],"
                                + "\"a\\\"b\":{\"x\":2,\"y\":3}}");
    }
}
