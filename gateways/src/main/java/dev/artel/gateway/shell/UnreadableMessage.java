package dev.artel.gateway.shell;

import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What can be found in a message that is no JSON, or of which only the beginning is there: what it is about, so that its sender gets an answer, and a
/// result ends its attempt. Else it would come again and again. Immutable.
public final class UnreadableMessage {
    private static final String BODY = "body";

    /// What is kept of a message, whatever else it has.
    private static final Set<String> KEPT =
            Set.of(
                    "type",
                    "callId",
                    "method",
                    "requestId",
                    "call_id",
                    "op",
                    "token",
                    "session",
                    "lease_id",
                    "job_id",
                    "task_id",
                    "lease_token",
                    "worker_id",
                    "origin_worker_id");

    private static final int LONGEST = 1024;

    private final Map<String, String> outer;
    private final Map<String, String> body;

    private UnreadableMessage(Map<String, String> outer, Map<String, String> body) {
        this.outer = outer;
        this.body = body;
    }

    /// Looks for members whose values are strings, of the outermost object and of its member `body`.
    public static UnreadableMessage scan(byte[] bytes) {
        return new Scan(bytes).message();
    }

    /// The value of a member of the outermost object.
    public Optional<String> text(String name) {
        return Optional.ofNullable(outer.get(name));
    }

    /// The ids of the outermost object.
    public EnvelopeIds ids() {
        return ids(outer);
    }

    /// The ids of the member `body`.
    public EnvelopeIds idsOfBody() {
        return ids(body);
    }

    private static EnvelopeIds ids(Map<String, String> members) {
        return new EnvelopeIds(
                members.get("job_id"),
                members.getOrDefault("lease_token", members.get("task_id")),
                members.getOrDefault("worker_id", members.get("origin_worker_id")));
    }

    private static final class Scan {
        private static final int DEPTH = 2;

        /// A message about something has no more strings with escapes before its ids; each costs.
        private static final int MOST_DECODED = 1_000;

        private final byte[] bytes;
        private final Map<String, String> outer = new LinkedHashMap<>();
        private final Map<String, String> body = new LinkedHashMap<>();

        /// The member whose value comes next, at each depth.
        private final @Nullable String[] names = new @Nullable String[DEPTH + 1];

        private int depth;
        private int at;

        /// How many strings with escapes were read.
        private int decoded;

        Scan(byte[] bytes) {
            this.bytes = bytes;
        }

        UnreadableMessage message() {
            @Nullable String last = null;
            while (at < bytes.length) {
                switch (bytes[at]) {
                    case '{', '[' -> {
                        depth++;
                        name(null);
                        last = null;
                        at++;
                    }
                    case '}', ']' -> {
                        depth--;
                        last = null;
                        at++;
                    }
                    case ':' -> {
                        name(last);
                        last = null;
                        at++;
                    }
                    case ',' -> {
                        name(null);
                        last = null;
                        at++;
                    }
                    case '"' -> {
                        last = string();
                        keep(last);
                    }
                    default -> at++;
                }
            }
            return new UnreadableMessage(Map.copyOf(outer), Map.copyOf(body));
        }

        private void name(@Nullable String name) {
            if (depth >= 1 && depth <= DEPTH) {
                names[depth] = name;
            }
        }

        private void keep(@Nullable String value) {
            var isNamed = depth >= 1 && depth <= DEPTH && names[depth] != null;
            if (!isNamed || value == null) {
                return;
            }
            var name = String.valueOf(names[depth]);
            if (KEPT.contains(name)) {
                if (depth == 1) {
                    outer.putIfAbsent(name, value);
                } else if (BODY.equals(names[1])) {
                    body.putIfAbsent(name, value);
                }
            }
            names[depth] = null;
        }

        /// The string that begins here; null if it does not end, or is too long for an id.
        private @Nullable String string() {
            var from = at++;
            var isEscaped = false;
            while (at < bytes.length && bytes[at] != '"') {
                var escapes = bytes[at] == '\\';
                isEscaped |= escapes;
                at += escapes ? 2 : 1;
            }
            at++;
            if (at > bytes.length || at - from > LONGEST) {
                return null;
            }
            if (depth < 1 || depth > DEPTH) {
                return null;
            }
            if (!isEscaped) {
                return new String(bytes, from + 1, at - from - 2, StandardCharsets.UTF_8);
            }
            if (++decoded > MOST_DECODED) {
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
