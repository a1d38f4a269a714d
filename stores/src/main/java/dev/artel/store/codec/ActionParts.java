package dev.artel.store.codec;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Branch;
import java.io.IOException;
import java.util.List;

/// The form of actions.
final class ActionParts {
    private ActionParts() {}

    static void writeAction(String name, Action action, JsonOut out) throws IOException {
        out.begin(name);
        switch (action) {
            case Action.TransitionTo(var state, var _) -> {
                out.text("kind", "transitionTo");
                out.text("state", state);
            }
            case Action.ContinueAsNew(var state, var _) -> {
                out.text("kind", "continueAsNew");
                out.text("state", state);
            }
            case Action.DispatchTask(var task, var on, var _) -> {
                out.text("kind", "dispatchTask");
                TaskParts.writeSpec("task", task, out);
                JobParts.writeOutcomes("on", on, out);
            }
            case Action.DispatchParallel(
                            var tasks,
                            var window,
                            var policy,
                            var join,
                            var otherwise,
                            var _) -> {
                out.text("kind", "dispatchParallel");
                TaskParts.writeSpecs("tasks", tasks, out);
                out.number("window", window);
                JobParts.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case Action.Fork(var branches, var policy, var join, var otherwise, var _) -> {
                out.text("kind", "fork");
                out.texts("starts", branches.stream().map(Branch::start).toList());
                JobParts.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case Action.EndBranch(var failure, var _) -> {
                out.text("kind", "endBranch");
                out.text("failure", failure);
            }
            case Action.Undoable(var waiting, var by) -> {
                out.text("kind", "undoable");
                writeAction("action", waiting, out);
                UndoParts.writeCompensation("by", by, out);
            }
            case Action.RunBlueprint run -> {
                out.text("kind", "runBlueprint");
                FamilyParts.writeRun(run, out);
            }
            case Action.RunBlueprints runs -> {
                out.text("kind", "runBlueprints");
                FamilyParts.writeRuns(runs, out);
            }
            case Action.Wait(var duration, var next, var _) -> {
                out.text("kind", "wait");
                out.duration("duration", duration);
                out.text("next", next);
            }
            case Action.WaitUntil(var instant, var next, var _) -> {
                out.text("kind", "waitUntil");
                out.instant("instant", instant);
                out.text("next", next);
            }
            case Action.AwaitSignal(var signal, var next, var deadline, var _) -> {
                out.text("kind", "awaitSignal");
                out.text("signal", signal);
                out.text("next", next);
                OutsideParts.writeDeadline(deadline, out);
            }
            case Action.AwaitApproval(
                            var message,
                            var approvers,
                            var choices,
                            var deadline,
                            var tokenDigest,
                            var _) -> {
                out.text("kind", "awaitApproval");
                out.text("message", message);
                OutsideParts.writeApprovers(approvers, out);
                JobParts.writeOutcomes("choices", choices, out);
                OutsideParts.writeDeadline(deadline, out);
                out.text("tokenDigest", tokenDigest);
            }
            case Action.Finish(var outcome, var _) -> {
                out.text("kind", "finish");
                JobParts.writeOutcome("outcome", outcome, out);
            }
        }
        if (!(action instanceof Action.Undoable)) {
            JobParts.writeValues("changes", action.changes(), out);
        }
        out.end();
    }

    static Action readAction(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var action =
                switch (kind) {
                    case "transitionTo" ->
                            new Action.TransitionTo(
                                    in.text("state"), JobParts.readValues("changes", in));
                    case "continueAsNew" ->
                            new Action.ContinueAsNew(
                                    in.text("state"), JobParts.readValues("changes", in));
                    case "dispatchTask" ->
                            new Action.DispatchTask(
                                    TaskParts.readSpec("task", in),
                                    JobParts.readOutcomes("on", in),
                                    JobParts.readValues("changes", in));
                    case "dispatchParallel" ->
                            new Action.DispatchParallel(
                                    TaskParts.readSpecs("tasks", in),
                                    in.integer("window"),
                                    JobParts.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    JobParts.readValues("changes", in));
                    case "fork" ->
                            new Action.Fork(
                                    branches(in.texts("starts")),
                                    JobParts.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    JobParts.readValues("changes", in));
                    case "endBranch" ->
                            new Action.EndBranch(
                                    in.optionalText("failure"), JobParts.readValues("changes", in));
                    case "undoable" ->
                            new Action.Undoable(
                                    readAction("action", in), UndoParts.readCompensation("by", in));
                    case "runBlueprints" -> FamilyParts.readRuns(in);
                    case "runBlueprint" -> FamilyParts.readRun(in);
                    case "wait" ->
                            new Action.Wait(
                                    in.duration("duration"),
                                    in.text("next"),
                                    JobParts.readValues("changes", in));
                    case "waitUntil" ->
                            new Action.WaitUntil(
                                    in.instant("instant"),
                                    in.text("next"),
                                    JobParts.readValues("changes", in));
                    case "awaitSignal" ->
                            new Action.AwaitSignal(
                                    in.text("signal"),
                                    in.text("next"),
                                    OutsideParts.readDeadline(in),
                                    JobParts.readValues("changes", in));
                    case "awaitApproval" ->
                            new Action.AwaitApproval(
                                    in.text("message"),
                                    OutsideParts.readApprovers(in),
                                    JobParts.readOutcomes("choices", in),
                                    OutsideParts.readDeadline(in),
                                    in.optionalText("tokenDigest"),
                                    JobParts.readValues("changes", in));
                    case "finish" ->
                            new Action.Finish(
                                    JobParts.readOutcome("outcome", in),
                                    JobParts.readValues("changes", in));
                    default -> throw in.found("action \"" + kind + "\"", "a kind of action");
                };
        in.end();
        return action;
    }

    private static List<Branch> branches(List<String> starts) {
        return starts.stream().map(Branch::new).toList();
    }
}
