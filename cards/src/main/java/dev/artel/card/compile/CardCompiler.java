package dev.artel.card.compile;

import dev.artel.card.read.CardProblems;
import dev.artel.card.read.DependencyRegion;
import dev.artel.card.read.ParsedCard;
import dev.artel.card.step.CardStep;
import dev.artel.card.step.OnFailure;
import dev.artel.card.step.StepTarget;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Condition;
import dev.artel.kernel.blueprint.Conditions;
import dev.artel.kernel.guard.Guards;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// Makes a blueprint of a card.
///
/// A step becomes the state of its name, with a few beside it whose names begin with that and a dot: `NAME.failed` where the process fails, `NAME.escalated`
/// where a person decides, `NAME.quality` and `NAME.verdict`, `NAME.compensation`. Forks of steps that do not depend on each other are `fork.1`, `fork.2` and so on.
public final class CardCompiler {
    private static final String COMPLETED = "card.completed";
    private static final String BRANCH_END = "branch.end";

    /// How many steps a process may go through, with the states beside them.
    private static final int MOST_TRANSITIONS = 4_000;

    private final ParsedCard card;
    private final CardProblems problems;
    private final StateDrafts drafts = new StateDrafts();
    private final StepStates states;
    private int forks;

    private CardCompiler(ParsedCard card, CardProblems problems) {
        this.card = card;
        this.problems = problems;
        this.states = new StepStates(drafts, card.variables(), card.version());
    }

    /// The blueprint of `card`, and those of the cards inside it; empty if there are problems that only show here.
    ///
    /// @param version of all of them
    public static List<Blueprint> compile(ParsedCard card, String version, CardProblems problems) {
        var all = new ArrayList<Blueprint>();
        compile(versioned(card, version), problems, all);
        return problems.hasErrors() ? List.of() : all;
    }

    private static ParsedCard versioned(ParsedCard card, String version) {
        return new ParsedCard(
                card.name(),
                version,
                card.variables(),
                card.steps(),
                card.maxDepth(),
                card.budget(),
                card.inner().stream().map(inner -> versioned(inner, version)).toList());
    }

    private static void compile(ParsedCard card, CardProblems problems, List<Blueprint> all) {
        card.inner().forEach(inner -> compile(inner, problems, all));
        new CardCompiler(card, problems).blueprint().ifPresent(all::add);
    }

    private Optional<Blueprint> blueprint() {
        drafts.pure(BRANCH_END, _ -> Action.endBranch());
        var start = sequence(card.steps(), new StepStates.Place(COMPLETED, false));
        warnUnreached(start);
        if (problems.hasErrors()) {
            return Optional.empty();
        }
        var guards = Guards.DEFAULTS.withTransitions(MOST_TRANSITIONS);
        var blueprint =
                Blueprint.named(card.name())
                        .version(card.version())
                        .guards(
                                card.maxDepth().isPresent()
                                        ? guards.withTreeDepth(card.maxDepth().getAsInt())
                                        : guards);
        card.budget().ifPresent(blueprint::budget);
        drafts.into(blueprint, start, COMPLETED);
        return Optional.of(blueprint.build());
    }

    private void warnUnreached(String start) {
        var reached = drafts.reachedFrom(start);
        warnUnreached(card.steps(), reached);
    }

    private void warnUnreached(List<CardStep> steps, Set<String> reached) {
        for (var step : steps) {
            if (!reached.contains(step.id())) {
                problems.warning(
                        step.head().at(),
                        "spec.steps." + step.id(),
                        "no step leads to it; it is left out");
            }
            if (step instanceof CardStep.Together together) {
                together.branches().forEach(branch -> warnUnreached(branch, reached));
            }
        }
    }

