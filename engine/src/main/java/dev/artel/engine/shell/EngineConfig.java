package dev.artel.engine.shell;

import dev.artel.engine.core.dispatch.DispatchSettings;
import java.time.Duration;

/// How an engine uses its machine.
///
/// @param partitions how many threads decide on jobs at once
/// @param room how many bytes of memory the jobs take up that are kept there, about; those that are idle make room for others
/// @param handlers how many handlers run at once
/// @param maxSubmitting how many submissions may wait at once; more are refused for now
/// @param freshTerm how long a lease lives until its worker first renews it, also after a restart
/// @param answerLimit how long a caller waits for an answer
/// @param keepClosed how long closed jobs are kept
/// @param stalls how jobs are looked for that are stuck
/// @param dispatch how workers are shared
public record EngineConfig(
        int partitions,
        long room,
        HandlerPlaces handlers,
        int maxSubmitting,
        Duration freshTerm,
        Duration answerLimit,
        KeepClosed keepClosed,
        StallSettings stalls,
        DispatchSettings dispatch) {
    /// One partition for two processors.
    public static final EngineConfig DEFAULTS =
            new EngineConfig(
                    Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                    Runtime.getRuntime().maxMemory() / 5 * 2,
                    HandlerPlaces.DEFAULTS,
                    4096,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30),
                    KeepClosed.DEFAULTS,
                    StallSettings.DEFAULTS,
                    DispatchSettings.DEFAULTS);

    /// Refuses what cannot work.
    public EngineConfig {
        atLeastOne("engine.partitions", partitions);
        atLeastOne("engine.room", room);
        atLeastOne("engine.max-submitting", maxSubmitting);
        positive("engine.fresh-term", freshTerm);
        positive("engine.answer-limit", answerLimit);
    }

    /// These settings with another term for fresh leases.
    public EngineConfig withFreshTerm(Duration term) {
        return new EngineConfig(
                partitions,
                room,
                handlers,
                maxSubmitting,
                term,
                answerLimit,
                keepClosed,
                stalls,
                dispatch);
    }

    /// These settings with other times for which closed jobs are kept.
    public EngineConfig withKeepClosed(KeepClosed times) {
        return new EngineConfig(
                partitions,
                room,
                handlers,
                maxSubmitting,
                freshTerm,
                answerLimit,
                times,
                stalls,
                dispatch);
    }

    /// These settings with another watch over stuck jobs.
    public EngineConfig withStalls(StallSettings other) {
        return new EngineConfig(
                partitions,
                room,
                handlers,
                maxSubmitting,
                freshTerm,
                answerLimit,
                keepClosed,
                other,
                dispatch);
    }

    /// These settings with another way to share workers.
    public EngineConfig withDispatch(DispatchSettings other) {
        return new EngineConfig(
                partitions,
                room,
                handlers,
                maxSubmitting,
                freshTerm,
                answerLimit,
                keepClosed,
                stalls,
                other);
    }

    /// These settings with other places for handlers.
    public EngineConfig withHandlers(HandlerPlaces other) {
        return new EngineConfig(
                partitions,
                room,
                other,
                maxSubmitting,
                freshTerm,
                answerLimit,
                keepClosed,
                stalls,
                dispatch);
    }

    private static void atLeastOne(String key, long value) {
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
