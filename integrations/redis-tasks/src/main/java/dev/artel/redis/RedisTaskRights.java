package dev.artel.redis;

import java.util.Optional;
import java.util.function.Predicate;

/// What submitters may ask for.
///
/// @param types those of their tasks
/// @param blueprints those of their jobs
public record RedisTaskRights(Predicate<String> types, Predicate<String> blueprints) {
    /// All that the client of the tasks may ask for.
    public static final RedisTaskRights ALL = new RedisTaskRights(_ -> true, _ -> true);

    /// Why no task of `type` is done; empty if it is.
    Optional<String> problemOfType(String type) {
        return types.test(type)
                ? Optional.empty()
                : Optional.of(
                        "tasks of the type '"
                                + type
                                + "' are not allowed through Redis; an operator allows them with"
                                + " redis.task-types, and built-in actions only by their full names");
    }

    /// Why there is no job of `blueprint`; empty if there may be.
    Optional<String> problemOfBlueprint(String blueprint) {
        return blueprints.test(blueprint)
                ? Optional.empty()
                : Optional.of(
                        "jobs of the blueprint '"
                                + blueprint
                                + "' are not allowed through Redis; an operator allows them with"
                                + " redis.blueprints");
    }
}
