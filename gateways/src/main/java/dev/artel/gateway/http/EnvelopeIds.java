package dev.artel.gateway.http;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The ids in the envelope of a result of which the rest cannot be read.
record EnvelopeIds(@Nullable String job, @Nullable String task, @Nullable String worker) {
    private static final int LONGEST = 1024;

    /// Looks for the ids in what there is of an envelope: for members of the outermost object whose values are strings.
    static EnvelopeIds scan(byte[] bytes) {
        var found = new Scan(bytes).members();
        return new EnvelopeIds(
                found.get("job_id"),
                Optional.ofNullable(found.get("lease_token")).orElse(found.get("task_id")),
                Optional.ofNullable(found.get("worker_id")).orElse(found.get("origin_worker_id")));
    }

    /// Whether they name which attempt the result belongs to.
    boolean isComplete() {
        return job != null && !job.isBlank() && task != null && !task.isBlank();
    }

    /// An envelope with the ids alone.
    JsonObject toJson() {
        var json = JsonObject.builder().put("job_id", text(job)).put("task_id", text(task));
        return (worker == null ? json : json.put("worker_id", worker)).build();
    }

    /// The result that ends the attempt with `outcome`.
    TaskResult result(TaskOutcome outcome) {
        return new TaskResult(text(job), text(task), worker, null, outcome);
    }

    private static String text(@Nullable String id) {
        return id == null ? "" : id;
    }

    private static final class Scan {
        private final byte[] bytes;
        private final Map<String, String> members = new LinkedHashMap<>();
        private int at;

        Scan(byte[] bytes) {
            this.bytes = bytes;
        }

        Map<String, String> members() {
            var depth = 0;
            @Nullable String name = null;
            @Nullable String last = null;
            while (at < bytes.length) {
                switch (bytes[at]) {
                    case '{', '[' -> {
                        depth++;
                        last = null;
                        at++;
                    }
                    case '}', ']' -> {
                        depth--;
                        last = null;
                        at++;
                    }
                    case ':' -> {
                        name = depth == 1 ? last : name;
                        last = null;
                        at++;
                    }
                    case ',' -> {
                        name = depth == 1 ? null : name;
                        last = null;
                        at++;
                    }
                    case '"' -> {
                        last = string();
                        if (depth == 1 && name != null && last != null) {
                            members.putIfAbsent(name, last);
                            name = null;
                        }
                    }
                    default -> at++;
                }
            }
            return members;
        }

        /// The string that begins here; null if it does not end, or is too long for an id.
        private @Nullable String string() {
            var from = at++;
            while (at < bytes.length && bytes[at] != '"') {
                at += bytes[at] == '\\' ? 2 : 1;
            }
            at++;
            if (at > bytes.length || at - from > LONGEST) {
                return null;
            }
            try {
                return JsonText.read(Arrays.copyOfRange(bytes, from, at))
                                instanceof JsonString(var text)
                        ? text
                        : null;
            } catch (MalformedJson noString) {
                return new String(bytes, from + 1, at - from - 2, StandardCharsets.UTF_8);
            }
        }
    }
}
