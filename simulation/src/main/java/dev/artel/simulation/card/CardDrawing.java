package dev.artel.simulation.card;

import dev.artel.kernel.budget.Budget;
import dev.artel.simulation.card.RandomStep.Act;
import dev.artel.simulation.card.RandomStep.Ask;
import dev.artel.simulation.card.RandomStep.Await;
import dev.artel.simulation.card.RandomStep.Choose;
import dev.artel.simulation.card.RandomStep.Complete;
import dev.artel.simulation.card.RandomStep.OfInput;
import dev.artel.simulation.card.RandomStep.OfStep;
import dev.artel.simulation.card.RandomStep.Pause;
import dev.artel.simulation.card.RandomStep.Quality;
import dev.artel.simulation.card.RandomStep.Reading;
import dev.artel.simulation.card.RandomStep.Run;
import dev.artel.simulation.card.RandomStep.Together;
import dev.artel.simulation.card.RandomStep.Work;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Draws a [RandomCard] of a few steps. Its processes end: it leads back only where a number that a worker makes anew decides.
final class CardDrawing {
    private static final int MOST_STEPS = 5;
    private static final List<String> AFTER_FAILURE =
            List.of(RandomStep.ABORT, RandomStep.CONTINUE, RandomStep.ESCALATE);

    private final SplittableRandom random;
    private final Set<Trait> traits;
    private final List<String> types;
    private int number;

    /// @param traits what its steps may use
    /// @param types of tasks that workers do
    CardDrawing(SplittableRandom random, Set<Trait> traits, List<String> types) {
        this.random = random;
        this.traits = traits;
        this.types = types;
    }

    /// What may be drawn where.
    ///
    /// @param others cards that may be run
    /// @param isBranch whether it is in a branch, which ends no process and has no branches
    /// @param depth how many cards this one is in
    private record Spot(String card, List<String> others, boolean isBranch, int depth) {
        Spot branch() {
            return new Spot(card, others, true, depth);
        }
    }

    /// @param others cards that it may run
    RandomCard draw(String name, List<String> others) {
        return draw(name, others, 0);
    }

    private RandomCard draw(String name, List<String> others, int depth) {
        number = 0;
        var spot = new Spot(name, others, false, depth);
        var steps = list(spot, new ArrayList<>(), depth == 0 ? 2 : 1, MOST_STEPS - depth * 2);
        if (chance(3)) {
            var status = List.of("success", "failure", "cancelled").get(random.nextInt(3));
            steps.add(step(new Complete(depth > 0 ? "success" : status, reads(known(steps)))));
        }
        return new RandomCard(
                name,
                steps,
                has(Trait.CHILDREN) && chance(2)
                        ? OptionalInt.of(random.nextInt(0, 3))
                        : OptionalInt.empty(),
                has(Trait.BUDGETS) && chance(2) ? Optional.of(budget()) : Optional.empty());
    }

