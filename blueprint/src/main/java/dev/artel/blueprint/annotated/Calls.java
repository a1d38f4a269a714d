package dev.artel.blueprint.annotated;

import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.KernelBridge;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.function.CallCompensation;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The actions that run the tasks and children that handlers return.
final class Calls {
    /// The word by which a worker reports a failure, and by which no task ends.
    private static final String NO_OUTCOME = "failure";

    private Calls() {}

    /// Whether values of `type` are tasks or children.
    static boolean isCall(Class<?> type) {
        return type == TaskCall.class || type == ChildCall.class;
    }

    /// Adds to `problems` what is wrong with the outcomes of a handler that returns a call.
    static void check(Marked marked, List<String> problems) {
        var type = marked.method().getReturnType();
        if (marked.on().states().isEmpty()) {
            problems.add(
                    marked
                            + " returns a "
                            + type.getSimpleName()
                            + " and does not define what follows; add leadsTo, or on");
        }
        if (type == ChildCall.class) {
            OutcomeWords.check(
                    marked,
                    List.of(Outcomes.FINISHED, Outcomes.FAILED, Outcomes.CANCELLED),
                    problems);
        } else if (marked.on().after(NO_OUTCOME).isPresent()) {
            problems.add(
                    marked
                            + " defines what follows '"
                            + NO_OUTCOME
                            + "', which no task ends with; the nearest is '"
                            + Outcomes.FAILED
                            + "'; correct it");
        }
    }

    /// Runs `call`, a task or a child.
    static Action one(Marked marked, Object call) {
        var as = marked.handler().resultAs();
        if (call instanceof ChildCall<?> child) {
            var run =
                    KernelBridge.change(child)
                            .apply(
                                    Action.runBlueprint(
                                            KernelBridge.blueprint(child),
                                            KernelBridge.input(child),
                                            marked.on()));
            return compensated(
                    marked,
                    as.isEmpty() ? run : run.as(as),
                    List.of(KernelBridge.compensation(child)));
        }
        var task = KernelBridge.task((TaskCall<?>) call);
        return compensated(
                marked,
                Action.dispatch(as.isEmpty() ? task : task.withResultAs(as), marked.on()),
                List.of(compensation(call)));
    }

    /// Runs all of `calls`, tasks or children of one blueprint, and goes to `join`.
    static Action all(Marked marked, List<?> calls, String join) {
        calls.forEach(call -> Objects.requireNonNull(call, marked + " returned null in its list"));
        var compensations = calls.stream().map(Calls::compensation).distinct().toList();
        return compensated(
                marked,
                calls.stream().anyMatch(ChildCall.class::isInstance)
                        ? children(marked, calls, join)
                        : tasks(
                                marked,
                                calls.stream()
                                        .map(call -> KernelBridge.task((TaskCall<?>) call))
                                        .toList(),
                                join),
                compensations);
    }

    private static Action tasks(Marked marked, List<TaskSpec> tasks, String join) {
        var handler = marked.handler();
        var all = Action.dispatchParallel(tasks, join).withPolicy(policy(handler));
        var some = handler.window() == 0 ? all : all.withWindow(handler.window());
        return handler.otherwise().isEmpty() ? some : some.otherwise(handler.otherwise());
    }

    private static Action children(Marked marked, List<?> calls, String join) {
        var handler = marked.handler();
        var first = (ChildCall<?>) calls.getFirst();
        var inputs =
                calls.stream()
                        .map(call -> (ChildCall<?>) call)
                        .map(child -> {
                            if (!KernelBridge.blueprint(child)
                                    .equals(KernelBridge.blueprint(first))) {
                                throw new IllegalStateException(
                                        marked
                                                + " returned children of the blueprints "
                                                + KernelBridge.blueprint(first)
                                                + " and "
                                                + KernelBridge.blueprint(child)
                                                + "; a state runs children of one, so give each blueprint a state");
                            }
                            return KernelBridge.input(child);
                        })
                        .toList();
        var all =
                Action.runBlueprints(KernelBridge.blueprint(first), inputs, join)
                        .each(KernelBridge.change(first))
                        .withPolicy(policy(handler));
        var some = handler.window() == 0 ? all : all.withWindow(handler.window());
        return handler.otherwise().isEmpty() ? some : some.otherwise(handler.otherwise());
    }

    /// When what a handler runs together is joined.
    static JoinPolicy policy(StateHandler handler) {
        if (handler.atLeast() > 0) {
            return JoinPolicy.atLeast(handler.atLeast());
        }
        return switch (handler.policy()) {
            case ALL -> JoinPolicy.ALL;
            case FAIL_FAST -> JoinPolicy.FAIL_FAST;
            case SETTLED -> JoinPolicy.SETTLED;
        };
    }

    private static Optional<CallCompensation> compensation(Object call) {
        return switch (call) {
            case TaskCall<?> task -> KernelBridge.compensation(task);
            case ChildCall<?> child -> KernelBridge.compensation(child);
            default -> Optional.empty();
        };
    }

    private static Action compensated(
            Marked marked, Action action, List<Optional<CallCompensation>> by) {
        if (by.size() > 1) {
            throw new IllegalStateException(
                    marked
                            + " returned calls with "
                            + by.size()
                            + " different compensations; what a state runs together is compensated by one task");
        }
        var state = marked.handler().compensatedBy();
        if (!state.isEmpty()) {
            if (by.stream().anyMatch(Optional::isPresent)) {
                throw new IllegalStateException(
                        marked
                                + " returned a call with a compensation, and names state '"
                                + state
                                + "' in compensatedBy; keep one of them");
            }
            return KernelBridge.compensated(action, state);
        }
        return switch (by.stream().flatMap(Optional::stream).findFirst().orElse(null)) {
            case CallCompensation.ByTask(var task) ->
                    new Action.Compensable(action, new Compensation.ByTask(task));
            case CallCompensation.ByResult _, CallCompensation.EachByResult _ ->
                    throw new IllegalStateException(
                            marked
                                    + " returned a call that is compensated by its result, which code of functions makes"
                                    + " when it comes to that; name a state in compensatedBy, whose handler gets the"
                                    + " result");
            case null -> action;
        };
    }
}
