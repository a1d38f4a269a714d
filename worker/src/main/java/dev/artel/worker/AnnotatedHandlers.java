package dev.artel.worker;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Binding;
import dev.artel.json.bind.Writing;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the methods of an object that are marked with [Handles].
final class AnnotatedHandlers {
    private AnnotatedHandlers() {}

    /// The task types of `handlers`, by name.
    ///
    /// @throws IllegalArgumentException if there is none, or one takes or gives what it cannot
    static List<HandledType> of(Object handlers, Class<?> declaring) {
        var types =
                Arrays.stream(declaring.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(Handles.class))
                        .sorted(Comparator.comparing(Method::getName))
                        .map(method -> type(handlers, method))
                        .toList();
        if (types.isEmpty()) {
            throw new IllegalArgumentException(
                    declaring.getName() + " has no method marked with @Handles");
        }
        return types;
    }

    private static HandledType type(Object handlers, Method method) {
        var marked = method.getAnnotation(Handles.class);
        if (marked == null) {
            throw new IllegalArgumentException(method + " is not marked with @Handles");
        }
        try {
            method.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    method + " is not open to dev.artel.worker; open its package", e);
        }
        var arguments = arguments(method);
        var category = marked.category().isEmpty() ? null : marked.category();
        return new HandledType(
                marked.value(),
                category,
                (params, task) -> call(handlers, method, arguments, params.json(), task));
    }

    private interface Argument {
        Object of(JsonObject params, TaskContext task);
    }

    private static List<Argument> arguments(Method method) {
        var arguments = new ArrayList<Argument>();
        for (var type : method.getGenericParameterTypes()) {
            if (type == TaskContext.class) {
                arguments.add((_, task) -> task);
            } else {
                var binding = Binding.of(type);
                arguments.add((params, _) -> HandledType.bound(binding, params));
            }
        }
        return arguments;
    }

    private static Result call(
            Object handlers,
            Method method,
            List<Argument> arguments,
            JsonObject params,
            TaskContext task)
            throws Exception {
        var values = arguments.stream().map(argument -> argument.of(params, task)).toArray();
        try {
            return result(method.invoke(handlers, values));
        } catch (InvocationTargetException thrown) {
            switch (thrown.getCause()) {
                case Exception failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw thrown;
            }
        }
    }

    private static Result result(@Nullable Object given) {
        return switch (given) {
            case null -> Result.success();
            case Result result -> result;
            case JsonValue data -> Result.success(data);
            case Record data -> Result.successOf(data);
            default -> Result.success(Writing.json(given));
        };
    }
}
