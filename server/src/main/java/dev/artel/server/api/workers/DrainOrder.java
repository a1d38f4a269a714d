package dev.artel.server.api.workers;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.Optional;

/// How an operator ends the hand-out of tasks to a worker.
///
/// @param reason in the operator's words
/// @param takesBack after how much time what the worker has in work goes to others; empty: never
/// @param shutsDown whether an agent is asked to end its process, too
record DrainOrder(Optional<String> reason, Optional<Duration> takesBack, boolean shutsDown) {
    private static final int LONGEST_REASON = 1000;
    private static final Duration GRACE = Duration.ofMinutes(5);
    private static final long LONGEST_GRACE_SECONDS = 86_400;

    /// Without a word.
    static final DrainOrder PLAIN = new DrainOrder(Optional.empty(), Optional.empty(), false);

    /// @throws HttpRefusal if it is none
    static DrainOrder read(JsonValue body) {
        if (!(body instanceof JsonObject object)) {
            throw refused();
        }
        var reason = object.get("reason").map(DrainOrder::reason);
        var grace = object.get("grace_seconds").map(DrainOrder::grace);
        return switch (object.get("mode").map(DrainOrder::mode).orElse("")) {
            case "" -> new DrainOrder(reason, grace, false);
            case "graceful" -> new DrainOrder(reason, Optional.of(grace.orElse(GRACE)), false);
            case "immediate" -> new DrainOrder(reason, Optional.of(Duration.ZERO), false);
            case "emergency" -> new DrainOrder(reason, Optional.of(Duration.ZERO), true);
            default -> throw refused();
        };
    }

    private static String reason(JsonValue value) {
        if (value instanceof JsonString(var text) && text.length() <= LONGEST_REASON) {
            return text;
        }
        throw refused();
    }

    private static String mode(JsonValue value) {
        if (value instanceof JsonString(var text) && !text.isEmpty()) {
            return text;
        }
        throw refused();
    }

    private static Duration grace(JsonValue value) {
        if (value instanceof JsonNumber number
                && number.asDouble() >= 0
                && number.asDouble() <= LONGEST_GRACE_SECONDS) {
            return Duration.ofMillis((long) (number.asDouble() * 1000));
        }
        throw refused();
    }

    private static HttpRefusal refused() {
        return new HttpRefusal(
                ErrorCode.INVALID_BODY,
                "Invalid drain",
                "the body may be an object with a reason, a text of at most "
                        + LONGEST_REASON
                        + " characters, a mode (graceful, immediate, emergency), and grace_seconds, from 0 to "
                        + LONGEST_GRACE_SECONDS);
    }
}