    private boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /// Whether one of `of` comes.
    private boolean chance(int of) {
        return random.nextInt(of) == 0;
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private Budget budget() {
        var calls = Budget.UNLIMITED.withCalls(random.nextInt(1, 12));
        var budget = chance(2) ? calls.withUsd("" + random.nextInt(1, 30)) : calls;
        return chance(3) ? budget.requestingExtension() : budget;
    }

    // Lists of steps

    private RandomStep step(Work work) {
        number++;
        return new RandomStep("s" + number, List.of(), Optional.empty(), work);
    }

    /// The numbers that are known behind `steps`: each is there whatever becomes of its step.
    private static List<Reading> known(List<RandomStep> steps) {
        var known = new ArrayList<Reading>(List.of(new OfInput()));
        for (var step : steps) {
            if (step.work() instanceof Act) {
                known.add(new OfStep(step.variable()));
            }
        }
        return known;
    }

    private Reading reads(List<Reading> known) {
        return chance(2) ? known.getLast() : pick(known);
    }

    /// @param known the numbers that are known before
    private List<RandomStep> list(Spot spot, List<Reading> known, int least, int most) {
        var steps = new ArrayList<RandomStep>();
        if (known.isEmpty()) {
            known.add(new OfInput());
        }
        var count = random.nextInt(least, most + 1);
        while (steps.size() < count) {
            var ordered = has(Trait.FORK) && !spot.isBranch() && chance(4);
            if (ordered && steps.stream().allMatch(step -> step.needs().isEmpty())) {
                steps.addAll(ordered(spot, known));
            } else {
                steps.add(step(work(spot, known)));
            }
            known.addAll(known(steps));
        }
        return chance(2) ? led(steps) : steps;
    }

    /// Steps that are ordered by what they depend on.
    private List<RandomStep> ordered(Spot spot, List<Reading> known) {
        var steps = new ArrayList<RandomStep>();
        var count = random.nextInt(2, 6);
        while (steps.size() < count) {
            var needs =
                    steps.stream()
                            .filter(_ -> chance(2))
                            .map(RandomStep::id)
                            .limit(random.nextInt(1, 3))
                            .toList();
            steps.add(step(act(spot, known)).needing(needs));
        }
        if (steps.stream().allMatch(step -> step.needs().isEmpty())) {
            steps.add(step(act(spot, known)).needing(List.of(steps.getFirst().id())));
        }
        return steps;
    }

    /// With a choice or another order, where nothing depends on anything.
    private List<RandomStep> led(List<RandomStep> steps) {
        if (steps.size() < 2 || steps.stream().anyMatch(step -> !step.needs().isEmpty())) {
            return steps;
        }
        var led = new ArrayList<>(steps);
        var at = random.nextInt(1, steps.size());
        var before = steps.get(at - 1);
        if (before.work() instanceof Act && chance(2)) {
            // Back to where the number is made that decides.
            var next = steps.get(at).id();
            var back =
                    new Choose(new OfStep(before.variable()), 40, next, Optional.of(before.id()));
            led.add(at, step(back));
        } else if (at + 1 < steps.size()) {
            var choice =
                    new Choose(
                            reads(known(steps.subList(0, at))),
                            10,
                            steps.get(at).id(),
                            Optional.of(steps.get(at + 1).id()));
            led.add(at, step(choice));
        } else {
            led.set(at - 1, before.before(steps.get(at).id()));
        }
        return led;
    }

    // Steps

    private Work work(Spot spot, List<Reading> known) {
        return switch (random.nextInt(10)) {
            case 0 -> has(Trait.WAIT) ? new Pause(random.nextInt(1, 5_000)) : act(spot, known);
            case 1 -> has(Trait.SIGNALS) ? await() : act(spot, known);
            case 2 -> has(Trait.APPROVALS) ? new Ask(seconds(), afterFailure()) : act(spot, known);
            case 3, 4 ->
                    has(Trait.FORK) && !spot.isBranch() ? together(spot, known) : act(spot, known);
            case 5, 6, 7 -> has(Trait.CHILDREN) ? run(spot, known) : act(spot, known);
            default -> act(spot, known);
        };
    }

    private Act act(Spot spot, List<Reading> known) {
        return new Act(
                pick(types),
                reads(known),
                chance(3) ? Optional.of(quality()) : Optional.empty(),
                has(Trait.COMPENSATION) && !chance(3),
                spot.depth() > 0 && chance(2) ? RandomStep.CONTINUE : afterFailure(),
                more());
    }

    /// How long an attempt may take, and how often it is tried.
    private String more() {
        var timeout = "timeout: " + random.nextInt(5, 120) + "s";
        return chance(2)
                ? timeout
                : "%s, retry: {max_attempts: %d, delay: %dms, backoff_multiplier: 2}"
                        .formatted(timeout, random.nextInt(1, 4), random.nextInt(1, 2_000));
    }

    private Quality quality() {
        var marginal = random.nextInt(2, 7) / 10.0;
        return new Quality(marginal + 0.2, marginal, random.nextInt(1, 4), chance(2));
    }

    private Await await() {
        return new Await(pick(ScriptedNames.SIGNALS), seconds(), afterFailure());
    }

    private long seconds() {
        return chance(2) ? random.nextInt(1, 20) : 0;
    }

    private String afterFailure() {
        return chance(2) ? RandomStep.ABORT : pick(AFTER_FAILURE);
    }

    private Together together(Spot spot, List<Reading> known) {
        var count = random.nextInt(2, 4);
        var branches =
                IntStream.range(0, count)
                        .mapToObj(_ -> list(spot.branch(), new ArrayList<>(known), 1, 2))
                        .toList();
        return new Together(branches, chance(2) ? 0 : random.nextInt(1, count + 1), afterFailure());
    }

    private Work run(Spot spot, List<Reading> known) {
        if (spot.others().isEmpty() && spot.depth() > 0) {
            return act(spot, known);
        }
        var isInner = spot.others().isEmpty() || (spot.depth() == 0 && chance(2));
        var name = spot.card() + ".s" + (number + 1);
        var inner = isInner ? Optional.of(inner(name, spot)) : Optional.<RandomCard>empty();
        return new Run(
                isInner ? name : pick(spot.others()),
                inner,
                reads(known),
                chance(2) ? random.nextInt(0, 4) : -1,
                random.nextInt(1, 3),
                afterFailure());
    }

    /// Its steps have numbers of their own.
    private RandomCard inner(String name, Spot spot) {
        var before = number;
        var inner = draw(name, spot.others(), spot.depth() + 1);
        number = before;
        return inner;
    }
}
