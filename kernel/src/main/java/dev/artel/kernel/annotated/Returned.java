package dev.artel.kernel.annotated;

import dev.artel.json.JsonObject;
import dev.artel.json.bind.Writing;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a handler's return value makes happen.
@FunctionalInterface
interface Returned {
    /// The action of `value`.
    ///
    /// @throws IllegalStateException if it is null and must not be
    Action action(@Nullable Object value);

    /// What values of `method` make happen; what is wrong is added to `problems`.
    static Returned of(Method method, StateHandler marked, Outcomes on, List<String> problems) {
        var where = "handler " + method.getName() + " ";
        var type = method.getReturnType();
        var next = List.of(marked.leadsTo());
        if (type == TaskSpec.class) {
            if (marked.on().length == 0) {
                problems.add(where + "returns a task and does not say what follows; add on");
            }
            return value -> Action.dispatch((TaskSpec) given(method, value), on);
        }
        if (marked.on().length > 0 && !Action.class.isAssignableFrom(type)) {
            problems.add(where + "has outcomes in on and returns no task; use leadsTo");
        }
        if (Action.class.isAssignableFrom(type)) {
            return value -> (Action) given(method, value);
        }
        if (type == String.class) {
            if (next.isEmpty()) {
                problems.add(where + "returns a state and does not say which; add leadsTo");
            }
            return value -> Action.transitionTo((String) given(method, value));
        }
        if (isTasks(method.getGenericReturnType())) {
            if (next.size() != 1) {
                problems.add(
                        where + "returns tasks; leadsTo must name the one state that joins them");
                return value -> Action.fail(String.valueOf(value));
            }
            return value -> Action.dispatchParallel(tasks(given(method, value)), next.getFirst());
        }
        if (type == void.class || type == JsonObject.class || type.isRecord()) {
            if (next.size() > 1) {
                problems.add(
                        where
                                + "returns no action and may lead to "
                                + next
                                + "; let it return the name of the state");
            }
            return value -> onward(next, object(method, value));
        }
        problems.add(
                where
                        + "returns "
                        + type.getSimpleName()
                        + "; return an Action, a TaskSpec, a List<TaskSpec>, the name of a state, a"
                        + " record, a JsonObject or nothing");
        return value -> Action.fail(String.valueOf(value));
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

    private static boolean isTasks(Type type) {
        return type instanceof ParameterizedType list
                && list.getRawType() == List.class
                && list.getActualTypeArguments()[0] == TaskSpec.class;
    }

    private static List<TaskSpec> tasks(Object value) {
        var tasks = new ArrayList<TaskSpec>();
        for (var task : (List<?>) value) {
            tasks.add((TaskSpec) task);
        }
        return tasks;
    }
}
