package dev.artel.simulation.card;

import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.OnExhausted;
import dev.artel.kernel.budget.Spending;
import dev.artel.simulation.card.RandomStep.Act;
import dev.artel.simulation.card.RandomStep.Ask;
import dev.artel.simulation.card.RandomStep.Await;
import dev.artel.simulation.card.RandomStep.Choose;
import dev.artel.simulation.card.RandomStep.Complete;
import dev.artel.simulation.card.RandomStep.Pause;
import dev.artel.simulation.card.RandomStep.Quality;
import dev.artel.simulation.card.RandomStep.Run;
import dev.artel.simulation.card.RandomStep.Together;
import dev.artel.simulation.world.Mutant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Writes a [RandomCard] in YAML. A planted bug is one of what reads and compiles cards: its card is written as it would be understood.
final class CardText {
    /// The member of the parameters of a task that has all that its process sees.
    static final String SEEN = "seen";

    /// The member of the parameters of a compensation that names the step.
    static final String UNDO = "undo";

    private static final int MANY_ROUNDS = 10;

    private final Optional<Mutant> mutant;

    /// @param mutant a bug that is planted
    CardText(Optional<Mutant> mutant) {
        this.mutant = mutant;
    }

    private boolean has(Mutant bug) {
        return mutant.filter(planted -> planted == bug).isPresent();
    }

    /// The text of `card`.
    String of(RandomCard card) {
        return "metadata: {name: %s, version: %s, spec_version: '2.0'}\nspec: %s\n"
                .formatted(card.name(), RandomCard.VERSION, spec(card));
    }

    private String spec(RandomCard card) {
        var keys = new ArrayList<String>();
        keys.add(
                "variables: {"
                        + card.places().values().stream()
                                .filter(place -> place.step().work() instanceof Act)
                                .map(place -> place.step().variable() + ": {made: 0}")
                                .collect(Collectors.joining(", "))
                        + "}");
        card.budget()
                .filter(_ -> !has(Mutant.CARD_BUDGET_FORGOTTEN))
                .ifPresent(budget -> keys.add("budget: {" + budget(budget) + "}"));
        if (card.maxDepth().isPresent() && !has(Mutant.CARD_DEPTH_FORGOTTEN)) {
            keys.add("subprocess_config: {max_depth: " + card.maxDepth().getAsInt() + "}");
        }
        keys.add("steps: " + steps(card.steps()));
        return "{\n    " + String.join(",\n    ", keys) + "\n  }";
    }

    private static String budget(Budget budget) {
        var keys = new ArrayList<String>();
        if (budget.limits().nanoUsd() != Spending.UNLIMITED) {
            keys.add("max_cost_usd: '" + Spending.usd(budget.limits().nanoUsd()) + "'");
        }
        if (budget.limits().of(BudgetLimit.CALLS) != Spending.UNLIMITED) {
            keys.add("max_llm_calls: " + budget.limits().of(BudgetLimit.CALLS));
        }
        if (budget.onExhausted() == OnExhausted.REQUEST_EXTENSION) {
            keys.add("on_budget_exhausted: request_extension");
        }
        return String.join(", ", keys);
    }

    private String steps(List<RandomStep> steps) {
        return steps.stream()
                .map(step -> step(step, steps))
                .collect(Collectors.joining(",\n      ", "[", "]"));
    }

    /// The steps on which `step` depends; with the bug those that depend on it.
    private List<String> needs(RandomStep step, List<RandomStep> list) {
        return has(Mutant.CARD_DEPENDENCIES_REVERSED)
                ? list.stream()
                        .filter(other -> other.needs().contains(step.id()))
                        .map(RandomStep::id)
                        .toList()
                : step.needs();
    }

