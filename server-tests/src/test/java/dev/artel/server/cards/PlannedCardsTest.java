package dev.artel.server.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.card.CardReport;
import dev.artel.card.Cards;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.RejectedDefinition;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

        var first = PlannedCards.open(entries, known).keep("acme", text);
        var again = new Blueprints();
        var second = PlannedCards.open(entries, again).keep("acme", text);

        assertThat(second.ref()).isEqualTo(first.ref());
        assertThat(again.findPlanned("tour", first.version())).isPresent();
        assertThat(first.version()).startsWith("0.0.0-sha256.");
    }

    @Test
    void anotherText_isAnother() {
        var cards = PlannedCards.open(entries, known);

        assertThat(cards.keep("acme", card("tour", "1.0.0", "one")).version())
                .isNotEqualTo(cards.keep("acme", card("tour", "1.0.0", "two")).version());
    }

    /// Trap: a plan takes the name of a card and a higher version, or one that others wait for, and all of them get the plan.
    @Test
    void theNameOfAPlan_isNoNameOfABlueprint() {
        known.register(Cards.read(card("tour", "0.0.1", "real")).orElseThrow().blueprint());
        var cards = PlannedCards.open(entries, known);

        var tour = cards.keep("acme", card("tour", "99.0.0", "planned"));
        var trip = cards.keep("acme", card("trip", "99.0.0", "planned"));

        assertThat(known.find("tour").map(Blueprint::version)).contains("0.0.1");
        assertThat(known.versionsOf("tour")).containsExactly("0.0.1");
        assertThat(known.find("trip")).isEmpty();
        assertThat(known.names()).containsExactly("tour");
        assertThat(known.wanted("tour", Optional.of(tour.version()))).isEmpty();
        assertThat(known.wanted("trip", Optional.of(trip.version()))).isEmpty();
        assertThat(known.missing("trip", Optional.empty()))
                .contains("there is no blueprint 'trip'");
        assertThat(known.of(trip.ref())).contains(trip);
    }

    @Test
    void aPlan_isThatOfTheClientsWhoseJobsBroughtItAlong_alsoAfterARestart() {
        var cards = PlannedCards.open(entries, known);
        var version = cards.keep("acme", card("tour", "1.0.0", "one")).version();
        cards.keep("small", card("tour", "1.0.0", "one"));

        var again = new Blueprints();
        PlannedCards.open(entries, again);

        for (var each : List.of(known, again)) {
            assertThat(each.findPlanned("tour", version, "acme")).isPresent();
            assertThat(each.findPlanned("tour", version, "small")).isPresent();
            assertThat(each.findPlanned("tour", version, "evil")).isEmpty();
        }
    }

    /// Trap: the jobs of one client fill the room, and the plans of all others fail.
    @Test
    void aClientWhoseOpenJobsNeedAQuarterOfTheCards_isRefusedMore_andOthersAreNot() {
        var cards = PlannedCards.open(entries, known, 8);
        cards.removeUnneeded(() -> _ -> true);
        cards.keep("evil", card("a", "1.0.0", "one"));
        cards.keep("evil", card("a", "1.0.0", "two"));

        assertThatThrownBy(() -> cards.keep("evil", card("a", "1.0.0", "three")))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining(
                        "open jobs of client 'evil' have brought along 2 cards, which take about")
                .hasMessageContaining(
                        "those of one client are at most 2 with " + PlannedCards.MOST_BYTES / 4)
                .hasMessageContaining(
                        "end some of these jobs or make this card shorter, and release this one then");
        assertThatThrownBy(() ->
                        PlannedCards.open(entries, new Blueprints(), 8)
                                .keep("evil", card("a", "1.0.0", "three")))
                .as("also after a restart")
                .hasMessageContaining("open jobs of client 'evil' have brought along 2 cards");
        assertThat(cards.keep("evil", card("a", "1.0.0", "two"))).isNotNull();
        var shared = cards.keep("acme", card("a", "1.0.0", "two"));
        var own = cards.keep("acme", card("b", "1.0.0", "two"));
        assertThatThrownBy(() -> cards.keep("acme", card("a", "1.0.0", "one")))
                .as("also one that others have brought along")
                .hasMessageContaining("client 'acme'");

        cards.removeUnneeded(() -> blueprint -> blueprint.equals(shared));
        cards.keep("evil", card("a", "1.0.0", "three"));
        assertThat(known.findPlanned("b", own.version()))
                .as("room is made among those of the client alone")
                .isPresent();
    }

    /// Trap: conditions and references take a hundred times the room of their text, and a text of a few megabytes all of the heap.
    @Test
    void aClientWhoseOpenJobsNeedAQuarterOfTheMemory_isRefusedMore_howeverShortTheTextsAre() {
        var each = Cards.read(dense("a0")).orElseThrow().memory();
        assertThat(each).isGreaterThan(20L * dense("a0").length());
        var cards = PlannedCards.open(entries, known, 1_000, each * 17);
        cards.removeUnneeded(() -> _ -> true);
        IntStream.range(0, 4).forEach(i -> cards.keep("evil", dense("a" + i)));

        assertThatThrownBy(() -> cards.keep("evil", dense("b0")))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining("client 'evil' have brought along 4 cards, which take about")
                .hasMessageContaining("and this one takes " + each);
        assertThat(cards.keep("acme", dense("b0")).name()).isEqualTo("b0");
    }

    /// Trap: an update brings a bound for new cards, and the jobs that go on with cards which are kept already have none after it.
    @Test
    void boundsForNewCards_doNotHoldForThoseThatAreKept() {
        var version = "0.0.0-sha256.0123456789abcdef";
        var many = card("tour", "0.0.0-sha256.1", "'" + "${input}".repeat(20_001) + "'");
        assertThat(Cards.readForeign(many).text()).contains("the card has 20001 references");
        entries.put(
                "planned-cards",
                version,
                KeyValueStore.ANY_VERSION,
                JsonObject.of("text", new JsonString(many))
                        .with("clients", JsonArray.ofStrings(List.of("acme"))));

        var cards = PlannedCards.open(entries, known, 1, 1);

        assertThat(cards.problems()).isEmpty();
        assertThat(known.findPlanned("tour", version, "acme")).isPresent();
        assertThat(Cards.secrets(Cards.readKept(many, version).orElseThrow())).isEmpty();
    }

    /// Most of it are references.
    private static String dense(String name) {
        return card(name, "1.0.0", "'" + "${input}".repeat(10_000) + "'");
    }

    @Test
    void aCardThatTakesTooMuchMemory_isRefused() {
        var term = "${input.a} == 1 || ";
        var card =
                card("a", "1.0.0", "one")
                        .replace(
                                "steps: [",
                                "steps: ["
                                        + IntStream.range(0, 90)
                                                .mapToObj(i ->
                                                        "{id: c%d, type: condition, condition: '%s true', then: end}, "
                                                                .formatted(i, term.repeat(120)))
                                                .collect(Collectors.joining()));

        assertThatThrownBy(() -> PlannedCards.open(entries, known).keep("acme", card))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining("the card would take about")
                .hasMessageContaining(
                        "give it fewer and shorter conditions, references and values");
    }

    @Test
    void whatNoJobNeeds_goesFirst_andNothingElse() {
        var cards = PlannedCards.open(entries, known, 8);
        var needed = cards.keep("acme", card("a", "1.0.0", "one"));
        var idle = cards.keep("acme", card("b", "1.0.0", "one"));
        cards.removeUnneeded(() -> needed::equals);

        var more = cards.keep("acme", card("c", "1.0.0", "one"));

        var after = new Blueprints();
        PlannedCards.open(entries, after);
        for (var each : List.of(known, after)) {
            assertThat(each.findPlanned("a", needed.version())).isPresent();
            assertThat(each.findPlanned("b", idle.version())).isEmpty();
            assertThat(each.findPlanned("c", more.version())).isPresent();
        }
    }

    @Test
    void whatAllJobsNeed_stays_andTheNextIsRefused() {
        var cards = PlannedCards.open(entries, known, 1);
        cards.keep("acme", card("a", "1.0.0", "one"));

        assertThatThrownBy(() -> cards.keep("small", card("b", "1.0.0", "one")))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining("open jobs have brought along 1 cards")
                .hasMessageContaining("of at most 1");
    }

    @Test
    void whatCannotBeRun_orNotKept_isRefused() {
        assertThatThrownBy(() -> PlannedCards.open(entries, known).keep("acme", "spec: {}"))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining("cannot be run");
        assertThatThrownBy(() ->
                        PlannedCards.open(new UnavailableKeyValueStore(), known)
                                .keep("acme", card("a", "1.0.0", "one")))
                .isInstanceOf(RejectedDefinition.class)
                .hasMessageContaining("without a store");
        assertThat(known.names()).isEqualTo(List.of());
    }

    /// Trap: one card that a handler brought along keeps the orchestrator from starting, each time.
    @Test
    void aCardWhoseReadingFails_isSetAsideAndNamed_andTheOthersAreUsed() {
        var cards = PlannedCards.open(entries, known);
        var deep = cards.keep("acme", card("a", "1.0.0", "deep"));
        var broken = cards.keep("acme", card("b", "1.0.0", "broken"));
        var sound = cards.keep("acme", card("c", "1.0.0", "sound"));

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

        assertThat(again.findPlanned("a", deep.version())).isEmpty();
        assertThat(again.findPlanned("b", broken.version())).isEmpty();
        assertThat(again.findPlanned("c", sound.version())).isPresent();
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
        var kept = PlannedCards.open(entries, known).keep("acme", card("tour", "1.0.0", "one"));
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

    /// Holds texts with `slow` in them until its gate opens.
    private static final class SlowReading {
        final CountDownLatch gate = new CountDownLatch(1);
        final AtomicInteger read = new AtomicInteger();

        CardReport read(String text) {
            if (text.contains("slow")) {
                read.incrementAndGet();
                awaitUninterrupted(gate);
            }
            return Cards.readForeign(text);
        }

        void awaitReads(int count) {
            while (read.get() < count) {
                Thread.onSpinWait();
            }
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("the test took too long", interrupted);
        }
    }

    /// Trap: cards of a megabyte, each of which takes seconds to compile, have all other plans and the readiness wait.
    @Test
    @Timeout(300)
    void whileTheCardsOfAClientAreCompiled_nobodyElseWaits() throws Exception {
        var reading = new SlowReading();
        var cards = PlannedCards.open(entries, known, reading::read);
        var early = cards.keep("eve", card("a", "1.0.0", "early"));
        try (var jobs = Executors.newVirtualThreadPerTaskExecutor()) {
            var slow =
                    IntStream.range(0, 20)
                            .mapToObj(i ->
                                    jobs.submit(() ->
                                            cards.keep("eve", card("a", "1.0.0", "slow" + i))))
                            .toList();
            reading.awaitReads(2);

            assertThat(cards.problems()).isEmpty();
            assertThat(cards.keep("bob", card("b", "1.0.0", "one")).name()).isEqualTo("b");
            assertThat(cards.keep("eve", card("a", "1.0.0", "early"))).isEqualTo(early);
            assertThat(reading.read).as("half of the places").hasValue(2);

            reading.gate.countDown();
            for (var each : slow) {
                assertThat(each.get().name()).isEqualTo("a");
            }
        }
    }

    @Test
    @Timeout(300)
    void theSameCard_isCompiledOnce_forJobsOfAClientThatGoOnWithItAtOnce() throws Exception {
        var reading = new SlowReading();
        var cards = PlannedCards.open(entries, known, reading::read);
        try (var jobs = Executors.newVirtualThreadPerTaskExecutor()) {
            var same =
                    IntStream.range(0, 10)
                            .mapToObj(_ ->
                                    jobs.submit(
                                            () -> cards.keep("eve", card("a", "1.0.0", "slow"))))
                            .toList();
            reading.awaitReads(1);
            reading.gate.countDown();
            for (var each : same) {
                assertThat(each.get().name()).isEqualTo("a");
            }
        }

        assertThat(reading.read).hasValue(1);
        assertThat(entries.list("planned-cards", "", "", 10)).hasSize(1);
    }
}
