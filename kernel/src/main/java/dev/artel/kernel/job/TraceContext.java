package dev.artel.kernel.job;

import dev.artel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The trace of which a job is a part, in the words of the client that submitted the job: handed on, never looked into.
/// The form is that of W3C Trace Context, level 2.
///
/// @param parent the value of `traceparent`, of version 00
/// @param state the value of `tracestate`; empty if there is none; at most 512 characters
public record TraceContext(String parent, String state) {
    /// How long the state is at most.
    public static final int LONGEST_STATE = 512;

    private static final int MOST_ENTRIES = 32;
    private static final int LONG_ENTRY = 128;
    private static final String VERSION = "00";
    private static final int LENGTH = 55;
    private static final int FLAGS = 53;

    private static final Pattern PARENT =
            Pattern.compile(
                    "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
    private static final Pattern ENTRY =
            Pattern.compile(
                    "([a-z0-9][a-z0-9_*/@-]{0,255})" + "=[ -+\\--<>-~]{0,255}[!-+\\--<>-~]");

    /// Refuses what is not as W3C has it.
    public TraceContext {
        if (!PARENT.matcher(parent).matches() || !parent.startsWith(VERSION)) {
            throw new IllegalArgumentException(
                    "traceparent must be 00-<32 hex>-<16 hex>-<2 hex>, was '" + parent + "'");
        }
        if (state.length() > LONGEST_STATE || (entries(state).isEmpty() && !state.isEmpty())) {
            throw new IllegalArgumentException(
                    "tracestate must be a list of key=value of at most "
                            + LONGEST_STATE
                            + " characters, was '"
                            + state
                            + "'");
        }
    }

    /// The context in two headers; empty if `parent` is not valid, as W3C wants it. A `state` that is not valid is none, and of one
    /// that is too long the long entries go first, then the last ones.
    public static Optional<TraceContext> read(String parent, String state) {
        var known = ofKnownVersion(parent.strip());
        return known.map(valid -> new TraceContext(valid, String.join(",", shortened(state))));
    }

    /// The headers with which it is handed on.
    public JsonObject headers() {
        var headers = JsonObject.builder().put("traceparent", parent);
        if (!state.isEmpty()) {
            headers.put("tracestate", state);
        }
        return headers.build();
    }

    /// Of later versions the part that is known is taken, under the version that is known.
    private static Optional<String> ofKnownVersion(String given) {
        var isLater = given.length() > LENGTH && given.charAt(LENGTH) == '-';
        var known = isLater ? given.substring(0, LENGTH) : given;
        if (!PARENT.matcher(known).matches()) {
            return Optional.empty();
        }
        if (known.startsWith(VERSION)) {
            return isLater ? Optional.empty() : Optional.of(known);
        }
        var flags = Integer.parseInt(known.substring(FLAGS), 16) & 3;
        return Optional.of(VERSION + known.substring(2, FLAGS) + "0" + flags);
    }

    private static List<String> shortened(String state) {
        var entries = new ArrayList<>(entries(state));
        for (var i = entries.size() - 1; i >= 0 && isTooLong(entries); i--) {
            if (entries.get(i).length() > LONG_ENTRY) {
                entries.remove(i);
            }
        }
        while (isTooLong(entries)) {
            entries.removeLast();
        }
        return entries;
    }

    private static boolean isTooLong(List<String> entries) {
        return entries.stream().mapToInt(entry -> entry.length() + 1).sum() - 1 > LONGEST_STATE;
    }

    /// None if one of them is not valid, or there are two of one key.
    private static List<String> entries(String state) {
        var keys = new ArrayList<String>();
        var entries = new ArrayList<String>();
        for (var part : state.split(",", -1)) {
            var entry = part.strip();
            if (entry.isEmpty()) {
                continue;
            }
            var matched = ENTRY.matcher(entry);
            if (!matched.matches() || keys.contains(matched.group(1))) {
                return List.of();
            }
            keys.add(matched.group(1));
            entries.add(entry);
        }
        return entries.size() > MOST_ENTRIES ? List.of() : entries;
    }
}
