package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/// Entries for workers by their names, or by patterns of names in which `*` stands for any characters, such as `gpu-*`.
public final class WorkerNames {
    private WorkerNames() {}

    /// Whether `name` stands for several workers.
    public static boolean isPattern(WorkerId name) {
        return name.value().indexOf('*') >= 0;
    }

    /// Why no worker may have this name, in a sentence; empty if one may.
    public static Optional<String> refusal(WorkerId name) {
        return isPattern(name)
                ? Optional.of(
                        "the name "
                                + name
                                + " stands for several workers, as it has a '*'; give the worker a name without one")
                : Optional.empty();
    }

    /// The entry of `worker`: that of its name, or else of the longest pattern that it matches; empty if there is none.
    public static <T> Optional<T> find(Map<WorkerId, T> entries, WorkerId worker) {
        var exact = entries.get(worker);
        if (exact != null) {
            return Optional.of(exact);
        }
        return entries.entrySet().stream()
                .filter(entry -> isPattern(entry.getKey()))
                .filter(entry -> matches(entry.getKey().value(), worker.value()))
                .max(
                        Comparator.comparingInt(
                                (Map.Entry<WorkerId, T> entry) -> entry.getKey().value().length()))
                .map(Map.Entry::getValue);
    }

    /// Whether `name` is one of those for which `pattern` stands. Takes no longer than their lengths multiplied.
    public static boolean matches(String pattern, String name) {
        var inPattern = 0;
        var inName = 0;
        var star = -1;
        var behindStar = 0;
        while (inName < name.length()) {
            if (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
                star = inPattern++;
                behindStar = inName;
            } else if (inPattern < pattern.length()
                    && pattern.charAt(inPattern) == name.charAt(inName)) {
                inPattern++;
                inName++;
            } else if (star >= 0) {
                inPattern = star + 1;
                inName = ++behindStar;
            } else {
                return false;
            }
        }
        while (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
            inPattern++;
        }
        return inPattern == pattern.length();
    }
}
