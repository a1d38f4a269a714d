package dev.artel.blueprint.annotated;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.ApprovalDecision;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.ChildResult;
import dev.artel.blueprint.DataStore;
import dev.artel.blueprint.Failure;
import dev.artel.blueprint.KernelBridge;
import dev.artel.blueprint.Param;
import dev.artel.blueprint.TaskResult;
import dev.artel.blueprint.ValueType;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Binding;
import dev.artel.json.bind.Unfit;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.Step;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The names of a definition that the parameters of its handlers may have.
final class ParameterNames {
    /// The parameter that has the last decision of a person.
    private static final String APPROVAL = "approval";

    /// The names that mean the same in each definition, whatever the job's data have under them.
    private static final List<String> TAKEN =
            List.of(
                    "jobId",
                    "initialData",
                    "stateHistory",
                    "client",
                    "clientPlan",
                    "clientParams",
                    "labels",
                    "results",
                    "attempt");

    private final String blueprint;
    private final Class<? extends Record> initialData;
    private final SequencedSet<String> dataStores;

    /// The names of values, as they may be written.
    private final SequencedSet<String> values = new LinkedHashSet<>();

    /// The states that join what lists of calls have run.
    private final SequencedSet<String> joining = new LinkedHashSet<>();

    private final List<String> problems;
    private final SequencedMap<String, Known> known = known();

    /// @param types what a parameter of the name may be
    private record Known(List<Class<?>> types, Argument argument) {}

    /// The results that handlers keep, by the name that they have in the job's data.
    private final SequencedMap<String, Marked> results = new LinkedHashMap<>();

    /// @param handlers whose results have names
    ParameterNames(BlueprintDefinition marked, List<Marked> handlers, List<String> problems) {
        this.blueprint = marked.name();
        this.initialData = marked.initialData();
        this.dataStores = new LinkedHashSet<>(List.of(marked.dataStores()));
        this.problems = problems;
        values.addAll(List.of(marked.data()));
        handlers.forEach(this::keep);
        handlers.stream().filter(Marked::runsMany).forEach(it -> joining.addAll(it.next()));
        if (isTyped()) {
            Arrays.stream(initialData.getRecordComponents())
                    .map(RecordComponent::getName)
                    .forEach(values::add);
        }
    }

    private void keep(Marked handler) {
        var name = handler.handler().resultAs();
        if (name.isEmpty()) {
            return;
        }
        if (TAKEN.contains(name) || dataStores.contains(name)) {
            problems.add(
                    handler
                            + " keeps its result as '"
                            + name
                            + "', which names "
                            + (TAKEN.contains(name)
                                    ? "something else that handlers get"
                                    : "a data store")
                            + "; give the result another name");
        }
        values.add(name);
        var before = results.putIfAbsent(name, handler);
        if (before != null && !before.result().equals(handler.result())) {
            problems.add(
                    handler
                            + " keeps its result as '"
                            + name
                            + "', and so does "
                            + before
                            + " with one of another type; give one of them another name");
        }
    }

    /// All names that a parameter may have.
    private SequencedSet<String> all() {
        var all = new LinkedHashSet<>(TAKEN);
        all.addAll(List.of("children", "failures", APPROVAL));
        all.addAll(dataStores);
        all.addAll(values);
        return all;
    }

    boolean isTyped() {
        return initialData != Record.class;
    }

    private static SequencedMap<String, Known> known() {
        var known = new LinkedHashMap<String, Known>();
        known.put("stateHistory", new Known(List.of(JsonObject.class), Step::data));
        known.put("client", new Known(List.of(String.class), Step::client));
        known.put("clientPlan", new Known(List.of(String.class), step -> step.clientPlan().plan()));
        known.put(
                "clientParams",
                new Known(List.of(JsonObject.class), step -> step.clientPlan().params()));
        known.put("labels", new Known(List.of(Map.class), Step::labels));
        known.put("attempt", new Known(List.of(int.class, Integer.class), Step::attempt));
        return known;
    }

