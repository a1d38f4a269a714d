package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.BranchSpec;
import dev.artel.kernel.blueprint.Deadline;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.compensation.Compensation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks that an action leads only where its state declares.
final class Transitions {
    private Transitions() {}

    /// What is wrong with `action`, in a sentence; empty if nothing is.
    static Optional<String> problem(State state, Action action) {
        return targets(action).stream()
                .filter(target -> !state.next().contains(target))
                .findFirst()
                .map(target ->
                        "the handler of state '"
                                + state.name()
                                + "' leads to '"
                                + target
                                + "', and the blueprint declares that it leads to "
                                + state.next()
                                + "; add it to leadingTo");
    }

    private static List<String> targets(Action action) {
        return switch (action) {
            case Action.TransitionTo(var next, var _) -> List.of(next);
            case Action.ContinueAsNew(var next, var _) -> List.of(next);
            case Action.DispatchTask(var _, var on, var _) -> List.copyOf(on.states().values());
            case Action.DispatchParallel p -> joined(List.of(p.join()), p.otherwise());
            case Action.Fork(var branchSpecs, var _, var join, var otherwise, var _) -> {
                var targets = new ArrayList<>(branchSpecs.stream().map(BranchSpec::start).toList());
                targets.add(join);
                yield joined(targets, otherwise);
            }
            case Action.Compensable(var waiting, Compensation.ByState(var compensate, var _)) -> {
                var targets = new ArrayList<>(targets(waiting));
                targets.add(compensate);
                yield targets;
            }
            case Action.Compensable(var waiting, Compensation.ByTask _) -> targets(waiting);
            case Action.RunBlueprint run -> List.copyOf(run.on().states().values());
            case Action.RunBlueprints run -> joined(List.of(run.join()), run.otherwise());
            case Action.Wait(var _, var next, var _) -> List.of(next);
            case Action.WaitUntil(var _, var next, var _) -> List.of(next);
            case Action.AwaitSignal(var _, var next, var deadline, var _) ->
                    joined(List.of(next), deadline.map(Deadline::state));
            case Action.AwaitApproval(var _, var _, var choices, var deadline, var _, var _) ->
                    joined(
                            List.copyOf(choices.states().sequencedValues()),
                            deadline.map(Deadline::state));
            case Action.EndBranch _, Action.Finish _, Action.ReplaceDefinition _ -> List.of();
        };
    }

    private static List<String> joined(List<String> targets, Optional<String> otherwise) {
        var all = new ArrayList<>(targets);
        otherwise.ifPresent(all::add);
        return all;
    }
}
