package dev.artel.blueprint.annotated;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Optional;

/// What can be known of the types of parameters and results.
final class Types {
    private Types() {}

    /// The class of `type`; `Object` if it has none.
    static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> raw(generic.getRawType());
            case WildcardType wild -> raw(wild.getUpperBounds()[0]);
            default -> Object.class;
        };
    }

    /// The argument of a type with one, such as `T` of `List<T>`.
    static Optional<Type> argument(Type type) {
        return type instanceof ParameterizedType generic
                        && generic.getActualTypeArguments().length == 1
                ? Optional.of(generic.getActualTypeArguments()[0])
                : Optional.empty();
    }
}
