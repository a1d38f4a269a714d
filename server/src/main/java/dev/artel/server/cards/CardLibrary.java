package dev.artel.server.cards;

import dev.artel.card.Card;
import dev.artel.card.CardProblem;
import dev.artel.card.CardReport;
import dev.artel.card.Cards;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.text.JsonThreads;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;

/// The process cards of an orchestrator, all versions of each, so that jobs go on with the card with which they began. A card whose content
/// changes while its author leaves the version becomes a revision of it. What was taken up is durable. Safe for use by many threads, one of which changes something
/// at a time.
public final class CardLibrary {
    /// A longer card is refused, in bytes of UTF-8.
    public static final int MOST_BYTES = 2 << 20;

    /// How many versions there may be, of all cards together.
    public static final int MOST_VERSIONS = 1_000;

    /// How many characters all versions together may have.
    static final long MOST_CHARACTERS = 32L << 20;

    /// No blueprint's store: those have a slash.
    private static final String SPACE = "cards";

    private static final int PAGE = 50;

    private final Optional<KeyValueStore> entries;
    private final Blueprints known;
    private final InstantSource clock;
    private final Function<Blueprints, Optional<String>> check;
    private final TreeMap<String, List<CardVersion>> byName = new TreeMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();

    /// Versions that were deleted and can be used until the next start.
    private final Set<String> deleted = new HashSet<>();

    /// What becomes of a card.
    public sealed interface Reply {}

    /// It is durable, and can be used.
    public record Taken(CardVersion card, List<CardProblem> warnings) implements Reply {}

    /// The same card was there before.
    public record Known(CardVersion card, List<CardProblem> warnings) implements Reply {}

    /// It is gone, and is not there at the next start. It can be used until then.
    public record Deleted(CardVersion card) implements Reply {}

    /// There is none of the name and version.
    public record Missing() implements Reply {}

    /// Nothing has changed.
    ///
    /// @param problems what is wrong with the card itself
    public record Refused(Why why, String detail, List<CardProblem> problems) implements Reply {}

    /// Why nothing has changed.
    public enum Why {
        /// It cannot be run.
        INVALID,
        /// Its name and version are those of something else.
        TAKEN,
        /// There are as many as there may be.
        FULL,
        /// What is put here would not be durable.
        NO_STORE,
        /// A job needs it.
        NEEDED
    }

    private CardLibrary(
            KeyValueStore entries,
            Blueprints known,
            InstantSource clock,
            Function<Blueprints, Optional<String>> check) {
        this.entries =
                entries instanceof UnavailableKeyValueStore
                        ? Optional.empty()
                        : Optional.of(entries);
        this.known = known;
        this.clock = clock;
        this.check = check;
    }

    /// The cards in `entries`, whose blueprints are added to `known`.
    ///
    /// @param check returns why some blueprints must not be taken up
    public static CardLibrary open(
            KeyValueStore entries,
            Blueprints known,
            InstantSource clock,
            Function<Blueprints, Optional<String>> check) {
        var library = new CardLibrary(entries, known, clock, check);
        library.entries.ifPresent(library::load);
        return library;
    }

    private void load(KeyValueStore store) {
        var after = "";
        while (true) {
            var page = store.list(SPACE, "", after, PAGE);
            for (var entry : page) {
                CardVersion.read(entry.value())
                        .ifPresentOrElse(
                                this::tryToLoad,
                                () ->
                                        problems.add(
                                                "the store has a card '"
                                                        + entry.key()
                                                        + "' that this version of the program cannot read"));
            }
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().key();
        }
    }

    /// Whatever is wrong with one card, the others are read and the orchestrator starts.
    private void tryToLoad(CardVersion version) {
        try {
            load(version);
        } catch (RuntimeException | StackOverflowError failure) {
            problems.add(version + " of the store is set aside: reading it failed with " + failure);
        }
    }

    private void load(CardVersion version) {
        add(version);
        var report = Cards.readKept(version.text(), version.version());
        if (report.card().isEmpty()) {
            problems.add(version + " of the store cannot be run any more: " + report.text());
            return;
        }
        for (var blueprint : report.card().get().blueprints()) {
            var other = known.find(blueprint.name(), blueprint.version()).map(Blueprint::ref);
            if (other.isEmpty()) {
                known.register(blueprint);
            } else if (!other.get().equals(blueprint.ref())) {
                problems.add(
                        version
                                + " of the store is not used: blueprint '"
                                + blueprint.name()
                                + "' is registered already in version "
                                + blueprint.version()
                                + ", and is another one");
            }
        }
    }

    private void add(CardVersion version) {
        byName.computeIfAbsent(version.name(), _ -> new ArrayList<>()).add(version);
    }

    /// What is wrong with cards that were kept. Waits for nothing.
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /// The names of all cards, sorted.
    public synchronized List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /// The versions of the card `name`, the newest at the end; none if there is no such card.
    public synchronized List<CardVersion> versions(String name) {
        var order = known.versionsOf(name);
        return byName.getOrDefault(name, List.of()).stream()
                .sorted(Comparator.comparingInt(each -> order.indexOf(each.version())))
                .toList();
    }

    /// One version of a card.
    public synchronized Optional<CardVersion> find(String name, String version) {
        return byName.getOrDefault(name, List.of()).stream()
                .filter(each -> each.version().equals(version))
                .findFirst();
    }

    /// Takes up the card `text`. When it is taken up, it is durable.
    ///
    /// @param source [CardVersion#UPLOAD], or a file
    /// @throws dev.artel.kernel.store.StoreException if it cannot be kept; nothing is taken up then
    public Reply take(String text, String source) {
        return take(JsonThreads.compute(text.length(), () -> Cards.read(text)), source);
    }

