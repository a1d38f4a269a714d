package dev.artel.engine.shell;

import java.time.Duration;

/// How an engine uses its machine.
///
/// @param partitions how many threads decide on jobs at once
/// @param room how many jobs and tasks are kept in memory, about
/// @param maxHandlers how many handlers run at once
/// @param maxSubmitting how many submissions may wait at once; more are told to try later
/// @param freshTerm how long a lease lives until its worker first renews it, also after a restart
/// @param answerLimit how long a caller waits for an answer
/// @param keepClosed how long closed jobs are kept
/// @param stalls how jobs are looked for that are stuck
public record EngineConfig(
        int partitions,
        int room,
        int maxHandlers,
        int maxSubmitting,
        Duration freshTerm,
        Duration answerLimit,
        Duration keepClosed,
        StallSettings stalls) {
    /// One partition for two processors.
    public static final EngineConfig DEFAULTS =
            new EngineConfig(
                    Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                    200_000,
                    256,
                    4096,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30),
                    Duration.ofDays(30),
                    StallSettings.DEFAULTS);

    /// Refuses what cannot work.
    public EngineConfig {
        atLeastOne("engine.partitions", partitions);
        atLeastOne("engine.room", room);
        atLeastOne("engine.max-handlers", maxHandlers);
        atLeastOne("engine.max-submitting", maxSubmitting);
        positive("engine.fresh-term", freshTerm);
        positive("engine.answer-limit", answerLimit);
        positive("engine.keep-closed", keepClosed);
    }

    /// These settings with another term for fresh leases.
    public EngineConfig withFreshTerm(Duration term) {
        return new EngineConfig(
                partitions,
                room,
                maxHandlers,
                maxSubmitting,
                term,
                answerLimit,
                keepClosed,
                stalls);
    }

    /// These settings with another time for which closed jobs are kept.
    public EngineConfig withKeepClosed(Duration time) {
        return new EngineConfig(
                partitions, room, maxHandlers, maxSubmitting, freshTerm, answerLimit, time, stalls);
    }

    /// These settings with another watch over stuck jobs.
    public EngineConfig withStalls(StallSettings other) {
        return new EngineConfig(
                partitions,
                room,
                maxHandlers,
                maxSubmitting,
                freshTerm,
                answerLimit,
                keepClosed,
                other);
    }

    private static void atLeastOne(String key, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(key + " must be at least 1, was " + value);
        }
    }

    private static void positive(String key, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(key + " must be positive, was " + value);
        }
    }
}
