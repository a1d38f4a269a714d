package dev.artel.client;

import java.util.Arrays;
import java.util.Locale;

/// What a job is about, as the API says in its `status`.
public enum JobStatus {
    /// Its first step has not run yet.
    PENDING,
    /// A step runs.
    RUNNING,
    /// A step failed and is run again.
    AWAITING_RETRY,
    /// A task waits for its worker, or is with one.
    WAITING_FOR_WORKER,
    /// A fan-out or a fork is going on.
    WAITING_FOR_PARALLEL_TASKS,
    /// A child is going on.
    WAITING_FOR_SUB_JOB,
    /// What it did is being compensated.
    COMPENSATING,
    /// Time passes.
    WAITING,
    /// A signal has to come.
    WAITING_FOR_SIGNAL,
    /// A person has to decide.
    WAITING_FOR_HUMAN,
    /// A person has to release, retry, skip or discard it.
    QUARANTINED,
    /// It has ended, well.
    FINISHED,
    /// It has ended, badly.
    FAILED,
    /// It was ended.
    CANCELLED,
    /// A word that this client does not know.
    OTHER;

    /// The status that the API calls `word`; [#OTHER] if it is none of these.
    static JobStatus of(String word) {
        return Arrays.stream(values())
                .filter(status -> status.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElse(OTHER);
    }

    /// Whether nothing changes any more.
    public boolean isFinal() {
        return this == FINISHED || this == FAILED || this == CANCELLED;
    }
}
