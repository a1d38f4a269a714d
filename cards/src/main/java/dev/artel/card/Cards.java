package dev.artel.card;

import dev.artel.card.compile.CardCompiler;
import dev.artel.card.compile.CardMemory;
import dev.artel.card.plan.CardPlan;
import dev.artel.card.read.CardProblems;
import dev.artel.card.read.CardReader;
import dev.artel.card.read.CardRoom;
import dev.artel.card.read.CardSecrets;
import dev.artel.card.read.ParsedCard;
import dev.artel.json.JsonMemory;
import dev.artel.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;

/// Reads process cards. Safe for use by many threads.
///
/// ```java
/// Card card = Cards.read(Files.readString(path)).orElseThrow();
/// ```
public final class Cards {
    private Cards() {}

    /// Reads the card that `text` is, YAML or JSON, and compiles it; nothing of it is run.
    public static CardReport read(String text) {
        return read(text, Optional.empty(), false);
    }

    /// As [#read(String)], of a text that a job brings along: what would take more than 8 MiB compiled, or a 64th of the heap, is refused, and not
    /// compiled.
    public static CardReport readForeign(String text) {
        return read(text, Optional.empty(), true);
    }

    /// As [#read(String)], with blueprints of version `revision` in place of the author's: a card that has changed while its version has not.
    public static CardReport read(String text, String revision) {
        return read(text, Optional.of(revision), false);
    }

    /// As [#read(String, String)], of a card that was taken up earlier: bounds that came later do not hold for it.
    public static CardReport readKept(String text, String revision) {
        var problems = new CardProblems();
        try (var _ = CardRoom.take(text)) {
            return read(CardReader.readKept(text, problems), Optional.of(revision), text, problems);
        }
    }

    /// What running `card` with `input` comes to, as far as the two show it; nothing of it is run.
    public static CardPlan plan(Card card, JsonObject input) {
        try (var _ = CardRoom.take(card.text())) {
            var parsed = CardReader.readKept(card.text(), new CardProblems());
            return CardPlan.of(parsed.orElseThrow(), input);
        }
    }

    /// The names of the secrets that `card` and the cards inside it name, each once.
    public static SequencedSet<String> secrets(Card card) {
        try (var _ = CardRoom.take(card.text())) {
            var parsed = CardReader.readKept(card.text(), new CardProblems());
            return CardSecrets.of(parsed.orElseThrow());
        }
    }

    /// The JSON Schema of cards (draft 2020-12), from which editors complete and check them. It refuses keys that are not known, of which [#read] warns;
    /// it sees no references and no order of steps.
    public static String schema() {
        try (var stream = Cards.class.getResourceAsStream("card.schema.json")) {
            return new String(
                    Objects.requireNonNull(stream, "card.schema.json").readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading the schema of cards of this program", e);
        }
    }

    private static CardReport read(String text, Optional<String> revision, boolean isForeign) {
        var problems = new CardProblems();
        try (var _ = CardRoom.take(text)) {
            var parsed = CardReader.read(text, problems);
            if (isForeign) {
                parsed.ifPresent(card -> CardMemory.checkForeign(card, problems));
            }
            return read(parsed, revision, text, problems);
        }
    }

    private static CardReport read(
            Optional<ParsedCard> parsed,
            Optional<String> revision,
            String text,
            CardProblems problems) {
        var card =
                parsed.filter(_ -> !problems.hasErrors())
                        .flatMap(it -> compile(it, revision, text, problems));
        return new CardReport(card, problems.inOrder());
    }

    private static Optional<Card> compile(
            ParsedCard parsed, Optional<String> revision, String text, CardProblems problems) {
        var version = revision.orElse(parsed.version());
        var blueprints = CardCompiler.compile(parsed, version, problems);
        return blueprints.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Card(
                                parsed.name(),
                                version,
                                text,
                                digest(text),
                                List.copyOf(blueprints),
                                JsonMemory.string(text) + CardMemory.of(parsed)));
    }

    /// SHA-256 of the text of a card, in lower-case hexadecimal: that of [Card#digest], without reading it.
    public static String digest(String text) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
