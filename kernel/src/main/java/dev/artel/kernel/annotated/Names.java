package dev.artel.kernel.annotated;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Binding;
import dev.artel.json.bind.Unfit;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.DataStore;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The names of a definition that the parameters of its handlers may have.
final class Names {
    private final String blueprint;
    private final Class<? extends Record> initialData;
    private final SequencedSet<String> dataStores;

    /// The names of values, as they may be written.
    private final SequencedSet<String> values = new LinkedHashSet<>();

    private final List<String> problems;
    private final SequencedMap<String, Known> known = known();

    /// @param types what a parameter of the name may be
    private record Known(List<Class<?>> types, Argument argument) {}

    Names(BlueprintDefinition marked, List<String> problems) {
        this.blueprint = marked.name();
        this.initialData = marked.initialData();
        this.dataStores = new LinkedHashSet<>(List.of(marked.dataStores()));
        this.problems = problems;
        values.addAll(List.of(marked.data()));
        if (isTyped()) {
            Arrays.stream(initialData.getRecordComponents())
                    .map(RecordComponent::getName)
                    .forEach(values::add);
        }
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
        known.put("results", new Known(List.of(List.class), Step::results));
        known.put("attempt", new Known(List.of(int.class, Integer.class), Step::attempt));
        return known;
    }

    /// Where the value of `parameter` comes from; empty if something is wrong with it, which is then noted.
    Optional<Argument> argument(Method method, Parameter parameter) {
        var where = "handler " + method.getName() + ": ";
        if (parameter.getType() == Step.class) {
            return Optional.of(step -> step);
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
        if (name.equals("children") && isChildren(parameter.getParameterizedType())) {
            return Optional.of(Step::children);
        }
        if (known.containsKey(name)) {
            var fact = known.get(name);
            return typed(where, parameter, fact.types, fact.argument);
        }
        return switch (name) {
            case "jobId" ->
                    parameter.getType() == JobId.class
                            ? Optional.of(Step::job)
                            : typed(
                                    where,
                                    parameter,
                                    List.of(String.class, JobId.class),
                                    step -> step.job().value());
            case "initialData" -> initialData(where, parameter);
            default ->
                    dataStores.contains(name)
                            ? typed(
                                    where,
                                    parameter,
                                    List.of(DataStore.class),
                                    step -> step.store(name))
                            : value(where, name, parameter);
        };
    }

    /// The names of the job's data that a handler asks for, each as it may be written; empty if it gets all of them.
    Optional<List<String>> readBy(Method method) {
        var read = new LinkedHashSet<String>();
        for (var parameter : method.getParameters()) {
            var param = parameter.getAnnotation(Param.class);
            var name = param == null ? parameter.getName() : param.value();
            if (parameter.getType() == Step.class || name.equals("stateHistory")) {
                return Optional.empty();
            }
            if (values.contains(name) || values.contains(snake(name))) {
                read.add(name);
                read.add(snake(name));
            }
        }
        return Optional.of(List.copyOf(read));
    }

    /// Any other `children` is a value of the job.
    private static boolean isChildren(Type type) {
        return type instanceof ParameterizedType list
                && list.getRawType() == List.class
                && list.getActualTypeArguments()[0] == ChildResult.class;
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
                            + " labels, results, children (a List<ChildResult>), attempt, the data stores "
                            + dataStores
                            + " and the values "
                            + values
                            + "; correct it, or add it to data of @BlueprintDefinition");
            return Optional.empty();
        }
        return binding(where, parameter.getParameterizedType())
                .map(binding -> value(name, parameter, binding));
    }

    /// Whether `parameter` says that its value may be absent.
    private static boolean mayBeAbsent(Parameter parameter) {
        return parameter.getType() == Optional.class
                || parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private Argument value(String name, Parameter parameter, Binding binding) {
        var mayBeAbsent = mayBeAbsent(parameter);
        return step -> {
            var value =
                    step.data()
                            .get(name)
                            .or(() -> step.data().get(snake(name)))
                            .or(() -> step.initialData().get(name))
                            .or(() -> step.initialData().get(snake(name)))
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
