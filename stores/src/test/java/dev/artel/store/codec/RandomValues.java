package dev.artel.store.codec;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.SecretUse;
import dev.artel.kernel.task.Payload;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Makes values of records and sealed types from a seed, by their shape, so that a new component is covered at once.
final class RandomValues {
    private static final int TRIES = 1000;

    private static final List<String> TEXTS =
            List.of(
                    "a",
                    "state-7",
                    "Zürich \"quoted\" \\ back",
                    "tab\tnew\nline\u0001",
                    "\ud83d\ude00 and \u4f60\u597d",
                    "cut \ud83d",
                    "\ude00 cut",
                    "digest",
                    "x".repeat(64));

    private final SplittableRandom random;

    RandomValues(long seed) {
        random = new SplittableRandom(seed);
    }

    /// All records under a sealed interface, also of nested ones, and all that are enums.
    static List<Class<?>> leavesOf(Class<?> sealed) {
        return sealed.isSealed()
                ? Arrays.stream(sealed.getPermittedSubclasses())
                        .flatMap(sub -> leavesOf(sub).stream())
                        .toList()
                : List.of(sealed);
    }

    <T> T of(Class<T> type) {
        return type.cast(any(type));
    }

    private Object any(Type type) {
        return switch (type) {
            case Class<?> c when c == int.class || c == Integer.class -> random.nextInt(0, 100_000);
            case Class<?> c when c == long.class -> random.nextLong(0, Long.MAX_VALUE);
            case Class<?> c when c == double.class || c == Double.class -> decimal();
            case Class<?> c when c == boolean.class -> random.nextBoolean();
            case Class<?> c when c == String.class -> oneOf(TEXTS);
            case Class<?> c when c == Instant.class -> instant();
            case Class<?> c when c == Duration.class -> duration();
            case Class<?> c when c == JsonObject.class ->
                    JsonObject.of("m", json(2), "other", json(2));
            case Class<?> c when JsonValue.class.isAssignableFrom(c) -> json(3);
            case Class<?> c when c == Placement.Figure.class ->
                    new Placement.Figure((String) key(String.class), decimal());
            case Class<?> c when c == Payload.Members.class -> members();
            case Class<?> c when c == OptionalInt.class ->
                    random.nextBoolean()
                            ? OptionalInt.of(random.nextInt(0, 100_000))
                            : OptionalInt.empty();
            case Class<?> c when c == OptionalLong.class ->
                    random.nextBoolean()
                            ? OptionalLong.of(random.nextLong(0, Long.MAX_VALUE))
                            : OptionalLong.empty();
            case Class<?> c when c == TraceContext.class ->
                    new TraceContext(
                            "00-%032x-%016x-01"
                                    .formatted(
                                            random.nextLong(1, Long.MAX_VALUE),
                                            random.nextLong(1, Long.MAX_VALUE)),
                            random.nextBoolean() ? "vendor=" + random.nextInt(9) : "");
            case Class<?> c when c == SecretUse.class ->
                    new SecretUse(
                            "/headers/X-Key", random.nextInt(9), "KEY_" + random.nextInt(100));
            case Class<?> c when c.isEnum() -> oneOf(List.of(c.getEnumConstants()));
            case Class<?> c when c.isSealed() -> any(oneOf(leavesOf(c)));
            case Class<?> c when c.isRecord() -> record(c);
            case ParameterizedType p when p.getRawType() == Optional.class ->
                    random.nextBoolean() ? Optional.of(any(argument(p, 0))) : Optional.empty();
            case ParameterizedType p when p.getRawType() == List.class ->
                    Stream.generate(() -> any(argument(p, 0))).limit(random.nextInt(1, 4)).toList();
            case ParameterizedType p when p.getRawType() == SequencedMap.class -> map(p);
            default -> throw new IllegalStateException("no random value of " + type);
        };
    }

    /// Random components may contradict each other: such a record refuses itself, and others are tried.
    private Object record(Class<?> type) {
        var components = type.getRecordComponents();
        var types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        RuntimeException last = new IllegalStateException("not tried");
        for (var i = 0; i < TRIES; i++) {
            try {
                var values = Arrays.stream(components).map(this::component).toArray();
                return type.getDeclaredConstructor(types).newInstance(values);
            } catch (InvocationTargetException e) {
                last = new IllegalStateException("making a " + type, e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("making a " + type, e);
            }
        }
        throw last;
    }

    /// Jobs of later rules are not read.
    private Object component(RecordComponent component) {
        return component.getDeclaringRecord() == JobSpec.class
                        && component.getName().equals("rules")
                ? random.nextInt(JobSpec.CURRENT_RULES + 1)
                : any(component.getGenericType());
    }

    /// An object with at least one member that is kept apart; members are never kept in parts themselves.
    private Payload.Members members() {
        var members = new LinkedHashMap<String, Payload>();
        for (var i = random.nextInt(0, 4); i > 0; i--) {
            members.put(
                    (String) key(String.class),
                    (Payload) any(random.nextBoolean() ? Payload.Inline.class : Payload.Ref.class));
        }
        members.put("apart", (Payload) any(Payload.Ref.class));
        return new Payload.Members(members);
    }

    private SequencedMap<Object, Object> map(ParameterizedType type) {
        var map = new LinkedHashMap<Object, Object>();
        for (var i = random.nextInt(0, 4); i > 0; i--) {
            map.put(key(argument(type, 0)), any(argument(type, 1)));
        }
        return map;
    }

    /// The names of members are whole characters: they come from JSON.
    private Object key(Type type) {
        return type == String.class
                ? oneOf(List.of("a", "type", "v", "at", "Zürich \ud83d\ude00", "end", ""))
                : any(type);
    }

    private JsonValue json(int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 7)) {
            case 0 -> JsonNull.NULL;
            case 1 -> JsonValue.of(random.nextBoolean());
            case 2 -> JsonValue.of(random.nextLong());
            case 3 -> JsonValue.of(random.nextDouble());
            case 4 -> JsonValue.of("text \ud83d\ude00");
            case 5 -> {
                var object = JsonObject.builder();
                for (var i = random.nextInt(0, 3); i > 0; i--) {
                    object.put("m" + i, json(depth - 1));
                }
                yield object.build();
            }
            default -> {
                var values = new ArrayList<JsonValue>();
                for (var i = random.nextInt(0, 3); i > 0; i--) {
                    values.add(json(depth - 1));
                }
                yield new JsonArray(values);
            }
        };
    }

    private Instant instant() {
        return switch (random.nextInt(20)) {
            case 0 -> Instant.MAX;
            case 1 -> Instant.ofEpochSecond(random.nextLong(0, 4_000_000_000L), 123_456_789);
            case 2 -> Instant.ofEpochMilli(-1);
            default -> Instant.ofEpochMilli(random.nextLong(0, 4_000_000_000_000L));
        };
    }

    private Duration duration() {
        return switch (random.nextInt(20)) {
            case 0 -> Duration.ofSeconds(Long.MAX_VALUE / 1000);
            case 1 -> Duration.ofNanos(random.nextLong(1, 1_000_000));
            default -> Duration.ofMillis(random.nextLong(1, 100_000_000));
        };
    }

    private double decimal() {
        return switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1 -> random.nextDouble() * 1e300;
            case 2 -> Double.POSITIVE_INFINITY;
            case 3 -> 1 + random.nextInt(50);
            default -> random.nextDouble();
        };
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static Type argument(ParameterizedType type, int index) {
        return type.getActualTypeArguments()[index];
    }
}
