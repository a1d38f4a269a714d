package dev.artel.blueprint.annotated;

import dev.artel.blueprint.BranchEnd;
import dev.artel.blueprint.ForkCall;
import dev.artel.blueprint.KernelBridge;
import dev.artel.blueprint.NewRun;
import dev.artel.blueprint.SleepCall;
import dev.artel.blueprint.StartCall;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Outcomes;
import java.util.List;

/// The actions of what handlers return beside calls and waits: time, branches, new runs, and jobs that live by themselves.
final class Moves {
    private Moves() {}

    /// Whether values of `type` are such.
    static boolean isMove(Class<?> type) {
        return SleepCall.class.isAssignableFrom(type)
                || type == ForkCall.class
                || type == BranchEnd.class
                || type == NewRun.class
                || type == StartCall.class;
    }

    /// Adds to `problems` what is wrong with where a handler leads that returns a move.
    static void check(Marked marked, List<String> problems) {
        var type = marked.method().getReturnType();
        var next = List.of(marked.handler().leadsTo());
        var returns = marked + " returns a " + type.getSimpleName();
        if (type == BranchEnd.class) {
            if (!marked.next().isEmpty()) {
                problems.add(
                        returns
                                + ", which ends the branch, and leads to "
                                + marked.next()
                                + "; remove where it leads");
            }
            return;
        }
        if (next.size() != 1) {
            problems.add(
                    returns
                            + "; leadsTo must name the one state "
                            + follows(type)
                            + ", is "
                            + next);
        }
        if (type == StartCall.class) {
            OutcomeWords.check(marked, List.of(Outcomes.STARTED, Outcomes.FAILED), problems);
        }
        if (type == ForkCall.class && marked.handler().branches().length == 0) {
            problems.add(
                    returns
                            + " and does not name the states in which branches begin; add branches");
        }
    }

    private static String follows(Class<?> type) {
        if (type == ForkCall.class) {
            return "that joins its branches";
        }
        return type == NewRun.class ? "in which the new run begins" : "that follows";
    }

    /// Makes the transition that `move` stands for.
    static Action action(Marked marked, Object move) {
        return switch (move) {
            case SleepCall.Pause(var time) -> Action.waitFor(time, next(marked));
            case SleepCall.Until(var instant) -> Action.waitUntil(instant, next(marked));
            case BranchEnd(var failure) ->
                    failure.map(Action::failBranch).orElseGet(Action::endBranch);
            case NewRun(var data) -> Action.continueAsNew(next(marked), data);
            case StartCall start -> start(marked, start);
            case ForkCall fork -> fork(marked, fork);
            default -> throw new IllegalStateException(marked + " returned " + move);
        };
    }

    private static String next(Marked marked) {
        return marked.handler().leadsTo()[0];
    }

    private static Action start(Marked marked, StartCall start) {
        var job = start.job();
        var run =
                KernelBridge.change(job)
                        .apply(
                                Action.startBlueprint(
                                        KernelBridge.blueprint(job),
                                        KernelBridge.input(job),
                                        next(marked)));
        return marked.on().after(Outcomes.FAILED).map(run::otherwise).orElse(run);
    }

    private static Action fork(Marked marked, ForkCall call) {
        var known = List.of(marked.handler().branches());
        for (var start : call.starts()) {
            if (!known.contains(start)) {
                throw new IllegalStateException(
                        marked
                                + " returned a fork with a branch that begins in '"
                                + start
                                + "', and its branches are "
                                + known
                                + "; add it to branches");
            }
        }
        var handler = marked.handler();
        var fork = Action.fork(call.starts(), next(marked)).withPolicy(Calls.policy(handler));
        return handler.otherwise().isEmpty() ? fork : fork.otherwise(handler.otherwise());
    }
}
