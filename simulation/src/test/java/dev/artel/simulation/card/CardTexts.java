package dev.artel.simulation.card;

import dev.artel.card.Card;
import dev.artel.card.Cards;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Cards of tests, from files or from a few lines.
final class CardTexts {
    private static final Path CARDS = Path.of("../cards/src/test/resources/dev/artel/card");

    private CardTexts() {}

    /// A file beside the tests.
    static String text(String file) {
        try (var stream = CardTexts.class.getResourceAsStream(file)) {
            return new String(
                    Objects.requireNonNull(stream, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A card that the module of cards has for its tests.
    static Card file(String file) {
        try {
            return Cards.read(Files.readString(CARDS.resolve(file))).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A card of format 2.0 with these lines of its `spec`.
    static String spec(String... lines) {
        return "metadata: {name: test, version: 1.0.0, spec_version: '2.0'}\nspec:\n"
                + String.join("\n", lines).indent(2);
    }

    /// A card of format 2.0 with these steps, a line each.
    static String steps(String... lines) {
        return spec("steps:\n" + String.join("\n", lines).indent(2).stripTrailing());
    }

    static JsonObject json(String text) {
        return (JsonObject) JsonText.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
