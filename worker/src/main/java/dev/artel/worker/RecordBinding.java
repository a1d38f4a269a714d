package dev.artel.worker;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds an object to a record: each component to the member of its name, as written or in snake case.
/// Components of type `Optional`, `List` or `Map` and those that are `@Nullable` may be absent; other members
/// are ignored.
final class RecordBinding implements Binding {
    private final Class<?> type;
    private final List<Component> components;
    private final Constructor<?> constructor;

    private record Component(String name, String snake, Binding binding, boolean isOptional) {}

    private RecordBinding(Class<?> type, List<Component> components, Constructor<?> constructor) {
        this.type = type;
        this.components = components;
        this.constructor = constructor;
    }

    static RecordBinding of(Class<?> type) {
        var components = type.getRecordComponents();
        var types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new RecordBinding(
                    type,
                    Arrays.stream(components).map(RecordBinding::component).toList(),
                    constructor);
        } catch (NoSuchMethodException | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "record "
                            + type.getName()
                            + " is not open to dev.artel.worker; open its package",
                    e);
        }
    }

    private static Component component(RecordComponent component) {
        return new Component(
                component.getName(),
                Writing.snake(component.getName()),
                Binding.of(component.getGenericType()),
                component.getAnnotatedType().isAnnotationPresent(Nullable.class));
    }

    @Override
    public Object bind(JsonValue value, String path) {
        if (!(value instanceof JsonObject object)) {
            throw new InvalidInput(path + ": expected an object, found JSON " + value.kind());
        }
        @Nullable Object[] arguments = new @Nullable Object[components.size()];
        for (var i = 0; i < arguments.length; i++) {
            arguments[i] = argument(object, components.get(i), path);
        }
        return construct(arguments, path);
    }

    private static @Nullable Object argument(JsonObject object, Component component, String path) {
        var value =
                object.get(component.name)
                        .or(() -> object.get(component.snake))
                        .orElse(JsonNull.NULL);
        if (value == JsonNull.NULL) {
            var absent = component.binding.absent();
            if (absent != null || component.isOptional) {
                return absent;
            }
        }
        return component.binding.bind(value, path + "." + component.snake);
    }

    private Object construct(@Nullable Object[] arguments, String path) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            var cause = refused.getCause();
            throw new InvalidInput(
                    path + ": " + (cause == null ? refused : cause).getMessage(), refused);
        } catch (InstantiationException | IllegalAccessException e) {
            throw new IllegalStateException("cannot make a " + type.getName(), e);
        }
    }
}