    private String step(RandomStep step, List<RandomStep> list) {
        var keys = new ArrayList<String>();
        keys.add("id: " + step.id());
        var needs = needs(step, list);
        if (!needs.isEmpty()) {
            keys.add("depends_on: [" + String.join(", ", needs) + "]");
        }
        if (has(Mutant.CARD_STEP_REPEATED)
                && step.work() instanceof Act
                && step.needs().isEmpty()
                && step.next().isPresent()) {
            keys.add("next: " + step.id());
        } else {
            step.next().ifPresent(next -> keys.add("next: " + next));
        }
        switch (step.work()) {
            case Act act -> act(step, act, keys);
            case Choose choose -> {
                keys.add("condition: '%s >= %d'".formatted(reference(choose), choose.least()));
                keys.add("then: " + choose.then());
                choose.otherwise().ifPresent(otherwise -> keys.add("else: " + otherwise));
            }
            case Pause(long millis) -> keys.add("duration: " + millis + "ms");
            case Await await -> {
                keys.add(
                        "event: "
                                + await.event()
                                + (has(Mutant.CARD_EVENT_CHANGED) ? ".changed" : ""));
                keys.add("output: " + step.variable());
                timeout(await.seconds(), await.onTimeout(), keys);
            }
            case Ask ask -> {
                keys.add("message: 'May ${step_id} be left?'");
                keys.add("on_reject: " + ask.onReject());
                keys.add("output: " + step.variable());
                timeout(ask.seconds(), ask.onReject(), keys);
            }
            case Together together -> {
                keys.add(
                        "branches: "
                                + together.branches().stream()
                                        .map(this::steps)
                                        .collect(Collectors.joining(",\n      ", "[", "]")));
                keys.add("on_failure: " + together.onFailure());
                if (together.required() > 0) {
                    keys.add("wait_for: " + together.required());
                }
                keys.add("output: " + step.variable());
            }
            case Run run -> run(step, run, keys);
            case Complete complete -> {
                keys.add("type: complete");
                keys.add("status: " + complete.status());
                keys.add("result: {made: \"" + complete.reads().reference() + "\"}");
            }
        }
        return "{" + String.join(", ", keys) + "}";
    }

    private static String reference(Choose choose) {
        return choose.reads().reference();
    }

    private static void timeout(long seconds, String onTimeout, List<String> keys) {
        if (seconds > 0) {
            keys.add("timeout: " + seconds + "s");
            keys.add("on_timeout: " + onTimeout);
        }
    }

    private void act(RandomStep step, Act act, List<String> keys) {
        keys.add("action: " + act.action());
        keys.add("params: {n: \"%s\", %s: \"${input}\"}".formatted(act.reads().reference(), SEEN));
        keys.add("output: " + step.variable());
        keys.add("on_failure: " + act.onFailure());
        if (!act.more().isEmpty()) {
            keys.add(act.more());
        }
        act.quality().ifPresent(quality -> keys.add(quality(act, quality)));
        if (act.isCompensated() && !has(Mutant.CARD_COMPENSATION_FORGOTTEN)) {
            var undone = has(Mutant.CARD_COMPENSATIONS_SWAPPED) ? "s0" : step.id();
            keys.add(
                    "compensation: {action: %s, params: {%s: %s, made: \"${%s.made}\"}}"
                            .formatted(act.action(), UNDO, undone, step.variable()));
        }
    }

    private String quality(Act act, Quality quality) {
        return "quality: {action: %s, thresholds: {pass: %s, marginal: %s}, max_iterations: %d, retry_on_marginal: %s}"
                .formatted(
                        act.action(),
                        quality.pass(),
                        quality.marginal(),
                        has(Mutant.CARD_ROUNDS_UNCOUNTED) ? MANY_ROUNDS : quality.most(),
                        quality.isMarginalRetried());
    }

    private void run(RandomStep step, Run run, List<String> keys) {
        keys.add(
                run.inner()
                        .map(inner -> "subprocess: " + spec(inner))
                        .orElse("subprocess_ref: " + run.card() + "@" + RandomCard.VERSION));
        var inputs = "number: \"" + run.reads().reference() + "\"";
        if (run.isLoop()) {
            keys.add("type: subprocess_loop");
            keys.add("loop: {count: %d, max_parallel: %d}".formatted(run.times(), run.atOnce()));
            inputs += ", index: \"${loop.index}\"";
        }
        if (has(Mutant.CARD_INPUT_LEAKED)) {
            inputs += ", process: \"${process_id}\"";
        }
        keys.add("subprocess_inputs: {" + inputs + "}");
        keys.add("output: " + (has(Mutant.CARD_OUTPUT_MISPLACED) ? "v0" : step.variable()));
        keys.add("on_failure: " + run.onFailure());
    }
}
