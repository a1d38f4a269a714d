package dev.artel.kernel.annotated;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.InvalidBlueprint;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;

/// Makes blueprints of annotated objects.
///
/// ```java
/// @BlueprintDefinition(name = "greeting", initialData = Guest.class, data = "greeting")
/// final class Greeting {
///     record Guest(String name) {}
///
///     @StateHandler(value = "ask", start = true, on = @On(value = "success", state = "tell"))
///     TaskSpec ask(Guest initialData) {
///         return TaskSpec.of("greet", JsonObject.of("name", JsonValue.of(initialData.name())));
///     }
///
///     @StateHandler("tell")
///     JsonObject tell(String greeting, String jobId) {
///         return JsonObject.of("told", JsonValue.of(greeting + " (" + jobId + ")"));
///     }
/// }
/// ```
///
/// Parameters are injected by name: `jobId`, `initialData`, `stateHistory` (the job's data), `client`, `labels`,
/// `results` and `attempt`; else a data store; else a value of the job's data or of its initial data, in that order. A
/// parameter of type [dev.artel.kernel.blueprint.Step] gets everything.
public final class AnnotatedBlueprint {
    private AnnotatedBlueprint() {}

    /// The blueprint that `definition` writes down; its handlers must be safe for use by many threads.
    ///
    /// @throws InvalidBlueprint with all problems, if there are any
    /// @throws IllegalArgumentException if its class is not marked with [BlueprintDefinition]
    public static Blueprint of(Object definition) {
        var type = definition.getClass();
        var marked = type.getAnnotation(BlueprintDefinition.class);
        if (marked == null) {
            throw new IllegalArgumentException(
                    type.getName()
                            + " is not marked with @BlueprintDefinition; add the annotation");
        }
        var problems = new ArrayList<String>();
        var names = new Names(marked, problems);
        var handlers = handlers(definition, names, problems);
        var blueprint = Blueprint.named(marked.name()).version(marked.version());
        if (names.isTyped()) {
            blueprint.initialData(marked.initialData());
        }
        blueprint.guards(DefinitionGuards.of(marked.guards(), problems));
        if (!marked.onCancel().isEmpty()) {
            blueprint.onCancel(marked.onCancel());
        }
        Arrays.stream(marked.dataStores()).forEach(blueprint::dataStore);
        states(handlers, problems)
                .forEach((state, all) -> {
                    add(blueprint, state, all, problems);
                    HandlerLimits.add(blueprint, state, all, problems);
                });
        Arrays.stream(marked.ends()).forEach(blueprint::end);
        Arrays.stream(marked.failedEnds()).forEach(blueprint::failedEnd);
        problems.forEach(blueprint::refuse);
        return blueprint.build();
    }

    /// The blueprint that an object of `type` writes down, which has a constructor without parameters.
    ///
    /// @throws InvalidBlueprint with all problems, if there are any
    /// @throws IllegalArgumentException if there can be no such object
    public static Blueprint of(Class<?> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return of(constructor.newInstance());
        } catch (NoSuchMethodException | InstantiationException e) {
            throw new IllegalArgumentException(
                    type.getName() + " needs a constructor without parameters", e);
        } catch (IllegalAccessException | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    type.getName() + " is not open to dev.artel.kernel; open its package", e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "the constructor of " + type.getName() + " failed: " + e.getCause(), e);
        }
    }

    private static List<Handler> handlers(Object definition, Names names, List<String> problems) {
        var handlers = new ArrayList<Handler>();
        for (Class<?> type = definition.getClass();
                type != null && type != Object.class;
                type = type.getSuperclass()) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(StateHandler.class))
                    .filter(method -> !method.isBridge())
                    .sorted(Comparator.comparing(Object::toString))
                    .map(method -> Handler.of(definition, method, names, problems))
                    .forEach(handlers::add);
        }
        return handlers;
    }

    /// The handlers of each state, the start first, each state's in the order of their conditions.
    private static SequencedMap<String, List<Handler>> states(
            List<Handler> handlers, List<String> problems) {
        var states = new LinkedHashMap<String, List<Handler>>();
        handlers.stream()
                .sorted(
                        Comparator.comparing((Handler handler) -> !handler.marked().start())
                                .thenComparing(handler -> handler.marked().value())
                                .thenComparing(handler -> handler.marked().when().isEmpty())
                                .thenComparingInt(handler -> handler.marked().order()))
                .forEach(handler ->
                        states.computeIfAbsent(handler.marked().value(), _ -> new ArrayList<>())
                                .add(handler));
        if (states.isEmpty()) {
            problems.add("it has no method marked with @StateHandler");
        }
        return states;
    }

    private static void add(
            Blueprint.Builder blueprint,
            String state,
            List<Handler> handlers,
            List<String> problems) {
        if (handlers.stream().anyMatch(handler -> handler.marked().start())) {
            blueprint.start(state);
        } else {
            blueprint.state(state);
        }
        var next = new LinkedHashSet<String>();
        var orders = new LinkedHashSet<Integer>();
        for (var handler : handlers) {
            next.addAll(handler.next());
            var condition = handler.marked().when();
            if (condition.isEmpty()) {
                blueprint.otherwise(handler);
            } else {
                blueprint.when(condition, handler);
                if (!orders.add(handler.marked().order())) {
                    problems.add(
                            "state '"
                                    + state
                                    + "' has several conditions with the order "
                                    + handler.marked().order()
                                    + "; give each its own, the lowest is tried first");
                }
            }
        }
        blueprint.leadingTo(next.toArray(String[]::new));
        var pure = handlers.stream().filter(handler -> handler.marked().pure()).count();
        if (pure == handlers.size()) {
            blueprint.pure();
        } else if (pure > 0) {
            problems.add(
                    "state '"
                            + state
                            + "' has handlers that are pure and others that are not; say pure with"
                            + " each of them, or with none");
        }
    }
}
