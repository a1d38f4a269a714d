package dev.artel.json.bind;

import dev.artel.json.JsonArray;
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

/// An object of which a record is made.
final class RecordShape implements Shape {
    private final Class<?> type;
    private final List<Component> components;
    private final Constructor<?> constructor;
    private final boolean refusesUnknown;

    private record Component(String name, String snake, Shape shape, boolean isNullable) {
        boolean isRequired() {
            return shape.absent() == null && !isNullable;
        }

        boolean isCalled(String member) {
            return member.equals(name) || member.equals(snake);
        }
    }

    private RecordShape(
            Class<?> type,
            List<Component> components,
            Constructor<?> constructor,
            boolean refusesUnknown) {
        this.type = type;
        this.components = components;
        this.constructor = constructor;
        this.refusesUnknown = refusesUnknown;
    }

    static RecordShape of(Class<?> type, Shapes inner) {
        var components = type.getRecordComponents();
        var types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new RecordShape(
                    type,
                    Arrays.stream(components)
                            .map(component -> component(component, inner))
                            .toList(),
                    constructor,
                    inner.refusesUnknown());
        } catch (NoSuchMethodException | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "record " + type.getName() + " is not open to dev.artel.json; open its package",
                    e);
        }
    }

    private static Component component(RecordComponent component, Shapes inner) {
        return new Component(
                component.getName(),
                Writing.snake(component.getName()),
                inner.of(component.getGenericType()),
                component.getAnnotatedType().isAnnotationPresent(Nullable.class));
    }

    @Override
    public @Nullable Object read(JsonValue value, String path, Mismatches mismatches) {
        if (!(value instanceof JsonObject object)) {
            var found = Shapes.isAbsent(value) ? "nothing" : "JSON " + value.kind();
            mismatches.add(path, "expected an object, found " + found);
            return null;
        }
        var before = mismatches.size();
        @Nullable Object[] arguments = new @Nullable Object[components.size()];
        for (var i = 0; i < arguments.length; i++) {
            arguments[i] = argument(object, components.get(i), path, mismatches);
        }
        if (refusesUnknown) {
            refuseUnknown(object, path, mismatches);
        }
        return mismatches.size() == before && !mismatches.isFull()
                ? construct(arguments, path, mismatches)
                : null;
    }

    private static @Nullable Object argument(
            JsonObject object, Component component, String path, Mismatches mismatches) {
        var value =
                object.get(component.name)
                        .or(() -> object.get(component.snake))
                        .orElse(JsonNull.NULL);
        if (Shapes.isAbsent(value) && !component.isRequired()) {
            return component.shape.absent();
        }
        return component.shape.read(value, path + "." + component.snake, mismatches);
    }

    private void refuseUnknown(JsonObject object, String path, Mismatches mismatches) {
        for (var name : object.names()) {
            if (mismatches.isFull()) {
                return;
            }
            if (components.stream().noneMatch(component -> component.isCalled(name))) {
                mismatches.add(
                        Mismatches.path(path, name),
                        "is not known; there are "
                                + components.stream().map(Component::snake).toList());
            }
        }
    }

    private @Nullable Object construct(
            @Nullable Object[] arguments, String path, Mismatches mismatches) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            var cause = refused.getCause();
            mismatches.add(path, String.valueOf((cause == null ? refused : cause).getMessage()));
            return null;
        } catch (InstantiationException | IllegalAccessException e) {
            throw new IllegalStateException("cannot make a " + type.getName(), e);
        }
    }

    @Override
    public JsonObject schema() {
        var properties = JsonObject.builder();
        components.forEach(component -> properties.put(component.snake, component.shape.schema()));
        var schema =
                JsonObject.builder()
                        .put("type", "object")
                        .put("title", type.getSimpleName())
                        .put("properties", properties.build())
                        .put(
                                "required",
                                JsonArray.ofStrings(
                                        components.stream()
                                                .filter(Component::isRequired)
                                                .map(Component::snake)
                                                .toList()));
        return (refusesUnknown ? schema.put("additionalProperties", false) : schema).build();
    }
}
