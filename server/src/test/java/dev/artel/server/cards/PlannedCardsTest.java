package dev.artel.server.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.card.Cards;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.RejectedDefinition;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The cards that jobs have brought along.
final class PlannedCardsTest {
    private final KeyValueStore entries = new InMemoryKeyValueStore();
    private final Blueprints known = new Blueprints();

    private static String card(String name, String version, String result) {
        return "{metadata: {name: %s, version: %s}, spec: {steps: [{id: end, type: complete, result: {text: %s}}]}}"
                .formatted(name, version, result);
    }

    @Test
    void theSameText_isTheSameDefinition_alsoAfterARestart() {
        var text = card("tour", "9.0.0", "one");

        var first = PlannedCards.open(entries, known).keep(text);
        var again = new Blueprints();
        var second = PlannedCards.open(entries, again).keep(text);

        assertThat(second.ref()).isEqualTo(first.ref());
        assertThat(again.find("tour", first.version())).isPresent();
        assertThat(first.version()).startsWith("0.0.0-sha256.");
    }

    @Test
    void anotherText_isAnother() {
        var cards = PlannedCards.open(entries, known);

        assertThat(cards.keep(card("tour", "1.0.0", "one")).version())
                .isNotEqualTo(cards.keep(card("tour", "1.0.0", "two")).version());
    }

    /// Trap: a plan takes the name of a card and a higher version, and all submissions get the plan.
    @Test
    void aSubmissionWithoutAVersion_getsTheCardOfAnAuthor() {
        known.register(Cards.read(card("tour", "0.0.1", "real")).orElseThrow().blueprint());

        PlannedCards.open(entries, known).keep(card("tour", "99.0.0", "planned"));

        assertThat(known.find("tour").map(Blueprint::version)).contains("0.0.1");
    }

    @Test
    void whatNoJobNeeds_goesFirst_andNothingElse() {
        var cards = PlannedCards.open(entries, known, 2);
        var needed = cards.keep(card("a", "1.0.0", "one"));
        var idle = cards.keep(card("b", "1.0.0", "one"));
        cards.removeUnless(blueprints -> blueprints.contains(needed));

        var more = cards.keep(card("c", "1.0.0", "one"));

        assertThat(known.find("a", needed.version())).isPresent();
        assertThat(known.find("b", idle.version())).isEmpty();
        assertThat(known.find("c", more.version())).isPresent();
        var after = new Blueprints();
        PlannedCards.open(entries, after);
        assertThat(after.names()).containsExactly("a", "c");
    }

    @Test
    void whatAllJobsNeed_stays_andTheNextIsRefused() {
        var cards = PlannedCards.open(entries, known, 1);
        cards.keep(card("a", "1.0.0", "one"));

        assertThatThrownBy(() -> cards.keep(card("b", "1.0.0", "one")))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining("open jobs have brought along 1 cards")
                .hasMessageContaining("of at most 1");
    }

    @Test
    void whatCannotBeRun_orNotKept_isRefused() {
        assertThatThrownBy(() -> PlannedCards.open(entries, known).keep("spec: {}"))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining("cannot be run");
        assertThatThrownBy(() ->
                        PlannedCards.open(new UnavailableKeyValueStore(), known)
                                .keep(card("a", "1.0.0", "one")))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining("without a store");
        assertThat(known.names()).isEqualTo(List.of());
    }

    /// Trap: one card that a handler brought along keeps the orchestrator from starting, each time.
    @Test
    void aCardWhoseReadingFails_isSetAsideAndNamed_andTheOthersAreUsed() {
        var cards = PlannedCards.open(entries, known);
        var deep = cards.keep(card("a", "1.0.0", "deep"));
        var broken = cards.keep(card("b", "1.0.0", "broken"));
        var sound = cards.keep(card("c", "1.0.0", "sound"));

        var again = new Blueprints();
        var opened =
                PlannedCards.open(
                        entries,
                        again,
                        PlannedCards.MOST_CARDS,
                        (text, version) -> {
                            if (text.contains("deep")) {
                                throw new StackOverflowError();
                            }
                            if (text.contains("broken")) {
                                throw new IllegalStateException("no such thing");
                            }
                            return Cards.read(text, version);
                        });

        assertThat(again.names()).containsExactly("c");
        assertThat(again.find("c", sound.version())).isPresent();
        assertThat(opened.problems())
                .satisfiesExactlyInAnyOrder(
                        one ->
                                assertThat(one)
                                        .contains(deep.version())
                                        .contains("StackOverflowError"),
                        other ->
                                assertThat(other)
                                        .contains(broken.version())
                                        .contains("no such thing"));
    }

    @Test
    void aCardWhoseBlueprintIsRegisteredOtherwise_isSetAside_whole() {
        var kept = PlannedCards.open(entries, known).keep(card("tour", "1.0.0", "one"));
        var again = new Blueprints();
        again.register(
                Cards.read(card("tour", "1.0.0", "another"), kept.version())
                        .orElseThrow()
                        .blueprint());

        var opened = PlannedCards.open(entries, again);

        assertThat(opened.problems())
                .singleElement()
                .asString()
                .contains(kept.version())
                .contains("'tour' is registered already");
    }
}
