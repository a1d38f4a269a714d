package dev.artel.server.run;

import dev.artel.card.Card;
import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.text.Printable;
import java.io.IOException;
import java.net.URI;
import java.util.function.Function;

/// Reads a card, starts an orchestrator that knows it, and runs it.
public final class CardRunner {
    private static final int FAILED = 1;
    private static final int WRONG = 2;

    /// An orchestrator for the card.
    ///
    /// @param uri where it is
    /// @param token what clients send
    /// @param end stops it, if it was started for the card
    public record Started(URI uri, String token, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    private final RunArguments arguments;
    private final Function<Blueprints, Started> starter;
    private final Terminal terminal;

    /// A runner that does nothing yet.
    ///
    /// @param starter starts an orchestrator, which is closed at the end
    public CardRunner(
            RunArguments arguments, Function<Blueprints, Started> starter, Terminal terminal) {
        this.arguments = arguments;
        this.starter = starter;
        this.terminal = terminal;
    }

    /// Runs the card.
    ///
    /// @return the exit code
    public int run() {
        CardsOfFolder cards;
        try {
            cards = CardsOfFolder.read(arguments.card());
        } catch (IOException unreadable) {
            terminal.err()
                    .println(
                            Printable.behind(
                                    "artel: ",
                                    RunArguments.unreadable(arguments.card(), unreadable)));
            return WRONG;
        }
        cards.problems()
                .forEach(problem -> terminal.err().println(Printable.text(problem.toString())));
        return cards.card().map(card -> run(card, cards)).orElse(WRONG);
    }

    private int run(Card card, CardsOfFolder cards) {
        var blueprints = Blueprints.of(card);
        for (var other : cards.others()) {
            other.blueprints().stream()
                    .filter(blueprint -> blueprints.find(blueprint.name()).isEmpty())
                    .forEach(blueprints::register);
        }
        try (var node = starter.apply(blueprints);
                var client = ArtelClient.of(node.uri(), node.token())) {
            var run = new CardRun(client, arguments, terminal);
            if (arguments.url().isEmpty()) {
                return run.run(card.name(), card.version());
            }
            var taken = client.operator().takeUpCard(card.text());
            return run.run(taken.name(), taken.version());
        } catch (ClientException failed) {
            terminal.err()
                    .println(Printable.behind("artel: ", String.valueOf(failed.getMessage())));
            return FAILED;
        }
    }
}
