package dev.artel.card.compile;

import dev.artel.card.read.CardProblems;
import dev.artel.card.read.ParsedCard;
import dev.artel.card.step.CardStep;
import dev.artel.card.template.Template;
import dev.artel.card.template.ValuePath;
import dev.artel.card.yaml.TextPosition;
import dev.artel.json.JsonMemory;
import java.util.Collection;
import java.util.List;

/// About how many bytes a card takes in memory once it is compiled: of its text, each reference takes some thirty times as much, and each
/// condition a hundred times.
public final class CardMemory {
    /// The most of a card whose text is foreign: one that a job brings along.
    public static final long MOST_OF_FOREIGN =
            Math.min(8L << 20, Runtime.getRuntime().maxMemory() / 64);

    /// Of a step with the states, outcomes and handlers that it becomes.
    private static final int STEP = 4_000;

    /// Of a condition in CEL for each of its characters.
    private static final int CONDITION = 100;

    private static final int NODE = 32;
    private static final int PATH = 80;

    private CardMemory() {}

    /// Of `card` and the cards inside it, without the text.
    public static long of(ParsedCard card) {
        var sum = STEP + steps(card.steps());
        for (var variable : card.variables().sequencedEntrySet()) {
            sum += JsonMemory.name(variable.getKey()) + JsonMemory.bytes(variable.getValue());
        }
        for (var inner : card.inner()) {
            sum += of(inner);
        }
        return sum;
    }

    /// Adds a problem if `card`, whose text is foreign, takes more than such a card may. Nothing of it is compiled for that.
    public static void checkForeign(ParsedCard card, CardProblems problems) {
        var bytes = of(card);
        if (bytes > MOST_OF_FOREIGN) {
            problems.error(
                    TextPosition.START,
                    "spec",
                    "the card would take about "
                            + bytes
                            + " bytes of memory, of at most "
                            + MOST_OF_FOREIGN
                            + " for one that a job brings along; give it fewer and shorter conditions, references and values");
        }
    }

    private static long steps(List<CardStep> steps) {
        var sum = 0L;
        for (var step : steps) {
            sum += STEP + parts(step);
        }
        return sum;
    }

    private static long parts(CardStep step) {
        return switch (step) {
            case CardStep.CallAction action ->
                    template(action.params())
                            + action.compensation().map(by -> template(by.params())).orElse(0L)
                            + action.quality()
                                    .map(quality ->
                                            quality.criteria().stream()
                                                    .mapToLong(each ->
                                                            JsonMemory.name(each.name())
                                                                    + template(each.description()))
                                                    .sum())
                                    .orElse(0L);
            case CardStep.Decide decide ->
                    (long) CONDITION * decide.cel().length()
                            + JsonMemory.name(decide.text())
                            + paths(decide.paths());
            case CardStep.Complete complete ->
                    complete.result().map(CardMemory::template).orElse(0L);
            case CardStep.Replan replan -> template(replan.card());
            case CardStep.Pause pause -> template(pause.duration());
            case CardStep.AwaitEvent _ -> 0;
            case CardStep.AskHuman ask -> template(ask.message());
            case CardStep.Together together ->
                    together.branches().stream().mapToLong(CardMemory::steps).sum();
            case CardStep.RunCard run ->
                    templates(run.inputs().values())
                            + run.loop().map(loop -> template(loop.times())).orElse(0L);
        };
    }

    private static long template(Template template) {
        return NODE
                + switch (template) {
                    case Template.Constant(var value) -> JsonMemory.bytes(value);
                    case Template.Reference(var path, boolean _) -> path(path);
                    case Template.SecretName(var name) -> JsonMemory.name(name);
                    case Template.Text(var parts) ->
                            JsonMemory.array(parts.size()) + templates(parts);
                    case Template.Items(var items) ->
                            JsonMemory.array(items.size()) + templates(items);
                    case Template.Members(var members) -> {
                        var sum =
                                JsonMemory.object(members.size())
                                        + templates(members.sequencedValues());
                        for (var name : members.sequencedKeySet()) {
                            sum += JsonMemory.name(name);
                        }
                        yield sum;
                    }
                };
    }

    private static long templates(Collection<Template> templates) {
        var sum = 0L;
        for (var each : templates) {
            sum += template(each);
        }
        return sum;
    }

    private static long paths(List<ValuePath> paths) {
        var sum = 0L;
        for (var path : paths) {
            sum += path(path);
        }
        return sum;
    }

    private static long path(ValuePath path) {
        var sum = (long) PATH;
        for (var name : path.names()) {
            sum += JsonMemory.name(name);
        }
        return sum;
    }
}
