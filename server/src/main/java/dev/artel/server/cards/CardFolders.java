package dev.artel.server.cards;

import dev.artel.card.Card;
import dev.artel.card.CardProblem;
import dev.artel.card.CardReport;
import dev.artel.card.Cards;
import dev.artel.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The files of process cards in some folders, each read when it has changed. A file that is broken keeps no other one from being used. Safe for use by many
/// threads.
public final class CardFolders {
    /// A folder with more has files of another kind in it.
    static final int MOST_FILES = 1_000;

    /// A longer file is refused unread.
    private static final long MOST_BYTES = 8L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(CardFolders.class);

    private final List<Path> folders;
    private final Optional<Path> watched;
    private final TreeMap<Path, CardFile> files = new TreeMap<>();
    private final List<String> unreadable = new ArrayList<>();

    /// Files that have changed, as they were at the last look: one that is being written is not read.
    private final Map<Path, Mark> changing = new HashMap<>();

    /// @param folders those that are there are read at each [#look]
    /// @param watched another one, which is read at each [#glance] as well
    public CardFolders(List<Path> folders, Optional<Path> watched) {
        this.folders = List.copyOf(folders);
        this.watched = watched;
    }

    /// The folders that `config` names: that of blueprints, and the one of cards, which is watched.
    public static CardFolders of(ServerConfig config) {
        var folders =
                new CardFolders(
                        List.of(config.blueprints().folderIn(config.data())),
                        config.blueprints().cards());
        folders.look();
        return folders;
    }

    /// What a file was like when it was read.
    private record Mark(long bytes, FileTime changed) {
        static Mark of(Path file) {
            try {
                return new Mark(Files.size(file), Files.getLastModifiedTime(file));
            } catch (IOException gone) {
                return new Mark(-1, FileTime.fromMillis(0));
            }
        }
    }

    /// What was read of a file.
    ///
    /// @param card empty if it has none that can be run
    /// @param problems what is wrong with it, each in a text that names it
    /// @param isTaken whether what is to be done with the card was done
    private record CardFile(
            Mark mark, Optional<Card> card, List<String> problems, boolean isTaken) {}

    /// A card that was not taken up yet.
    record Found(Path file, Card card) {}

