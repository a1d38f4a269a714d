package dev.artel.store.codec;

import dev.artel.kernel.job.PersistentVector;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Finds out how the types are written of which a folded job is made: records, sealed families of them, and the few
/// values and collections that they hold. Not safe for use by many threads; what it gives is.
final class FoldFormats {
    private final Map<Type, FoldFormat> known = new HashMap<>();

    /// @throws IllegalArgumentException if there is a type among them that cannot be written
    FoldFormat of(Type type) {
        var shape = known.get(type);
        if (shape != null) {
            return shape;
        }
        var made = new Later();
        known.put(type, made);
        made.shape = make(type);
        return made;
    }

    /// A type may be part of itself.
    private static final class Later implements FoldFormat {
        private @Nullable FoldFormat shape;

        @Override
        public void write(Object value, FoldOut out) throws IOException {
            Objects.requireNonNull(shape).write(value, out);
        }

        @Override
        public Object read(FoldIn in) throws IOException {
            return Objects.requireNonNull(shape).read(in);
        }
    }

    private FoldFormat make(Type type) {
        if (type instanceof ParameterizedType generic) {
            return collection(generic);
        }
        if (!(type instanceof Class<?> plain)) {
            throw unknown(type);
        }
        if (plain.isRecord()) {
            return record(plain);
        }
        if (plain.isEnum()) {
            return constant(plain.getEnumConstants());
        }
        if (plain.isSealed()) {
            return family(plain);
        }
        return value(plain);
    }

    private static IllegalArgumentException unknown(Type type) {
        return new IllegalArgumentException(
                "a folded job holds a " + type + ", which cannot be kept; add it to FoldFormats");
    }

    // Values

    private static FoldFormat value(Class<?> type) {
        return switch (type.getName()) {
            case "java.lang.String" -> of((value, out) -> out.text((String) value), FoldIn::text);
            case "int", "java.lang.Integer" ->
                    of((value, out) -> out.number((Integer) value), FoldIn::size);
            case "long", "java.lang.Long" ->
                    of((value, out) -> out.number((Long) value), FoldIn::number);
            case "boolean", "java.lang.Boolean" ->
                    of((value, out) -> out.number((Boolean) value ? 1 : 0), in -> in.number() == 1);
            case "double", "java.lang.Double" ->
                    of((value, out) -> out.decimal((Double) value), FoldIn::decimal);
            case "java.lang.Number" -> of(FoldFormats::writeNumber, FoldFormats::readNumber);
            case "java.time.Instant" ->
                    of(
                            (value, out) -> {
                                var instant = (Instant) value;
                                out.number(instant.getEpochSecond());
                                out.number(instant.getNano());
                            },
                            in -> Instant.ofEpochSecond(in.number(), in.number()));
            case "java.time.Duration" ->
                    of(
                            (value, out) -> {
                                var duration = (Duration) value;
                                out.number(duration.toSeconds());
                                out.number(duration.toNanosPart());
                            },
                            in -> Duration.ofSeconds(in.number(), in.number()));
            case "java.util.OptionalInt" ->
                    of(
                            (value, out) -> {
                                var optional = (OptionalInt) value;
                                out.number(optional.isPresent() ? 1 : 0);
                                out.number(optional.orElse(0));
                            },
                            in -> {
                                var isPresent = in.size() == 1;
                                var number = in.size();
                                return isPresent ? OptionalInt.of(number) : OptionalInt.empty();
                            });
            default -> throw unknown(type);
        };
    }

    private static void writeNumber(Object value, FoldOut out) throws IOException {
        switch (value) {
            case Integer whole -> {
                out.number(0);
                out.number(whole);
            }
            case Long whole -> {
                out.number(1);
                out.number(whole);
            }
            case Double decimal -> {
                out.number(2);
                out.decimal(decimal);
            }
            case BigInteger whole -> {
                out.number(3);
                out.text(whole.toString());
            }
            case BigDecimal decimal -> {
                out.number(4);
                out.text(decimal.unscaledValue().toString());
                out.number(decimal.scale());
            }
            default -> throw unknown(value.getClass());
        }
    }

    private static Number readNumber(FoldIn in) throws IOException {
        var kind = in.size();
        return switch (kind) {
            case 0 -> in.size();
            case 1 -> in.number();
            case 2 -> in.decimal();
            case 3 -> new BigInteger(in.text());
            case 4 -> new BigDecimal(new BigInteger(in.text()), in.size());
            default -> throw new IOException("there is no number of kind " + kind);
        };
    }

    private static FoldFormat constant(Object[] constants) {
        var numbers = new HashMap<Object, Integer>();
        for (var constant : constants) {
            numbers.put(constant, numbers.size());
        }
        return of(
                (value, out) -> out.number(Objects.requireNonNull(numbers.get(value))),
                in -> constants[in.size()]);
    }

    // Collections

