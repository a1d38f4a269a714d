package dev.artel.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.util.Set;

/// Calls, and references to methods, whose answer may differ between two runs.
final class Impurities {
    private static final Set<String> UNORDERED =
            Set.of(
                    "java.util.HashMap",
                    "java.util.HashSet",
                    "java.util.IdentityHashMap",
                    "java.util.WeakHashMap",
                    "java.util.concurrent.ConcurrentHashMap");

    private Impurities() {}

    static boolean readsAClock(JavaAccess<?> access) {
        return switch (access.getName()) {
            case "now" -> access.getTargetOwner().getPackageName().startsWith("java.time");
            case "currentTimeMillis", "nanoTime" -> isOn("java.lang.System", access);
            default -> false;
        };
    }

    static boolean drawsAtRandom(JavaAccess<?> access) {
        return switch (access.getName()) {
            case "randomUUID" -> isOn("java.util.UUID", access);
            case "random" -> isOn("java.lang.Math", access);
            default -> false;
        };
    }

    static boolean makesAnUnorderedCollection(JavaAccess<?> access) {
        return switch (access.getName()) {
            case "of", "ofEntries", "copyOf" ->
                    isOn("java.util.Map", access) || isOn("java.util.Set", access);
            case "toSet",
                    "toUnmodifiableSet",
                    "toUnmodifiableMap",
                    "toConcurrentMap",
                    "groupingByConcurrent" ->
                    isOn("java.util.stream.Collectors", access);
            case "toMap" -> isOn("java.util.stream.Collectors", access) && parameters(access) < 4;
            case "groupingBy" ->
                    isOn("java.util.stream.Collectors", access) && parameters(access) < 3;
            case JavaConstructor.CONSTRUCTOR_NAME, "newHashMap", "newHashSet", "newKeySet" ->
                    UNORDERED.contains(access.getTargetOwner().getName());
            default -> false;
        };
    }

    private static boolean isOn(String type, JavaAccess<?> access) {
        return access.getTargetOwner().getName().equals(type);
    }

    private static int parameters(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget target
                ? target.getRawParameterTypes().size()
                : 0;
    }
}
