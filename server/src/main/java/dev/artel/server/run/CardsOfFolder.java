package dev.artel.server.run;

import dev.artel.card.Card;
import dev.artel.card.CardProblem;
import dev.artel.card.CardReport;
import dev.artel.card.Cards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A card, and those beside it that it may run as subprocesses.
///
/// @param card empty if it cannot be run
/// @param problems of the card, a line each
/// @param others the other cards of the folder that can be run
record CardsOfFolder(Optional<Card> card, List<String> problems, List<Card> others) {
    private static final int MOST_OTHERS = 1_000;

    /// Reads a card and those beside it.
    ///
    /// @throws IOException if the file of the card cannot be read
    static CardsOfFolder read(Path file) throws IOException {
        var report = Cards.read(Files.readString(file));
        return new CardsOfFolder(report.card(), lines(file, report), others(file));
    }

    private static List<String> lines(Path file, CardReport report) {
        return report.problems().stream()
                .map(CardProblem::toString)
                .map(problem -> file + ":" + problem)
                .toList();
    }

    /// What is wrong with another card shows where that is run.
    private static List<Card> others(Path file) throws IOException {
        var others = new ArrayList<Card>();
        var folder = file.toAbsolutePath().getParent();
        try (var files = Files.list(folder)) {
            for (var other : files.sorted().limit(MOST_OTHERS).toList()) {
                var name = other.getFileName().toString();
                if ((name.endsWith(".yaml") || name.endsWith(".yml"))
                        && !Files.isSameFile(file, other)) {
                    Cards.read(Files.readString(other)).card().ifPresent(others::add);
                }
            }
        }
        return others;
    }
}
