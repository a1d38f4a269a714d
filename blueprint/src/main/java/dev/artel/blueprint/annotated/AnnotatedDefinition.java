package dev.artel.blueprint.annotated;

import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.BranchEnd;
import dev.artel.blueprint.ChoiceState;
import dev.artel.blueprint.StateHandler;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.InvalidBlueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Makes definitions of annotated objects.
public final class AnnotatedDefinition {
    private AnnotatedDefinition() {}

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
        var methods = methods(definition, problems);
        var names = new ParameterNames(marked, methods, problems);
        var handlers =
                methods.stream()
                        .map(method -> HandlerMethod.of(definition, method, names, problems))
                        .toList();
        var choices = List.of(type.getAnnotationsByType(ChoiceState.class));
        var blueprint = Blueprint.named(marked.name()).version(marked.version());
        if (names.isTyped()) {
            blueprint.initialData(marked.initialData());
        }
        blueprint.guards(DefinitionGuards.of(marked.guards(), problems));
        if (!marked.onCancel().isEmpty()) {
            blueprint.onCancel(marked.onCancel());
        }
        Arrays.stream(marked.dataStores()).forEach(blueprint::dataStore);
        result(marked, handlers).ifPresent(blueprint::result);
        choices.stream().filter(ChoiceState::start).forEach(choice -> add(blueprint, choice));
        states(handlers, choices, problems)
                .forEach((state, all) -> {
                    add(blueprint, state, all, problems);
                    HandlerLimits.add(blueprint, state, all, problems);
                });
        choices.stream().filter(it -> !it.start()).forEach(choice -> add(blueprint, choice));
        Arrays.stream(marked.ends()).forEach(blueprint::end);
        Arrays.stream(marked.failedEnds()).forEach(blueprint::failedEnd);
        Arrays.stream(marked.branchEnds())
                .forEach(end -> blueprint.state(end, new EndOfBranch()).pure());
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
                    type.getName() + " is not open to dev.artel.blueprint; open its package", e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "the constructor of " + type.getName() + " failed: " + e.getCause(), e);
        }
    }

    private static List<Marked> methods(Object definition, List<String> problems) {
        var methods = new ArrayList<Marked>();
        for (Class<?> type = definition.getClass();
                type != null && type != Object.class;
                type = type.getSuperclass()) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(StateHandler.class))
                    .filter(method -> !method.isBridge())
                    .sorted(Comparator.comparing(Object::toString))
                    .map(method -> Marked.of(method, problems))
                    .forEach(methods::add);
        }
        return methods;
    }

    /// The type of the result that finished jobs have; empty if they may have several, or one of which nothing is known.
    private static Optional<Class<?>> result(
            BlueprintDefinition marked, List<HandlerMethod> handlers) {
        var results =
                handlers.stream()
                        .filter(handler -> handler.next().isEmpty())
                        .<Class<?>>map(HandlerMethod::returns)
                        .filter(type -> type != BranchEnd.class)
                        .distinct()
                        .toList();
        return results.size() == 1 && results.getFirst().isRecord() && marked.ends().length == 0
                ? Optional.of(results.getFirst())
                : Optional.empty();
    }

    /// The handlers of each state, the start first, each state's in the order of their conditions.
    private static SequencedMap<String, List<HandlerMethod>> states(
            List<HandlerMethod> handlers, List<ChoiceState> choices, List<String> problems) {
        var states = new LinkedHashMap<String, List<HandlerMethod>>();
        handlers.stream()
                .sorted(
                        Comparator.comparing((HandlerMethod handler) -> !handler.marked().start())
                                .thenComparing(handler -> handler.marked().value())
                                .thenComparing(handler -> handler.marked().when().isEmpty())
                                .thenComparingInt(handler -> handler.marked().order()))
                .forEach(handler ->
                        states.computeIfAbsent(handler.marked().value(), _ -> new ArrayList<>())
                                .add(handler));
        if (states.isEmpty()) {
            problems.add("it has no method marked with @StateHandler");
        }
        for (var choice : choices) {
            if (states.remove(choice.value()) != null) {
                problems.add(
                        "state '"
                                + choice.value()
                                + "' is a @ChoiceState and has a @StateHandler; keep one of them");
            }
        }
        return states;
    }

    private static void add(
            Blueprint.Builder blueprint,
            String state,
            List<HandlerMethod> handlers,
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
                            + "' has handlers that are pure and others that are not; set pure with"
                            + " each of them, or with none");
        }
    }

    /// A choice only computes.
    private static void add(Blueprint.Builder blueprint, ChoiceState choice) {
        if (choice.start()) {
            blueprint.start(choice.value());
        } else {
            blueprint.state(choice.value());
        }
        var next = new LinkedHashSet<String>();
        for (var each : choice.when()) {
            blueprint.when(each.value(), new GoTo(each.state()));
            next.add(each.state());
        }
        next.add(choice.otherwise());
        blueprint.otherwise(new GoTo(choice.otherwise()));
        blueprint.leadingTo(next.toArray(String[]::new)).pure();
    }

    private record EndOfBranch() implements StepHandler {
        @Override
        public Action handle(Step step) {
            return Action.endBranch();
        }

        @Override
        public Optional<List<String>> reads() {
            return Optional.of(List.of());
        }
    }

    private record GoTo(String state) implements StepHandler {
        @Override
        public Action handle(Step step) {
            return Action.transitionTo(state);
        }

        @Override
        public Optional<List<String>> reads() {
            return Optional.of(List.of());
        }
    }
}
