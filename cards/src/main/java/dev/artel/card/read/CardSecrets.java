package dev.artel.card.read;

import dev.artel.card.step.CardStep;
import dev.artel.card.template.Template;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/// The secrets that a card names. They can stand where the orchestrator's own worker puts them, and a host is named to which they go.
public final class CardSecrets {
    private static final String ACTION = "http_request";
    private static final Set<String> PARAMETERS = Set.of("url", "headers", "query", "body");

    private final String path;
    private final CardProblems problems;
    private final SequencedSet<String> names = new LinkedHashSet<>();

    private CardSecrets(String path, CardProblems problems) {
        this.path = path;
        this.problems = problems;
    }

    /// The names of those of `card` and of the cards inside it, each once.
    public static SequencedSet<String> of(ParsedCard card) {
        var secrets = new CardSecrets("", new CardProblems());
        secrets.steps(card.steps());
        card.inner().forEach(inner -> secrets.names.addAll(of(inner)));
        return secrets.names;
    }

    /// Reports secrets where none can stand.
    static void check(ParsedCard card, String path, CardProblems problems) {
        new CardSecrets(path, problems).steps(card.steps());
    }

    private void steps(List<CardStep> steps) {
        for (var step : steps) {
            switch (step) {
                case CardStep.CallAction action -> {
                    params(step, action.action(), action.params());
                    action.compensation().ifPresent(by -> params(step, by.action(), by.params()));
                    action.quality()
                            .ifPresent(quality ->
                                    quality.criteria()
                                            .forEach(each -> none(step, each.description())));
                }
                case CardStep.Complete complete ->
                        complete.result().ifPresent(result -> none(step, result));
                case CardStep.Pause pause -> none(step, pause.duration());
                case CardStep.Replan replan -> none(step, replan.card());
                case CardStep.AskHuman ask -> none(step, ask.message());
                case CardStep.Together together -> together.branches().forEach(this::steps);
                case CardStep.RunCard run -> {
                    run.loop().ifPresent(loop -> none(step, loop.times()));
                    run.inputs().values().forEach(input -> none(step, input));
                }
                case CardStep.Decide _, CardStep.AwaitEvent _ -> {}
            }
        }
    }

    private void params(CardStep step, String action, Template params) {
        if (!(params instanceof Template.Members(var members))) {
            none(step, params);
            return;
        }
        members.forEach((name, value) -> {
            if (action.equals(ACTION) && PARAMETERS.contains(name)) {
                value.forEachSecret(names::add);
            } else {
                none(step, value);
            }
        });
    }

    private void none(CardStep step, Template template) {
        template.forEachSecret(name -> {
            names.add(name);
            problems.error(
                    step.head().at(),
                    path + "." + step.id(),
                    "${secret."
                            + name
                            + "} can stand in url, headers, query and body of "
                            + ACTION
                            + " alone: no worker and no variable gets a secret",
                    Optional.empty());
        });
    }
}