    /// Where the value of `parameter` comes from; empty if something is wrong with it, which is then noted.
    Optional<Argument> argument(Method method, Parameter parameter) {
        var where = "handler " + method.getName() + ": ";
        if (parameter.getType() == dev.artel.blueprint.Step.class) {
            return step(where, parameter);
        }
        var param = parameter.getAnnotation(Param.class);
        if (param == null && !parameter.isNamePresent()) {
            problems.add(
                    where
                            + "the names of its parameters are not kept; compile with -parameters, or"
                            + " mark each with @Param");
            return Optional.empty();
        }
        var name = param == null ? parameter.getName() : param.value();
        where += "parameter '" + name + "' ";
        if (name.equals("results")) {
            return results(where, parameter);
        }
        if (name.equals("children") && !values.contains(name)) {
            return children(where, parameter);
        }
        if (name.equals("failures") && !values.contains(name)) {
            return failures(where, parameter);
        }
        if (name.equals(APPROVAL) && !values.contains(name)) {
            return decision(where, parameter);
        }
        if (known.containsKey(name)) {
            var fact = known.get(name);
            return typed(where, parameter, fact.types, fact.argument);
        }
        return switch (name) {
            case "jobId" ->
                    typed(where, parameter, List.of(String.class), step -> step.job().value());
            case "initialData" -> initialData(where, parameter);
            default ->
                    dataStores.contains(name)
                            ? store(where, name, parameter)
                            : value(where, name, parameter);
        };
    }

    /// The names of the job's data that a handler asks for, each as it may be written; empty if it gets all of them.
    Optional<List<String>> readBy(Method method) {
        var read = new LinkedHashSet<String>();
        for (var parameter : method.getParameters()) {
            var param = parameter.getAnnotation(Param.class);
            var name = param == null ? parameter.getName() : param.value();
            if (parameter.getType() == dev.artel.blueprint.Step.class
                    || name.equals("stateHistory")) {
                return Optional.empty();
            }
            if (name.equals(APPROVAL) || values.contains(name) || values.contains(snake(name))) {
                read.add(name);
                read.add(snake(name));
            }
        }
        return Optional.of(List.copyOf(read));
    }

    /// A `Step<I>`, where `I` is what jobs are submitted with, or JSON.
    private Optional<Argument> step(String where, Parameter parameter) {
        var given =
                Types.argument(parameter.getParameterizedType())
                        .<Class<?>>map(Types::raw)
                        .orElse(Object.class);
        var ofDefinition = isTyped() ? initialData : JsonObject.class;
        var input = given == Object.class ? ofDefinition : given;
        if (isTyped() && input != initialData && input != JsonObject.class) {
            problems.add(
                    where
                            + "a parameter is a Step<"
                            + input.getSimpleName()
                            + ">, and jobs are submitted with a "
                            + initialData.getSimpleName()
                            + "; make it a Step<"
                            + initialData.getSimpleName()
                            + ">");
            return Optional.empty();
        }
        try {
            var type = ValueType.of(input);
            return Optional.of(step -> KernelBridge.step(step, type, joining));
        } catch (IllegalArgumentException impossible) {
            problems.add(where + "a parameter cannot be injected: " + impossible.getMessage());
            return Optional.empty();
        }
    }

    /// A `List<TaskResult<R>>` of all that the state joins, or a list of what those sent that succeeded.
    private Optional<Argument> results(String where, Parameter parameter) {
        if (parameter.getType() != List.class) {
            return typed(where, parameter, List.of(List.class), Step::results);
        }
        var each = Types.argument(parameter.getParameterizedType()).orElse(Object.class);
        if (Types.raw(each) == TaskResult.class) {
            return binding(where, Types.argument(each).orElse(Object.class))
                    .map(binding -> step -> results(step, parameter, binding).toList());
        }
        return binding(where, each)
                .map(binding ->
                        step ->
                                results(step, parameter, binding)
                                        .filter(TaskResult.Succeeded.class::isInstance)
                                        .map(one -> ((TaskResult.Succeeded<?>) one).value())
                                        .toList());
    }

    private Stream<TaskResult<Object>> results(Step step, Parameter parameter, Binding binding) {
        return KernelBridge.tasks(step).stream()
                .map(one ->
                        KernelBridge.taskResult(
                                one,
                                data ->
                                        bound(
                                                binding,
                                                data,
                                                "results[" + one.index() + "]",
                                                () -> asked(step, "results", parameter))));
    }

