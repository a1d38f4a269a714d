package dev.artel.blueprint.annotated;

import dev.artel.blueprint.ForkCall;
import dev.artel.blueprint.StartCall;
import dev.artel.blueprint.StateHandler;
import dev.artel.json.JsonObject;
import dev.artel.json.bind.Writing;
import dev.artel.kernel.blueprint.Action;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a handler's return value makes happen.
@FunctionalInterface
interface Returned {
    /// The action of `value`.
    ///
    /// @throws IllegalStateException if it is null and must not be
    Action action(@Nullable Object value);

    /// What values of a method make happen; what is wrong is added to `problems`.
    static Returned of(Marked marked, List<String> problems) {
        var method = marked.method();
        var type = method.getReturnType();
        var next = List.of(marked.handler().leadsTo());
        if (Calls.isCall(type)) {
            Calls.check(marked, problems);
            return value -> Calls.one(marked, given(method, value));
        }
        if (Waits.isWait(type)) {
            Waits.check(marked, problems);
            return value -> Waits.action(marked, given(method, value));
        }
        if (!marked.on().states().isEmpty() && type != StartCall.class) {
            problems.add(
                    marked
                            + " has outcomes in on and returns no task, no job, no approval and no signal; use leadsTo");
        }
        if (!marked.handler().resultAs().isEmpty()) {
            problems.add(
                    marked
                            + " has resultAs and returns no task and no child; remove it, or return a TaskCall or a ChildCall");
        }
        if (marked.handler().branches().length > 0 && type != ForkCall.class) {
            problems.add(
                    marked + " has branches and returns no ForkCall; remove them, or return one");
        }
        if (!marked.handler().compensatedBy().isEmpty()
                && !isCalls(method.getGenericReturnType())) {
            problems.add(
                    marked
                            + " has compensatedBy and returns no task and no child; remove it, or return what can be compensated");
        }
        if (marked.handler().atLeast() < 0
                || (marked.handler().atLeast() > 0
                        && marked.handler().policy() != StateHandler.Policy.ALL)) {
            problems.add(
                    marked
                            + " has atLeast = "
                            + marked.handler().atLeast()
                            + " and policy = "
                            + marked.handler().policy()
                            + "; atLeast is a policy of its own and at least 1, so keep one of the two");
        }
        if (Moves.isMove(type)) {
            Moves.check(marked, problems);
            return value -> Moves.action(marked, given(method, value));
        }
        if (type == String.class) {
            if (next.isEmpty()) {
                problems.add(marked + " returns a state and does not name it; add leadsTo");
            }
            return value -> Action.transitionTo((String) given(method, value));
        }
        if (isCalls(method.getGenericReturnType())) {
            if (next.size() != 1) {
                problems.add(
                        marked
                                + " returns a list; leadsTo must name the one state that joins what it runs");
                return value -> Action.fail(String.valueOf(value));
            }
            return value -> Calls.all(marked, (List<?>) given(method, value), next.getFirst());
        }
        if (isData(type)) {
            if (next.size() > 1) {
                problems.add(
                        marked
                                + " returns no state and may lead to "
                                + next
                                + "; let it return the name of the state");
            }
            return value -> onward(next, object(method, value));
        }
        problems.add(
                marked
                        + " returns "
                        + type.getSimpleName()
                        + "; return a TaskCall, a ChildCall, a list of either, a StartCall, an ApprovalCall, a SignalCall,"
                        + " a SleepCall, a ForkCall, a BranchEnd, a NewRun, the name of a state, a record, a JsonObject or"
                        + " nothing");
        return value -> Action.fail(String.valueOf(value));
    }

    /// Whether values of `type` are added to the job's data.
    static boolean isData(Class<?> type) {
        return type == void.class || type == JsonObject.class || type.isRecord();
    }

    private static Action onward(List<String> next, JsonObject data) {
        return next.isEmpty()
                ? Action.finish(data)
                : Action.transitionTo(next.getFirst()).with(data);
    }

    private static JsonObject object(Method method, @Nullable Object value) {
        if (method.getReturnType() == void.class) {
            return JsonObject.EMPTY;
        }
        return (JsonObject) Writing.json(given(method, value));
    }

    private static Object given(Method method, @Nullable Object value) {
        if (value == null) {
            throw new IllegalStateException(
                    "handler " + method.getName() + " returned null; return a value");
        }
        return value;
    }

    private static boolean isCalls(Type type) {
        return type instanceof ParameterizedType list
                && list.getRawType() == List.class
                && Calls.isCall(Types.raw(list.getActualTypeArguments()[0]));
    }
}
