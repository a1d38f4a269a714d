package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a worker logs while it works on a task, for people.
///
/// @param taskId the id of the hand-out
/// @param leaseToken null from workers that know no leases
/// @param lines oldest first
public record TaskLog(String workerId, String taskId, @Nullable String leaseToken, List<Line> lines)
        implements SocketMessage {
    /// How many lines one message may have.
    public static final int MAX_LINES = 1000;

    private static final int MAX_LEVEL = 20;

    /// A line.
    ///
    /// @param at null if the worker left it out
    /// @param level in lower case; `info` if the worker left it out
    public record Line(@Nullable Instant at, String level, String message) {
        static Line read(JsonValue value, String path) {
            var fields = Fields.of(value, path);
            var level = fields.string("level", "info").toLowerCase(Locale.ROOT);
            if (level.isBlank() || level.length() > MAX_LEVEL) {
                throw new MalformedMessage(
                        fields.at("level"), "1 to " + MAX_LEVEL + " characters", "other text");
            }
            return new Line(instant(fields), level, fields.string("message"));
        }

        private static @Nullable Instant instant(Fields fields) {
            var millis = fields.findCount("at");
            try {
                return millis == null ? null : Instant.ofEpochMilli(millis);
            } catch (DateTimeException outOfRange) {
                throw new MalformedMessage(
                        fields.at("at"), "milliseconds since 1970", "another number");
            }
        }

        JsonObject toJson() {
            var json = JsonObject.builder();
            if (at != null) {
                json.put("at", at.toEpochMilli());
            }
            return json.put("level", level).put("message", message).build();
        }
    }

    /// Copies `lines`.
    public TaskLog {
        lines = List.copyOf(lines);
    }

    @Override
    public String lease() {
        return leaseToken == null ? taskId : leaseToken;
    }

    /// Reads `{"lines":[{"at","level","message"}],"lease_token"}`.
    ///
    /// @throws MalformedMessage if a member has the wrong type, or there are too many lines
    public static TaskLog read(String workerId, String taskId, JsonValue body) {
        var fields = Fields.of(body, "");
        var lines = fields.list("lines", Line::read);
        if (lines.size() > MAX_LINES) {
            throw new MalformedMessage(
                    "lines", "at most " + MAX_LINES + " lines", lines.size() + " of them");
        }
        return new TaskLog(workerId, taskId, fields.findString("lease_token"), lines);
    }

    /// The body.
    public JsonObject toJson() {
        var json = JsonObject.builder();
        if (leaseToken != null) {
            json.put("lease_token", leaseToken);
        }
        var all = lines.stream().map(line -> (JsonValue) line.toJson()).toList();
        return json.put("lines", new JsonArray(all)).build();
    }
}