    /// A `List<ChildResult<O>>` of all that the state joins, or a list of the results of those that finished.
    private Optional<Argument> children(String where, Parameter parameter) {
        if (parameter.getType() != List.class) {
            return typed(where, parameter, List.of(List.class), Step::children);
        }
        var each = Types.argument(parameter.getParameterizedType()).orElse(Object.class);
        if (Types.raw(each) == ChildResult.class) {
            return binding(where, Types.argument(each).orElse(Object.class))
                    .map(binding -> step -> children(step, parameter, binding).toList());
        }
        return binding(where, each)
                .map(binding ->
                        step ->
                                children(step, parameter, binding)
                                        .flatMap(child -> child.result().stream())
                                        .toList());
    }

    private Stream<ChildResult<Object>> children(Step step, Parameter parameter, Binding binding) {
        return KernelBridge.children(step).stream()
                .map(child ->
                        KernelBridge.childResult(
                                child,
                                result ->
                                        bound(
                                                binding,
                                                result,
                                                "children[" + child.index() + "]",
                                                () -> asked(step, "children", parameter))));
    }

    /// A `List<Failure>`: why those failed for which the state waited.
    private Optional<Argument> failures(String where, Parameter parameter) {
        var each = Types.argument(parameter.getParameterizedType()).map(Types::raw);
        if (parameter.getType() == List.class && each.filter(Failure.class::equals).isPresent()) {
            return Optional.of(KernelBridge::failures);
        }
        problems.add(
                where
                        + "holds why tasks or children have failed; its type must be List<Failure>, is "
                        + parameter.getParameterizedType().getTypeName());
        return Optional.empty();
    }

    /// An `ApprovalDecision<C>`, where `C` is an enum or `String`: the last decision of a person.
    private Optional<Argument> decision(String where, Parameter parameter) {
        var choice =
                Types.argument(parameter.getParameterizedType())
                        .<Class<?>>map(Types::raw)
                        .orElse(Object.class);
        if (parameter.getType() != ApprovalDecision.class
                || !(choice.isEnum() || choice == String.class)) {
            problems.add(
                    where
                            + "is the last decision of a person; its type must be ApprovalDecision<C>, where C is the enum"
                            + " of its choices or String");
            return Optional.empty();
        }
        if (choice == String.class) {
            return Optional.of(step -> decision(step, parameter, Optional::of));
        }
        Approval<?> approval = Waits.approval(choice);
        return Optional.of(step -> decision(step, parameter, approval::choice));
    }

    private <C> ApprovalDecision<C> decision(
            Step step, Parameter parameter, Function<String, Optional<C>> choice) {
        var json =
                step.data()
                        .get(APPROVAL)
                        .orElseThrow(() ->
                                new MissingValue(
                                        asked(step, APPROVAL, parameter)
                                                + ", and no approval of the job has a decision"));
        try {
            return ApprovalDecision.of(json, choice);
        } catch (IllegalArgumentException other) {
            throw new MissingValue(asked(step, APPROVAL, parameter) + ": " + other.getMessage());
        }
    }

    private Optional<Argument> typed(
            String where, Parameter parameter, List<Class<?>> types, Argument argument) {
        if (types.contains(parameter.getType())) {
            return Optional.of(argument);
        }
        problems.add(
                where
                        + "must be of type "
                        + String.join(" or ", types.stream().map(Class::getSimpleName).toList())
                        + ", is "
                        + parameter.getType().getSimpleName());
        return Optional.empty();
    }