    private synchronized Reply take(CardReport report, String source) {
        if (report.card().isEmpty()) {
            return new Refused(
                    Why.INVALID, "the card cannot be run:\n" + report.text(), report.problems());
        }
        if (source.equals(CardVersion.UPLOAD) && entries.isEmpty()) {
            return new Refused(
                    Why.NO_STORE,
                    "this orchestrator was started without a store for cards; put the card into the folder of blueprints",
                    List.of());
        }
        var card = report.card().get();
        var before =
                byName.getOrDefault(card.name(), List.of()).stream()
                        .filter(each -> each.written().equals(card.version()))
                        .sorted(Comparator.comparingInt(CardVersion::revision))
                        .toList();
        var same = same(card, before, source);
        if (same.isPresent()) {
            return new Known(same.get(), report.problems());
        }
        var refused = objection(card, before);
        return refused.isPresent() ? refused.get() : take(card, before, source, report.problems());
    }

    /// A file goes back to what it was, or an upload repeats the last one. What was uploaded since stands beside a file that has not changed.
    private static Optional<CardVersion> same(Card card, List<CardVersion> before, String source) {
        var last = before.isEmpty() ? Optional.<CardVersion>empty() : Optional.of(before.getLast());
        var lastOfFile = before.stream().filter(CardVersion::isOfFile).reduce((_, next) -> next);
        return last.filter(each -> each.sha256().equals(card.digest()))
                .or(() ->
                        lastOfFile.filter(each ->
                                !source.equals(CardVersion.UPLOAD)
                                        && each.sha256().equals(card.digest())));
    }

    private Optional<Reply> objection(Card card, List<CardVersion> before) {
        var all = byName.values().stream().flatMap(List::stream).toList();
        if (all.size() >= MOST_VERSIONS
                || all.stream().mapToLong(each -> each.text().length()).sum() + card.text().length()
                        > MOST_CHARACTERS) {
            return Optional.of(
                    new Refused(
                            Why.FULL,
                            "there are "
                                    + all.size()
                                    + " versions of cards, of at most "
                                    + MOST_VERSIONS
                                    + " with "
                                    + MOST_CHARACTERS
                                    + " characters in all; delete some that no job needs",
                            List.of()));
        }
        if (before.isEmpty() && !deleted.contains(key(card.name(), card.version()))) {
            for (var blueprint : card.blueprints()) {
                if (known.isTaken(blueprint.name(), blueprint.version())) {
                    return Optional.of(
                            new Refused(
                                    Why.TAKEN,
                                    "blueprint '"
                                            + blueprint.name()
                                            + "' is registered already in version "
                                            + blueprint.version()
                                            + ", and is not of this card; give the card another name or version",
                                    List.of()));
                }
            }
        }
        return Optional.empty();
    }

    private Reply take(
            Card card, List<CardVersion> before, String source, List<CardProblem> warnings) {
        var revision = before.isEmpty() ? 1 : before.getLast().revision() + 1;
        while (!isFree(card, revision)) {
            revision++;
        }
        var version = CardRevisions.version(card.version(), revision);
        var revised =
                JsonThreads.compute(card.text().length(), () -> Cards.read(card.text(), version))
                        .orElseThrow();
        var key = key(card.name(), version);
        if (key.length() > KeyValueStore.MAX_KEY) {
            return new Refused(
                    Why.TAKEN, "the version '" + card.version() + "' is too long", List.of());
        }
        var some = new Blueprints();
        revised.blueprints().forEach(some::register);
        var wrong = check.apply(some);
        if (wrong.isPresent()) {
            return new Refused(Why.TAKEN, wrong.get(), List.of());
        }
        var taken =
                new CardVersion(
                        card.name(),
                        version,
                        card.version(),
                        revision,
                        card.digest(),
                        source,
                        clock.instant().truncatedTo(ChronoUnit.MILLIS),
                        card.text());
        if (entries.isPresent()
                && entries.get()
                        .put(SPACE, key, KeyValueStore.NO_ENTRY, taken.toJson())
                        .isEmpty()) {
            return new Refused(
                    Why.TAKEN,
                    "the store has a card " + key + " already; restart the orchestrator",
                    List.of());
        }
        add(taken);
        revised.blueprints().forEach(known::register);
        return new Taken(taken, warnings);
    }

    private boolean isFree(Card card, int revision) {
        var version = CardRevisions.version(card.version(), revision);
        return find(card.name(), version).isEmpty()
                && card.blueprints().stream()
                        .map(Blueprint::name)
                        .noneMatch(name -> known.isTaken(name, version));
    }

    /// Removes a version of a card.
    ///
    /// @param isNeeded whether an open job needs one of these blueprints, which all have the version of the card
    public synchronized Reply delete(
            String name, String version, Predicate<List<Blueprint>> isNeeded) {
        var found = find(name, version);
        if (found.isEmpty()) {
            return new Missing();
        }
        var blueprints =
                Cards.readKept(found.get().text(), version)
                        .card()
                        .map(Card::blueprints)
                        .orElse(List.of());
        if (isNeeded.test(blueprints)) {
            return new Refused(
                    Why.NEEDED,
                    "jobs that are not over need "
                            + found.get()
                            + "; let them end, or cancel them, and delete it then",
                    List.of());
        }
        entries.ifPresent(store -> {
            var _ = store.remove(SPACE, key(name, version), KeyValueStore.ANY_VERSION);
        });
        deleted.add(key(name, version));
        byName.computeIfPresent(
                name,
                (_, versions) -> {
                    versions.remove(found.get());
                    return versions.isEmpty() ? null : versions;
                });
        return new Deleted(found.get());
    }

    private static String key(String name, String version) {
        return name + "@" + version;
    }
}
