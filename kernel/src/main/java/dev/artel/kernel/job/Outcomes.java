package dev.artel.kernel.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// Which state follows which outcome of something that a branch waits for.
///
/// @param states status word, [#FAILED], [#TIMEOUT], [#UNKNOWN] or [#CANCELLED], to a state
public record Outcomes(SequencedMap<String, String> states) {
    /// The word for a task whose retries are spent or that cannot work, and for a child that did not reach its end.
    public static final String FAILED = "failed";

    /// The word for a task that ran out of time; falls back on [#FAILED].
    public static final String TIMEOUT = "timeout";

    /// The word for a task that is not idempotent and may have had an effect; without it a person decides.
    public static final String UNKNOWN = "unknown";

    /// The word for a task of a job that is being cancelled, and for a child that was cancelled.
    public static final String CANCELLED = "cancelled";

    /// The word for a child that has reached its end.
    public static final String FINISHED = "finished";

    /// The word for a child that lives by itself.
    public static final String STARTED = "started";

    /// No outcome is expected.
    public static final Outcomes NONE = new Outcomes(new LinkedHashMap<>());

    /// Copies `states`.
    public Outcomes {
        states = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(states));
    }

    /// `state` follows `status`.
    public static Outcomes on(String status, String state) {
        return NONE.and(status, state);
    }

    /// These outcomes, and `state` follows `status`.
    public Outcomes and(String status, String state) {
        var more = new LinkedHashMap<>(states);
        more.put(status, state);
        return new Outcomes(more);
    }

    /// The state that follows `status`, if one is named.
    public Optional<String> after(String status) {
        return Optional.ofNullable(states.get(status));
    }
}
