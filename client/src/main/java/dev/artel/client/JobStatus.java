package dev.artel.client;

/// What a job is about, as the API reports it in `status`.
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
    /// A word that this client does not know; [JobView#statusWord] has it.
    UNKNOWN;

    /// The status that the API calls `word`.
    static JobStatus of(String word) {
        return Words.constant(JobStatus.class, word, UNKNOWN);
    }

    /// The word of the API, to ask for it.
    ///
    /// @throws IllegalArgumentException if it is [#UNKNOWN]
    String word() {
        return Words.word(this, UNKNOWN);
    }

    /// Whether nothing changes any more.
    public boolean isFinal() {
        return this == FINISHED || this == FAILED || this == CANCELLED;
    }
}