    /// Adds the states of `steps`, which follow each other.
    ///
    /// @param place what follows the last one
    /// @return the first state
    private String sequence(List<CardStep> steps, StepStates.Place place) {
        var region = DependencyRegion.of(steps);
        var entries = new LinkedHashMap<String, String>();
        steps.forEach(step -> entries.put(step.id(), step.id()));
        var after = place.after();
        for (var i = steps.size() - 1; i >= 0; i--) {
            if (region.isPresent() && i == region.get().to() - 1) {
                var inside = region.get().steps(steps);
                after =
                        arranged(
                                Arrangement.of(inside),
                                new StepStates.Place(after, place.isBranch()));
                i = region.get().from();
                entries.put(inside.getFirst().id(), after);
            } else {
                var step = steps.get(i);
                step(step, entries, new StepStates.Place(after, place.isBranch()));
                after = step.id();
            }
        }
        return after;
    }

    private String arranged(Arrangement arrangement, StepStates.Place place) {
        return switch (arrangement) {
            case Arrangement.Single(var step) -> {
                step(step, new LinkedHashMap<>(), place);
                yield step.id();
            }
            case Arrangement.Ordered(var parts) -> {
                var after = place.after();
                for (var part : parts.reversed()) {
                    after = arranged(part, new StepStates.Place(after, place.isBranch()));
                }
                yield after;
            }
            case Arrangement.Beside(var parts) -> {
                forks++;
                var fork = "fork." + forks;
                var branch = new StepStates.Place(BRANCH_END, true);
                var starts = parts.stream().map(part -> arranged(part, branch)).toList();
                var failed = states.failure(fork, OnFailure.ABORT, place, fork);
                states.fork(fork, starts, Optional.empty(), place.after(), failed);
                yield fork;
            }
        };
    }

    /// @param entries the states of the steps to which this one may lead by name
    private void step(CardStep step, SequencedMap<String, String> entries, StepStates.Place place) {
        var next =
                step.head()
                        .next()
                        .map(target ->
                                new StepStates.Place(state(target, entries), place.isBranch()))
                        .orElse(place);
        switch (step) {
            case CardStep.CallAction action -> new ActionStates(drafts, states, action, next).add();
            case CardStep.Decide decide ->
                    condition(decide)
                            .ifPresent(condition ->
                                    states.decide(
                                            decide,
                                            condition,
                                            state(decide.then(), entries),
                                            decide.otherwise()
                                                    .map(target -> state(target, entries))
                                                    .orElse(next.after()),
                                            next));
            case CardStep.Complete complete -> states.complete(complete, next);
            case CardStep.Pause pause -> states.pause(pause, next);
            case CardStep.AwaitEvent wait -> states.awaitEvent(wait, next);
            case CardStep.AskHuman ask -> states.askHuman(ask, next);
            case CardStep.RunCard run -> states.run(run, next);
            case CardStep.Together together -> together(together, next);
            case CardStep.Replan replan -> replan(replan, next);
        }
    }

    private static String state(StepTarget target, SequencedMap<String, String> entries) {
        return entries.getOrDefault(target.id(), COMPLETED);
    }

    private Optional<Condition> condition(CardStep.Decide step) {
        try {
            return Optional.of(Conditions.installed().compile(step.cel()));
        } catch (IllegalArgumentException wrong) {
            problems.error(
                    step.head().at(),
                    "spec.steps." + step.id() + ".condition",
                    "\"" + step.text() + "\" is no condition: " + wrong.getMessage());
            return Optional.empty();
        }
    }

    private void replan(CardStep.Replan step, StepStates.Place place) {
        if (place.isBranch()) {
            problems.error(
                    step.head().at(),
                    "spec.steps." + step.id(),
                    "it replaces the card of the whole process, and runs beside other steps; put it behind them");
        }
        states.replan(step, place);
    }

    private void together(CardStep.Together step, StepStates.Place place) {
        var branch = new StepStates.Place(BRANCH_END, true);
        var starts = step.branches().stream().map(steps -> sequence(steps, branch)).toList();
        var failed = states.failure(step.id(), step.onFailure(), place, step.id());
        states.fork(
                step.id(),
                starts,
                step.required().isPresent()
                        ? Optional.of(step.required().getAsInt())
                        : Optional.empty(),
                states.gathered(step, place.after()),
                failed);
    }
}