    /// Whether a file of this name has a card.
    public static boolean isOne(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    /// The folder that is to be watched.
    Optional<Path> watched() {
        return watched;
    }

    /// Reads what has changed in all folders; what was refused is tried again.
    public synchronized void look() {
        unreadable.clear();
        files.replaceAll((_, file) ->
                file.card().isPresent() && !file.problems().isEmpty()
                        ? new CardFile(file.mark(), file.card(), List.of(), false)
                        : file);
        var there = new TreeSet<Path>();
        folders.forEach(folder -> there.addAll(list(folder)));
        watched.ifPresent(folder -> there.addAll(list(folder)));
        for (var file : there) {
            var mark = Mark.of(file);
            var known = files.get(file);
            if (known == null || !known.mark().equals(mark)) {
                files.put(file, read(file, mark));
            }
        }
        changing.clear();
        files.keySet().retainAll(there);
    }

    /// Reads what has changed in the watched folder and stayed as it is since the last glance.
    ///
    /// @return whether there was anything
    synchronized boolean glance() {
        if (watched.isEmpty()) {
            return false;
        }
        var before = List.copyOf(unreadable);
        unreadable.removeIf(problem -> problem.contains(String.valueOf(watched.get())));
        var there = list(watched.get());
        var isChanged = !unreadable.equals(before);
        for (var file : there) {
            var mark = Mark.of(file);
            var known = files.get(file);
            if (known != null && known.mark().equals(mark)) {
                changing.remove(file);
            } else if (mark.equals(changing.put(file, mark))) {
                changing.remove(file);
                files.put(file, read(file, mark));
                isChanged = true;
            }
        }
        changing.keySet().retainAll(there);
        return files.keySet().removeIf(file -> isWatched(file) && !there.contains(file))
                || isChanged;
    }

    private boolean isWatched(Path file) {
        return watched.filter(folder -> folder.equals(file.getParent())).isPresent();
    }

    private List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var all = Files.list(folder)) {
            var found =
                    all.filter(file -> isOne(String.valueOf(file.getFileName())))
                            .filter(Files::isRegularFile)
                            .limit(MOST_FILES + 1L)
                            .sorted()
                            .toList();
            if (found.size() <= MOST_FILES) {
                return found;
            }
            unreadable.add(
                    "the folder "
                            + folder
                            + " has more than "
                            + MOST_FILES
                            + " files of cards, and none of them is read; put them into several"
                            + " orchestrators or upload them");
        } catch (IOException e) {
            unreadable.add("cannot read the folder of cards " + folder + ": " + e);
        }
        return List.of();
    }

    private static CardFile read(Path file, Mark mark) {
        try {
            if (mark.bytes() > MOST_BYTES) {
                return broken(
                        file, mark, "it has " + mark.bytes() + " bytes; the most is " + MOST_BYTES);
            }
            var report = Cards.read(Files.readString(file));
            warn(file, report);
            return new CardFile(
                    mark,
                    report.card(),
                    report.problems().stream()
                            .filter(CardProblem::isError)
                            .map(problem -> file.getFileName() + ":" + problem)
                            .toList(),
                    false);
        } catch (IOException unreadable) {
            return broken(file, mark, "it cannot be read as UTF-8: " + unreadable);
        } catch (RuntimeException | StackOverflowError failure) {
            return broken(file, mark, "reading it failed with " + failure);
        }
    }

    private static void warn(Path file, CardReport report) {
        for (var problem : report.problems()) {
            if (!problem.isError()) {
                LOG.atWarn()
                        .addKeyValue("card", file)
                        .addKeyValue("problem", problem)
                        .log("a card has something odd");
            }
        }
    }

    private static CardFile broken(Path file, Mark mark, String why) {
        return new CardFile(
                mark, Optional.empty(), List.of(file.getFileName() + ": " + why), false);
    }

    /// Everything that is wrong with the files, each in a text that names the file; empty if nothing is.
    public synchronized List<String> problems() {
        var all = new ArrayList<>(unreadable);
        files.values().forEach(file -> all.addAll(file.problems()));
        all.addAll(twins().values());
        return all;
    }

    /// Each file whose card has the name and version of one before it, and what is wrong with that.
    private Map<Path, String> twins() {
        var first = new HashMap<String, Path>();
        var twins = new TreeMap<Path, String>();
        files.forEach((file, read) ->
                read.card()
                        .ifPresent(card -> {
                            var other = first.putIfAbsent(card.toString(), file);
                            if (other != null) {
                                twins.put(
                                        file,
                                        file.getFileName()
                                                + ": "
                                                + other
                                                + " has "
                                                + card
                                                + " as well; give one of the two another name or version");
                            }
                        }));
        return twins;
    }

    /// The cards that were not taken up since they have changed, in the order of their files.
    synchronized List<Found> untaken() {
        var twins = twins();
        var found = new ArrayList<Found>();
        files.forEach((file, read) -> {
            if (!read.isTaken() && read.card().isPresent() && !twins.containsKey(file)) {
                found.add(new Found(file, read.card().get()));
            }
        });
        return found;
    }

    /// All cards that can be run, for those who keep none.
    public synchronized List<Card> cards() {
        return untaken().stream().map(Found::card).toList();
    }

    /// What was to be done with a card was done.
    ///
    /// @param problem why it is not used; empty: it is
    synchronized void taken(Found found, Optional<String> problem) {
        files.computeIfPresent(
                found.file(),
                (file, read) ->
                        new CardFile(
                                read.mark(),
                                read.card(),
                                problem.map(why -> file.getFileName() + ": " + why).stream()
                                        .toList(),
                                // It may have changed since it was found.
                                read.card().filter(found.card()::equals).isPresent()));
    }
}
