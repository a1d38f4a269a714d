package dev.artel.server.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// The versions of cards, and what bounds them.
final class CardLibraryTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final KeyValueStore entries = new InMemoryKeyValueStore();
    private final Blueprints known = new Blueprints();

    private CardLibrary open(KeyValueStore store, Blueprints blueprints) {
        return CardLibrary.open(store, blueprints, () -> NOW, _ -> Optional.empty());
    }

    private static String card(String name, String version, String result) {
        return "{metadata: {name: %s, version: %s}, spec: {steps: [{id: end, type: complete, result: {text: %s}}]}}"
                .formatted(name, version, result);
    }

    private static CardLibrary.Reply upload(CardLibrary library, String card) {
        return library.take(card, CardVersion.UPLOAD);
    }

    private static CardLibrary.Refused refused(CardLibrary.Reply reply) {
        assertThat(reply).isInstanceOf(CardLibrary.Refused.class);
        return (CardLibrary.Refused) reply;
    }

    @Test
    void aRevertedCard_isARevisionOfItsOwn() {
        var library = open(entries, known);

        upload(library, card("a", "1.0.0", "one"));
        upload(library, card("a", "1.0.0", "two"));
        upload(library, card("a", "1.0.0", "one"));

        assertThat(known.versionsOf("a")).containsExactly("1.0.0", "1.0.0.2", "1.0.0.3");
        assertThat(upload(library, card("a", "1.0.0", "one")))
                .isInstanceOf(CardLibrary.Known.class);
    }

    /// Trap: the revision of `1.0` has the name that its author gives to the next version.
    @Test
    void aRevision_neverHasAVersionOfTheAuthor() {
        var library = open(entries, known);

        upload(library, card("a", "1.0", "one"));
        upload(library, card("a", "1.0.0", "one"));
        upload(library, card("a", "1.0", "two"));
        upload(library, card("a", "1.0.0", "two"));

        assertThat(known.versionsOf("a")).containsExactly("1.0", "1.0.0", "1.0.0.2", "1.0.0.3");
    }

    @Test
    void thereAreOnlySoManyVersions_andWhatIsDeleted_makesRoom() {
        var library = open(entries, known);
        for (var i = 0; i < CardLibrary.MOST_VERSIONS; i++) {
            assertThat(upload(library, card("a", "1.0.0", "v" + i)))
                    .isInstanceOf(CardLibrary.Taken.class);
        }

        var full = refused(upload(library, card("b", "1.0.0", "one")));

        assertThat(full.why()).isEqualTo(CardLibrary.Why.FULL);
        assertThat(full.detail())
                .isEqualTo(
                        "there are 1000 versions of cards, of at most 1000 with 33554432 characters in all; delete some that no"
                                + " job needs");
        assertThat(library.delete("a", "1.0.0.7", _ -> false))
                .isInstanceOf(CardLibrary.Deleted.class);
        assertThat(upload(library, card("b", "1.0.0", "one")))
                .isInstanceOf(CardLibrary.Taken.class);
        assertThat(open(entries, new Blueprints()).versions("a")).hasSize(999);
    }

    /// Trap: what was deleted can still be used, so its version is not free.
    @Test
    void aCardThatWasDeleted_comesBackAsARevision() {
        var library = open(entries, known);
        upload(library, card("a", "1.0.0", "one"));
        var _ = library.delete("a", "1.0.0", _ -> false);

        assertThat(upload(library, card("a", "1.0.0", "two")))
                .isInstanceOfSatisfying(
                        CardLibrary.Taken.class,
                        taken -> assertThat(taken.card().version()).isEqualTo("1.0.0.2"));
    }

    @Test
    void anotherStart_withTheSameBlueprints_findsThemThere_andThoseOfOthersAreAProblem() {
        upload(open(entries, known), card("a", "1.0.0", "one"));
        var others =
                Blueprints.of(
                        Blueprint.named("a")
                                .version("1.0.0")
                                .start("begin", step -> Action.finish(step.initialData()))
                                .build());

        assertThat(open(entries, known).problems()).isEmpty();
        assertThat(open(entries, others).problems())
                .containsExactly(
                        "card a 1.0.0 of the store is not used: blueprint 'a' is registered already in version 1.0.0, and is"
                                + " another one");
    }

    @Test
    void whatTheStoreHasInAnotherForm_isAProblem_andTheRestIsUsed() {
        upload(open(entries, known), card("a", "1.0.0", "one"));
        var _ = entries.put("cards", "b@1", KeyValueStore.ANY_VERSION, JsonValue.of("other"));
        var again = new Blueprints();

        assertThat(open(entries, again).problems())
                .containsExactly(
                        "the store has a card 'b@1' that this version of the program cannot read");
        assertThat(again.names()).containsExactly("a");
    }

    @Test
    void withoutAStore_filesAreTakenUp_andUploadsAreRefused() {
        var library = open(new UnavailableKeyValueStore(), known);

        assertThat(library.take(card("a", "1.0.0", "one"), "/cards/a.yaml"))
                .isInstanceOf(CardLibrary.Taken.class);
        assertThat(refused(upload(library, card("b", "1.0.0", "one"))).why())
                .isEqualTo(CardLibrary.Why.NO_STORE);
    }

    /// Trap: the card can be used, and is gone after a restart.
    @Test
    void aCardThatCannotBeKept_isNotTakenUp() {
        var full =
                new KeyValueStore() {
                    @Override
                    public Optional<Entry> get(String space, String key) {
                        return entries.get(space, key);
                    }

                    @Override
                    public OptionalLong put(
                            String space, String key, long expected, JsonValue value) {
                        throw new StoreException.StoreFull("no room", null);
                    }

                    @Override
                    public boolean remove(String space, String key, long expected) {
                        return entries.remove(space, key, expected);
                    }

                    @Override
                    public List<Entry> list(String space, String prefix, String after, int limit) {
                        return entries.list(space, prefix, after, limit);
                    }
                };
        var library = open(full, known);

        assertThatThrownBy(() -> upload(library, card("a", "1.0.0", "one")))
                .isInstanceOf(StoreException.StoreFull.class);
        assertThat(known.names()).isEmpty();
        assertThat(library.versions("a")).isEmpty();
    }
}