    private Optional<Argument> store(String where, String name, Parameter parameter) {
        var value = Types.argument(parameter.getParameterizedType());
        if (parameter.getType() != DataStore.class || value.isEmpty()) {
            problems.add(
                    where
                            + "is a data store; its type must be DataStore<V>, where V is the type of its values");
            return Optional.empty();
        }
        try {
            var type = ValueType.of(Types.raw(value.get()));
            return Optional.of(step -> KernelBridge.dataStore(step.store(name), type));
        } catch (IllegalArgumentException impossible) {
            problems.add(where + "cannot be injected: " + impossible.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Argument> initialData(String where, Parameter parameter) {
        if (parameter.getType() == JsonObject.class) {
            return Optional.of(Step::initialData);
        }
        if (isTyped() && parameter.getType() != initialData) {
            return typed(where, parameter, List.of(initialData, JsonObject.class), Step::data);
        }
        return binding(where, parameter.getParameterizedType())
                .map(binding -> step -> binding.bind(step.initialData(), "initial_data"));
    }

    private Optional<Argument> value(String where, String name, Parameter parameter) {
        if (!values.contains(name) && !values.contains(snake(name))) {
            problems.add(
                    where
                            + "names nothing: there are jobId, initialData, stateHistory, client,"
                            + " clientPlan, clientParams,"
                            + " labels, results, children, failures, approval, attempt, the data stores "
                            + dataStores
                            + " and the values "
                            + values
                            + OutcomeWords.nearest(", ", name, all())
                            + "; correct it, or add it to data of @BlueprintDefinition");
            return Optional.empty();
        }
        var result = results.containsKey(name) ? results.get(name) : results.get(snake(name));
        checkResult(where, parameter, result);
        return binding(where, parameter.getParameterizedType())
                .map(binding ->
                        value(
                                name,
                                parameter,
                                binding,
                                result != null
                                        && result.method().getReturnType() == ChildCall.class));
    }

    /// A record that is not the one that the handler brings would fail when the job gets there.
    private void checkResult(String where, Parameter parameter, @Nullable Marked handler) {
        if (handler == null || handler.result().isEmpty()) {
            return;
        }
        var wanted =
                parameter.getType() == Optional.class
                        ? Types.argument(parameter.getParameterizedType())
                                .<Class<?>>map(Types::raw)
                                .orElse(Object.class)
                        : parameter.getType();
        var brought = Types.raw(handler.result().get());
        if (wanted.isRecord() && brought.isRecord() && wanted != brought) {
            problems.add(
                    where
                            + "is of type "
                            + wanted.getSimpleName()
                            + ", and "
                            + handler
                            + " keeps a "
                            + brought.getSimpleName()
                            + " there");
        }
    }

    /// Whether the type of `parameter` allows that its value is absent.
    private static boolean mayBeAbsent(Parameter parameter) {
        return parameter.getType() == Optional.class
                || parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /// @param isChild whether the value states how a child ended, and its result is asked for
    private Argument value(String name, Parameter parameter, Binding binding, boolean isChild) {
        var mayBeAbsent = mayBeAbsent(parameter);
        return step -> {
            var value =
                    step.data()
                            .get(name)
                            .or(() -> step.data().get(snake(name)))
                            .or(() -> step.initialData().get(name))
                            .or(() -> step.initialData().get(snake(name)))
                            .map(found -> isChild ? resultOf(found) : found)
                            .orElse(JsonNull.NULL);
            if (value != JsonNull.NULL) {
                return bound(binding, value, name, () -> asked(step, name, parameter));
            }
            if (mayBeAbsent) {
                return parameter.getType() == Optional.class ? Optional.empty() : null;
            }
            throw new MissingValue(
                    asked(step, name, parameter)
                            + ", which is not there: "
                            + MissingValue.found(step, name)
                            + "; make it Optional or @Nullable if it may be absent");
        };
    }

    private static JsonValue resultOf(JsonValue child) {
        return child instanceof JsonObject ended
                ? ended.get("result").orElse(JsonNull.NULL)
                : child;
    }

    private static Object bound(
            Binding binding, JsonValue value, String name, Supplier<String> asked) {
        try {
            return binding.bind(value, name);
        } catch (Unfit unfit) {
            throw new MissingValue(
                    asked.get() + ", and what is there does not fit: " + unfit.getMessage());
        }
    }

    private String asked(Step step, String name, Parameter parameter) {
        return "blueprint '"
                + blueprint
                + "', state '"
                + step.state()
                + "': handler "
                + parameter.getDeclaringExecutable().getName()
                + " asks for the parameter '"
                + name
                + "' ("
                + parameter.getType().getSimpleName()
                + ")";
    }

    private Optional<Binding> binding(String where, Type type) {
        try {
            return Optional.of(Binding.of(type));
        } catch (IllegalArgumentException impossible) {
            problems.add(where + "cannot be injected: " + impossible.getMessage());
            return Optional.empty();
        }
    }

    /// `maxWidth` as `max_width`.
    private static String snake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
