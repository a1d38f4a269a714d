package dev.artel.protocol;

import dev.artel.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How much of what workers declare of themselves is taken: all of it is kept as long as they are there, and longer.
final class Declared {
    /// Of one worker.
    private static final int MOST_TYPES = 1000;

    private static final int LONGEST_TYPE = 200;

    /// Of one worker, which has as many tasks at most.
    private static final int MOST_LEASES = 10_000;

    /// Of all that one message declares, as JSON.
    private static final int MOST_CHARACTERS = 64 << 10;

    /// What each heartbeat states anew, so that nothing of it is kept.
    private static final Set<String> PASSING = Set.of("current_tasks");

    private Declared() {}

    /// `register`, which may be kept.
    ///
    /// @throws MalformedMessage if it is too much
    static Register checked(Register register) {
        types(register.profile().names(), "supported_tasks");
        size(register.toJson());
        return register;
    }

    /// `heartbeat`, which may be kept.
    ///
    /// @throws MalformedMessage if it is too much
    static Heartbeat.Full checked(Heartbeat.Full heartbeat) {
        if (heartbeat.available() != null) {
            types(heartbeat.available(), "supported_tasks");
        }
        if (heartbeat.currentTasks() != null) {
            leases(heartbeat.currentTasks(), "current_tasks");
        }
        size(heartbeat.toJson());
        return heartbeat;
    }

    /// Refuses more names of task types than a worker may have.
    ///
    /// @param types null: none are declared
    /// @throws MalformedMessage if they are too many, or too long alone or together
    static void check(@Nullable List<String> types, String path) {
        if (types == null) {
            return;
        }
        types(types, path);
        var characters = types.stream().mapToLong(String::length).sum();
        if (characters > MOST_CHARACTERS) {
            throw new MalformedMessage(
                    path,
                    "names of at most " + MOST_CHARACTERS + " characters together",
                    characters + " of them");
        }
    }

    /// Refuses more leases than a worker may hold.
    ///
    /// @throws MalformedMessage if they are too many
    static void leases(List<?> leases, String path) {
        if (leases.size() > MOST_LEASES) {
            throw new MalformedMessage(
                    path, "at most " + MOST_LEASES + " of them", leases.size() + " of them");
        }
    }

    private static void types(List<String> types, String path) {
        if (types.size() > MOST_TYPES) {
            throw new MalformedMessage(
                    path, "at most " + MOST_TYPES + " task types", types.size() + " of them");
        }
        for (var type : types) {
            if (type.length() > LONGEST_TYPE) {
                throw new MalformedMessage(
                        path,
                        "names of at most " + LONGEST_TYPE + " characters",
                        "one of " + type.length());
            }
        }
    }

    private static void size(JsonObject message) {
        var characters = 0L;
        for (var member : message.members().entrySet()) {
            if (!PASSING.contains(member.getKey())) {
                characters += member.getKey().length() + member.getValue().toString().length();
            }
        }
        if (characters > MOST_CHARACTERS) {
            throw new MalformedMessage(
                    "",
                    "at most " + MOST_CHARACTERS + " characters of what a worker declares",
                    characters + " of them");
        }
    }
}