    private FoldFormat collection(ParameterizedType type) {
        var parts = type.getActualTypeArguments();
        var raw = type.getRawType();
        var first = of(parts[0]);
        if (raw == Optional.class) {
            return of(
                    (value, out) -> {
                        var optional = (Optional<?>) value;
                        out.number(optional.isPresent() ? 1 : 0);
                        if (optional.isPresent()) {
                            first.write(optional.get(), out);
                        }
                    },
                    in -> in.size() == 0 ? Optional.empty() : Optional.of(first.read(in)));
        }
        if (raw == List.class) {
            return of(
                    (value, out) -> {
                        var list = (List<?>) value;
                        out.number(list.size());
                        for (var each : list) {
                            first.write(each, out);
                        }
                    },
                    in -> {
                        var list = new ArrayList<>();
                        for (var left = in.size(); left > 0; left--) {
                            list.add(first.read(in));
                        }
                        return list;
                    });
        }
        if (raw == PersistentVector.class) {
            return of(
                    (value, out) -> {
                        var vector = (PersistentVector<?>) value;
                        out.number(vector.size());
                        for (var each : vector) {
                            first.write(each, out);
                        }
                    },
                    in -> {
                        var list = new ArrayList<>();
                        for (var left = in.size(); left > 0; left--) {
                            list.add(first.read(in));
                        }
                        return PersistentVector.of(list);
                    });
        }
        if (raw == SequencedMap.class) {
            return map(first, of(parts[1]));
        }
        throw unknown(type);
    }

    private static FoldFormat map(FoldFormat keys, FoldFormat values) {
        return of(
                (value, out) -> {
                    var map = (Map<?, ?>) value;
                    out.number(map.size());
                    for (var entry : map.entrySet()) {
                        keys.write(Objects.requireNonNull(entry.getKey()), out);
                        values.write(Objects.requireNonNull(entry.getValue()), out);
                    }
                },
                in -> {
                    var map = new LinkedHashMap<>();
                    for (var left = in.size(); left > 0; left--) {
                        map.put(keys.read(in), values.read(in));
                    }
                    return map;
                });
    }

    // Records

    private FoldFormat family(Class<?> root) {
        var members = new ArrayList<Class<?>>();
        join(root, members);
        var shapes = members.stream().map(this::of).toArray(FoldFormat[]::new);
        var numbers = new HashMap<Class<?>, Integer>();
        members.forEach(member -> numbers.put(member, numbers.size()));
        return of(
                (value, out) -> {
                    var type =
                            value instanceof Enum<?> it ? it.getDeclaringClass() : value.getClass();
                    int number = Objects.requireNonNull(numbers.get(type));
                    out.number(number);
                    shapes[number].write(value, out);
                },
                in -> shapes[in.size()].read(in));
    }

    private static void join(Class<?> type, List<Class<?>> members) {
        for (var member : Objects.requireNonNull(type.getPermittedSubclasses())) {
            if (member.isSealed() && !member.isRecord() && !member.isEnum()) {
                join(member, members);
            } else {
                members.add(member);
            }
        }
    }

    private FoldFormat record(Class<?> type) {
        var components = Objects.requireNonNull(type.getRecordComponents());
        var parts =
                Arrays.stream(components)
                        .map(part -> of(part.getGenericType()))
                        .toArray(FoldFormat[]::new);
        var getters = new MethodHandle[components.length];
        MethodHandle constructor;
        try {
            var lookup = MethodHandles.publicLookup();
            for (var i = 0; i < components.length; i++) {
                getters[i] =
                        lookup.unreflect(components[i].getAccessor())
                                .asType(MethodType.methodType(Object.class, Object.class));
            }
            constructor =
                    lookup.findConstructor(
                                    type,
                                    MethodType.methodType(
                                            void.class,
                                            Arrays.stream(components)
                                                    .map(RecordComponent::getType)
                                                    .toArray(Class[]::new)))
                            .asSpreader(Object[].class, components.length)
                            .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException notPublic) {
            throw new IllegalArgumentException(
                    type + " cannot be kept: it and its constructor must be public", notPublic);
        }
        return of(
                (value, out) -> {
                    for (var i = 0; i < parts.length; i++) {
                        parts[i].write(get(getters[i], value), out);
                    }
                },
                in -> {
                    var values = new Object[parts.length];
                    for (var i = 0; i < parts.length; i++) {
                        values[i] = parts[i].read(in);
                    }
                    return construct(constructor, values);
                });
    }

    private static Object get(MethodHandle getter, Object of) {
        try {
            return (Object) getter.invokeExact(of);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a record threw", impossible);
        }
    }

    private static Object construct(MethodHandle constructor, Object[] values) {
        try {
            return (Object) constructor.invokeExact(values);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a record threw", impossible);
        }
    }

    private interface Writing {
        void write(Object value, FoldOut out) throws IOException;
    }

    private interface Reading {
        Object read(FoldIn in) throws IOException;
    }

    private static FoldFormat of(Writing writing, Reading reading) {
        return new FoldFormat() {
            @Override
            public void write(Object value, FoldOut out) throws IOException {
                writing.write(value, out);
            }

            @Override
            public Object read(FoldIn in) throws IOException {
                return reading.read(in);
            }
        };
    }
}
