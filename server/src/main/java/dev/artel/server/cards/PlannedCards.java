package dev.artel.server.cards;

import dev.artel.card.Card;
import dev.artel.card.CardReport;
import dev.artel.card.Cards;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.DefinitionKeeper;
import dev.artel.engine.shell.RejectedDefinition;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.FairTurns;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cards that jobs have brought along to go on with. Each is known by its content: its version is made of the SHA-256 of its text, and without that version
/// it is not found, see [Blueprints]. Durable; what no open job needs goes when there are too many. Each client has a quarter of the room, so that none takes what
/// the others need. Clients take turns where cards are compiled, which keeps no other thread waiting. Safe for use by many threads.
public final class PlannedCards implements DefinitionKeeper {
    /// How many there may be.
    public static final int MOST_CARDS = 5_000;

    /// About how many bytes all of them may take together, compiled: many times the room of their texts.
    static final long MOST_BYTES = Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);

    /// No blueprint's store: those have a slash.
    private static final String SPACE = "planned-cards";

    private static final String TEXT = "text";
    private static final String CLIENTS = "clients";

    /// Into how many parts the room is divided, of which one client has one.
    private static final int PARTS = 4;

    /// So many are read at once, each of a megabyte of text at most.
    private static final int PAGE = 10;

    private static final int DIGITS = 16;

    /// So many are compiled and kept at once, of one client half of what others leave.
    private static final int AT_ONCE = 4;

    private static final Logger LOG = LoggerFactory.getLogger(PlannedCards.class);

    private final KeyValueStore entries;
    private final Blueprints known;
    private final int most;
    private final long mostBytes;
    private final BiFunction<String, String, CardReport> reader;
    private final Function<String, CardReport> foreign;
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final FairTurns turns = new FairTurns(AT_ONCE);

    /// What is compiled and kept now, so that jobs of a client that go on with the same card at once wait for one of them.
    private final Map<Wanted, FutureTask<Blueprint>> keeping = new ConcurrentHashMap<>();

    /// Of the thread that changes what is kept.
    private final ReentrantLock changing = new ReentrantLock(true);

    /// By the version, the oldest first. It is its own lock, under which nothing is computed, read or written.
    private final LinkedHashMap<String, Kept> cards = new LinkedHashMap<>();

    /// How many bytes they take; of the thread that changes what is kept.
    private long bytes;

    private volatile Supplier<Predicate<Blueprint>> needed = () -> _ -> true;

    /// A card that jobs of a client bring along.
    private record Wanted(String client, String version) {}

    /// A card, and whose jobs have brought it along.
    private record Kept(Card card, Set<String> clients) {
        long bytes() {
            return card.memory();
        }

        boolean isOf(String client) {
            return clients.contains(client);
        }
    }

    private PlannedCards(
            KeyValueStore entries,
            Blueprints known,
            int most,
            long mostBytes,
            BiFunction<String, String, CardReport> reader,
            Function<String, CardReport> foreign) {
        this.entries = entries;
        this.known = known;
        this.most = most;
        this.mostBytes = mostBytes;
        this.reader = reader;
        this.foreign = foreign;
    }

    /// The cards in `entries`, whose blueprints are added to `known`.
    public static PlannedCards open(KeyValueStore entries, Blueprints known) {
        return open(entries, known, MOST_CARDS);
    }

    /// @param most how many there may be
    static PlannedCards open(KeyValueStore entries, Blueprints known, int most) {
        return open(entries, known, most, MOST_BYTES);
    }

    /// @param mostBytes about how many bytes they may take, compiled
    static PlannedCards open(KeyValueStore entries, Blueprints known, int most, long mostBytes) {
        return open(
                new PlannedCards(
                        entries, known, most, mostBytes, Cards::readKept, Cards::readForeign));
    }

    /// @param reader reads the text of a card that is kept, with the version of its blueprints
    static PlannedCards open(
            KeyValueStore entries,
            Blueprints known,
            int most,
            BiFunction<String, String, CardReport> reader) {
        return open(new PlannedCards(entries, known, most, MOST_BYTES, reader, Cards::readForeign));
    }

    /// @param foreign reads the text of a card that a job brings along
    static PlannedCards open(
            KeyValueStore entries, Blueprints known, Function<String, CardReport> foreign) {
        return open(
                new PlannedCards(entries, known, MOST_CARDS, MOST_BYTES, Cards::readKept, foreign));
    }

    private static PlannedCards open(PlannedCards all) {
        if (!(all.entries instanceof UnavailableKeyValueStore)) {
            all.load();
        }
        return all;
    }

    private void load() {
        var after = "";
        while (true) {
            var page = entries.list(SPACE, "", after, PAGE);
            for (var entry : page) {
                tryToLoad(
                        entry.key(),
                        entry.value() instanceof JsonObject card ? card : JsonObject.EMPTY);
            }
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().key();
        }
    }

    /// Whatever is wrong with one card, the others are read and the orchestrator starts.
    private void tryToLoad(String version, JsonObject entry) {
        try {
            load(version, entry);
        } catch (RuntimeException | StackOverflowError failure) {
            setAside(version, "reading it failed with " + failure);
        }
    }

    private void load(String version, JsonObject entry) {
        var report = reader.apply(entry.string(TEXT).orElse(""), version);
        if (report.card().isEmpty()) {
            setAside(version, report.text());
            return;
        }
        var card = report.card().get();
        var twin =
                card.blueprints().stream()
                        .map(Blueprint::name)
                        .filter(name -> known.find(name, version).isPresent())
                        .findFirst();
        if (twin.isPresent()) {
            setAside(
                    version,
                    "blueprint '"
                            + twin.get()
                            + "' is registered already in this version, and is not of this card");
            return;
        }
        add(new Kept(card, clients(entry)));
    }

    private static Set<String> clients(JsonObject entry) {
        return entry.array(CLIENTS).stream()
                .flatMap(JsonArray::stream)
                .map(each -> ((JsonString) each).value())
                .collect(Collectors.toUnmodifiableSet());
    }

    private void setAside(String version, String why) {
        LOG.atError()
                .addKeyValue("card", version)
                .addKeyValue("reason", why)
                .log("a card with which jobs go on was set aside; the others are used");
        problems.add(
                "the planned card " + version + " of the store cannot be run any more: " + why);
    }

    private void add(Kept kept) {
        var card = kept.card();
        card.blueprints().forEach(each -> known.registerPlanned(each, kept.clients()));
        synchronized (cards) {
            bytes += cards.put(card.version(), kept) == null ? kept.bytes() : 0;
        }
    }

    private Optional<Kept> find(String version) {
        synchronized (cards) {
            return Optional.ofNullable(cards.get(version));
        }
    }

    private List<Kept> all() {
        synchronized (cards) {
            return List.copyOf(cards.values());
        }
    }

    /// What is wrong with cards that were kept. Waits for nothing.
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /// Removes cards that no open job needs when there are too many. Before this is called, none is removed.
    ///
    /// @param look finds out which blueprints open jobs need at that moment
    public void removeUnneeded(Supplier<Predicate<Blueprint>> look) {
        needed = look;
    }

    @Override
    public Blueprint keep(String client, String text) {
        var version = BlueprintRef.PLANNED_VERSION + Cards.digest(text).substring(0, DIGITS);
        var own = find(version).filter(kept -> kept.isOf(client));
        if (own.isPresent()) {
            return own.get().card().blueprint();
        }
        try (var _ = turns.begin(client)) {
            return onlyOnce(new Wanted(client, version), text);
        }
    }

    /// One thread compiles and keeps it, and others of the client that want the same wait for that one.
    private Blueprint onlyOnce(Wanted wanted, String text) {
        var mine = new FutureTask<>(() -> keep(wanted, text));
        var first = keeping.putIfAbsent(wanted, mine);
        if (first != null) {
            return outcome(first);
        }
        try {
            mine.run();
            return outcome(mine);
        } finally {
            keeping.remove(wanted, mine);
        }
    }

    private Blueprint keep(Wanted wanted, String text) {
        var before = find(wanted.version()).map(Kept::card);
        var card = before.isPresent() ? before.get() : compile(text, wanted.version());
        changing.lock();
        try {
            return keep(wanted.client(), card);
        } finally {
            changing.unlock();
        }
    }

    /// What came of it, for which it is waited also when the thread is interrupted: it ends by itself.
    private static Blueprint outcome(FutureTask<Blueprint> keeping) {
        var isInterrupted = false;
        try {
            while (true) {
                try {
                    return keeping.get();
                } catch (InterruptedException late) {
                    isInterrupted = true;
                } catch (ExecutionException failed) {
                    switch (failed.getCause()) {
                        case RejectedDefinition refused ->
                                throw new RejectedDefinition(String.valueOf(refused.getMessage()));
                        case StoreException away -> throw away;
                        case Error error -> throw error;
                        case null, default ->
                                throw new IllegalStateException("keeping a card failed", failed);
                    }
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Card compile(String text, String version) {
        var report = foreign.apply(text);
        if (report.card().isEmpty()) {
            throw new RejectedDefinition(
                    "the card with which the job is to go on cannot be run:\n" + report.text());
        }
        var secrets = Cards.secrets(report.card().get());
        if (!secrets.isEmpty()) {
            throw new RejectedDefinition(
                    "the card with which the job is to go on names secrets ("
                            + String.join(", ", secrets)
                            + "), and only cards that an operator takes up may");
        }
        if (entries instanceof UnavailableKeyValueStore) {
            throw new RejectedDefinition(
                    "this orchestrator was started without a store for cards, and the job would be lost with it");
        }
        return Cards.read(text, version).orElseThrow();
    }

    private Blueprint keep(String client, Card card) {
        var version = card.version();
        var before = find(version);
        if (before.isPresent()) {
            return before.get().isOf(client)
                    ? before.get().card().blueprint()
                    : share(before.get(), client);
        }
        makeRoom(client, card.memory());
        for (var blueprint : card.blueprints()) {
            if (known.find(blueprint.name(), version).isPresent()) {
                throw new RejectedDefinition(
                        "blueprint '"
                                + blueprint.name()
                                + "' is registered already in version "
                                + version
                                + ", and is not of this card; give the card another name");
            }
        }
        return put(new Kept(card, Set.of(client)));
    }

    /// A job of one more client brings the same card along.
    private Blueprint share(Kept before, String client) {
        makeShare(client, before.bytes());
        var clients = new HashSet<>(before.clients());
        clients.add(client);
        return put(new Kept(before.card(), Set.copyOf(clients)));
    }

    private Blueprint put(Kept kept) {
        var card = kept.card();
        var _ =
                entries.put(
                        SPACE,
                        card.version(),
                        KeyValueStore.ANY_VERSION,
                        JsonObject.of(TEXT, new JsonString(card.text()))
                                .with(CLIENTS, JsonArray.ofStrings(kept.clients())));
        add(kept);
        return card.blueprint();
    }

    private boolean isRoomFor(long more) {
        return all().size() < most && bytes + more <= mostBytes;
    }

    private void makeRoom(String client, long more) {
        makeShare(client, more);
        if (!isRoomFor(more)) {
            remove(_ -> true, () -> isRoomFor(more));
        }
        if (!isRoomFor(more)) {
            throw new RejectedDefinition(
                    "open jobs have brought along "
                            + all().size()
                            + " cards, which take about "
                            + bytes
                            + " bytes of memory, of at most "
                            + most
                            + " with "
                            + mostBytes
                            + "; release this job when some of them have ended");
        }
    }

    /// What is known of one client.
    private record Share(int cards, long bytes) {
        private Share with(Kept one) {
            return new Share(cards + 1, bytes + one.bytes());
        }
    }

    private Share shareOf(String client) {
        var share = new Share(0, 0);
        for (var kept : all()) {
            share = kept.isOf(client) ? share.with(kept) : share;
        }
        return share;
    }

    private int mostOfOne() {
        return Math.max(1, most / PARTS);
    }

    private boolean isShareLeft(String client, long more) {
        var share = shareOf(client);
        return share.cards() < mostOfOne() && share.bytes() + more <= mostBytes / PARTS;
    }

    private void makeShare(String client, long more) {
        if (!isShareLeft(client, more)) {
            remove(kept -> kept.isOf(client), () -> isShareLeft(client, more));
        }
        if (!isShareLeft(client, more)) {
            var share = shareOf(client);
            throw new RejectedDefinition(
                    "open jobs of client '"
                            + client
                            + "' have brought along "
                            + share.cards()
                            + " cards, which take about "
                            + share.bytes()
                            + " bytes of memory, and this one takes "
                            + more
                            + "; those of one client are at most "
                            + mostOfOne()
                            + " with "
                            + mostBytes / PARTS
                            + ", a quarter of the room for all; end some of these jobs or make this card shorter, and release this one then");
        }
    }

    /// Removes cards that no open job needs, the oldest first, until there is enough room.
    private void remove(Predicate<Kept> which, BooleanSupplier isEnough) {
        var isNeeded = needed.get();
        for (var kept : all()) {
            if (!which.test(kept) || kept.card().blueprints().stream().anyMatch(isNeeded)) {
                continue;
            }
            var card = kept.card();
            var _ = entries.remove(SPACE, card.version(), KeyValueStore.ANY_VERSION);
            card.blueprints().forEach(each -> known.unregisterPlanned(each.name(), each.version()));
            synchronized (cards) {
                cards.remove(card.version());
            }
            bytes -= kept.bytes();
            if (isEnough.getAsBoolean()) {
                return;
            }
        }
    }
}
