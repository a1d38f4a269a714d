package dev.artel.card.step;

import java.util.LinkedHashSet;
import java.util.List;

/// What the card may do with which a process goes on: its text comes from a model, a worker or a client.
///
/// @param actions of [#OUTWARD], those that it may have done
/// @param taskTypes the other types of tasks that it may have done: each in full, or how they begin with a `*` behind it
/// @param subprocesses whether it may run cards and blueprints that are not written inside it
public record ReplanRights(List<String> actions, List<String> taskTypes, boolean subprocesses) {
    /// The built-in actions that reach what only the orchestrator can: hosts, and the files of all clients.
    public static final List<String> OUTWARD =
            List.of("http_request", "file_storage", "save_to_storage");

    /// Tasks of all types but [#OUTWARD], and no subprocesses.
    public static final ReplanRights DEFAULTS = new ReplanRights(List.of(), List.of("*"), false);

    /// Copies the lists.
    public ReplanRights {
        actions = List.copyOf(actions);
        taskTypes = List.copyOf(taskTypes);
    }

    /// Whether a task of `type` may be done.
    public boolean allow(String type) {
        return OUTWARD.contains(type)
                ? actions.contains(type)
                : taskTypes.stream().anyMatch(pattern -> matches(pattern, type));
    }

    private static boolean matches(String pattern, String type) {
        return pattern.endsWith("*")
                ? type.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(type);
    }

    /// Whether these allow nothing that `others` do not, so that a card which plans again gets no further rights.
    public boolean areWithin(ReplanRights others) {
        return new LinkedHashSet<>(others.actions).containsAll(actions)
                && (others.subprocesses || !subprocesses)
                && taskTypes.stream()
                        .allMatch(mine ->
                                others.taskTypes.stream()
                                        .anyMatch(theirs -> matches(theirs, mine)));
    }
}
