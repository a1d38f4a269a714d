package dev.artel.simulation.card;

import dev.artel.card.CardProblem;
import dev.artel.card.Cards;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.judges.JobJudge;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;

/// The cards among the jobs of a scenario: written as text, and read and compiled as those of authors.
public final class ScenarioCards {
    /// Cards that clients submit; each runs the ones behind it.
    public static final List<String> NAMES = List.of("card0", "card1", "card2");

    private final World world;
    private final SequencedMap<String, RandomCard> cards = new LinkedHashMap<>();
    private final List<Blueprint> blueprints = new ArrayList<>();

    /// @param types of tasks that workers do
    public ScenarioCards(World world, List<String> types) {
        this.world = world;
        if (!world.has(Trait.CARDS)) {
            return;
        }
        for (var i = 0; i < NAMES.size(); i++) {
            var drawing = new CardDrawing(world.random(Trait.CARDS), world.traits(), types);
            var others = NAMES.subList(i + 1, Math.min(NAMES.size(), i + 2));
            add(drawing.draw(NAMES.get(i), others));
        }
    }

    private void add(RandomCard card) {
        card.forEach(each -> cards.put(each.name(), each));
        var text = new CardText(world.mutant()).of(card);
        var report = Cards.read(text);
        if (report.problems().stream().anyMatch(ScenarioCards::isUnexpected)
                || report.card().isEmpty()) {
            throw world.failure("a card has problems: " + report.problems() + "\n" + text);
        }
        world.note("card", text);
        blueprints.addAll(report.orElseThrow().blueprints());
    }

    /// A step that is skipped by a jump on every way is only warned of.
    private static boolean isUnexpected(CardProblem problem) {
        return !problem.message().contains("no step leads to it");
    }

    /// To be registered.
    public List<Blueprint> blueprints() {
        return blueprints;
    }

    /// Whether `blueprint` is one of them.
    public boolean has(String blueprint) {
        return cards.containsKey(blueprint);
    }

    /// Those who judge them.
    ///
    /// @param faults how handlers may fail
    /// @param values reads what is kept apart
    public List<JobJudge> judges(List<String> faults, Function<Payload, JsonValue> values) {
        var reader = new CardValues(values);
        return List.of(
                new CardOrderInvariants(world, cards, faults, reader),
                new CardWaitInvariants(world, cards),
                new CardCompensationInvariants(world, cards, reader),
                new SubprocessInvariants(world, cards, reader),
                new CardBudgetInvariants(world, cards));
    }
}
