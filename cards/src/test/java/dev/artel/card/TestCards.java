package dev.artel.card;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Cards of tests, from files beside them or from a few lines.
final class TestCards {
    private TestCards() {}

    static String text(String file) {
        try (var stream = TestCards.class.getResourceAsStream(file)) {
            return new String(
                    Objects.requireNonNull(stream, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Card file(String file) {
        return Cards.read(text(file)).orElseThrow();
    }

    /// A card of format 2.0 with these lines of its `spec`. Its schema must agree with its reader.
    static String spec(String... lines) {
        var text =
                "metadata: {name: test, version: 1.0.0, spec_version: '2.0'}\nspec:\n"
                        + String.join("\n", lines).indent(2);
        SchemaAgreement.check(text);
        return text;
    }

    /// A card of format 2.0 with these steps, a line each.
    static String steps(String... lines) {
        return spec("steps:\n" + String.join("\n", lines).indent(2).stripTrailing());
    }

    static JsonObject json(String text) {
        return (JsonObject) JsonText.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
