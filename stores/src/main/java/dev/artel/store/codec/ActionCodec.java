package dev.artel.store.codec;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.BranchSpec;
import dev.artel.kernel.blueprint.Replacement;
import java.io.IOException;
import java.util.List;

/// The form of actions.
final class ActionCodec {
    private ActionCodec() {}

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
            case Action.ReplaceDefinition(var by, var _) -> {
                out.text("kind", "replaceDefinition");
                switch (by) {
                    case Replacement.Written(var text) -> out.text("text", text);
                    case Replacement.Known(
                                    var blueprint,
                                    var start,
                                    var guards,
                                    var cancelState) -> {
                        JobCodec.writeBlueprint("blueprint", blueprint, out);
                        out.text("start", start);
                        ChildrenCodec.writeGuards(guards, out);
                        out.text("cancelState", cancelState);
                    }
                }
            }
            case Action.DispatchTask(var task, var on, var _) -> {
                out.text("kind", "dispatchTask");
                TaskCodec.writeSpec("task", task, out);
                JobCodec.writeOutcomes("on", on, out);
            }
            case Action.DispatchParallel(
                            var tasks,
                            var window,
                            var policy,
                            var join,
                            var otherwise,
                            var _) -> {
                out.text("kind", "dispatchParallel");
                TaskCodec.writeSpecs("tasks", tasks, out);
                out.number("window", window);
                JobCodec.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case Action.Fork(var branchSpecs, var policy, var join, var otherwise, var _) -> {
                out.text("kind", "fork");
                out.texts("starts", branchSpecs.stream().map(BranchSpec::start).toList());
                JobCodec.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
            case Action.EndBranch(var failure, var _) -> {
                out.text("kind", "endBranch");
                out.text("failure", failure);
            }
            case Action.Compensable(var waiting, var by) -> {
                out.text("kind", "compensable");
                writeAction("action", waiting, out);
                CompensationCodec.writeCompensation("by", by, out);
            }
            case Action.RunBlueprint run -> {
                out.text("kind", "runBlueprint");
                ChildrenCodec.writeRun(run, out);
            }
            case Action.RunBlueprints runs -> {
                out.text("kind", "runBlueprints");
                ChildrenCodec.writeRuns(runs, out);
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
                WaitCodec.writeDeadline(deadline, out);
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
                WaitCodec.writeApprovers(approvers, out);
                JobCodec.writeOutcomes("choices", choices, out);
                WaitCodec.writeDeadline(deadline, out);
                out.text("tokenDigest", tokenDigest);
            }
            case Action.Finish(var outcome, var _) -> {
                out.text("kind", "finish");
                JobCodec.writeOutcome("outcome", outcome, out);
            }
        }
        if (!(action instanceof Action.Compensable)) {
            JobCodec.writeValues("changes", action.changes(), out);
        }
        out.end();
    }

    private static Replacement readReplacement(JsonIn in) throws IOException {
        var text = in.optionalText("text");
        return text.isPresent()
                ? new Replacement.Written(text.get())
                : new Replacement.Known(
                        JobCodec.readBlueprint("blueprint", in),
                        in.text("start"),
                        ChildrenCodec.readGuards(in),
                        in.optionalText("cancelState"));
    }

    static Action readAction(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var action =
                switch (kind) {
                    case "transitionTo" ->
                            new Action.TransitionTo(
                                    in.text("state"), JobCodec.readValues("changes", in));
                    case "continueAsNew" ->
                            new Action.ContinueAsNew(
                                    in.text("state"), JobCodec.readValues("changes", in));
                    case "replaceDefinition" ->
                            new Action.ReplaceDefinition(
                                    readReplacement(in), JobCodec.readValues("changes", in));
                    case "dispatchTask" ->
                            new Action.DispatchTask(
                                    TaskCodec.readSpec("task", in),
                                    JobCodec.readOutcomes("on", in),
                                    JobCodec.readValues("changes", in));
                    case "dispatchParallel" ->
                            new Action.DispatchParallel(
                                    TaskCodec.readSpecs("tasks", in),
                                    in.integer("window"),
                                    JobCodec.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    JobCodec.readValues("changes", in));
                    case "fork" ->
                            new Action.Fork(
                                    branches(in.texts("starts")),
                                    JobCodec.readPolicy("policy", in),
                                    in.text("join"),
                                    in.optionalText("otherwise"),
                                    JobCodec.readValues("changes", in));
                    case "endBranch" ->
                            new Action.EndBranch(
                                    in.optionalText("failure"), JobCodec.readValues("changes", in));
                    case "compensable" ->
                            new Action.Compensable(
                                    readAction("action", in),
                                    CompensationCodec.readCompensation("by", in));
                    case "runBlueprints" -> ChildrenCodec.readRuns(in);
                    case "runBlueprint" -> ChildrenCodec.readRun(in);
                    case "wait" ->
                            new Action.Wait(
                                    in.duration("duration"),
                                    in.text("next"),
                                    JobCodec.readValues("changes", in));
                    case "waitUntil" ->
                            new Action.WaitUntil(
                                    in.instant("instant"),
                                    in.text("next"),
                                    JobCodec.readValues("changes", in));
                    case "awaitSignal" ->
                            new Action.AwaitSignal(
                                    in.text("signal"),
                                    in.text("next"),
                                    WaitCodec.readDeadline(in),
                                    JobCodec.readValues("changes", in));
                    case "awaitApproval" ->
                            new Action.AwaitApproval(
                                    in.text("message"),
                                    WaitCodec.readApprovers(in),
                                    JobCodec.readOutcomes("choices", in),
                                    WaitCodec.readDeadline(in),
                                    in.optionalText("tokenDigest"),
                                    JobCodec.readValues("changes", in));
                    case "finish" ->
                            new Action.Finish(
                                    JobCodec.readOutcome("outcome", in),
                                    JobCodec.readValues("changes", in));
                    default -> throw in.found("action \"" + kind + "\"", "a kind of action");
                };
        in.end();
        return action;
    }

    private static List<BranchSpec> branches(List<String> starts) {
        return starts.stream().map(BranchSpec::new).toList();
    }
}
